import Dispatch
import ReachabilityTesting
import Testing

@testable import Reachability

/// The ten behaviours of NWPathMonitor that programs rely on, in the order of Rules.md,
/// "NWPathMonitor's behaviours".
@Suite(.timeLimit(.minutes(1)))
struct AppleBehaviourTests {
    let scene = PathScene()

    @Test func a1_beforeStartThePathIsMadeFromNothing() {
        scene.network.connect("wlan0", .wifi)
        let monitor = scene.monitor()
        let path = monitor.currentPath
        #expect(path.status == .unsatisfied)
        #expect(path.unsatisfiedReason == .notAvailable)
        #expect(path.availableInterfaces.isEmpty)
        #expect(path.gateways.isEmpty && path.localAddresses.isEmpty && path.dnsServers.isEmpty)
        #expect(!path.isExpensive && !path.isConstrained)
        #expect(!path.supportsIPv4 && !path.supportsIPv6 && !path.supportsDNS)
        #expect(NetworkInterface.InterfaceType.allCases.allSatisfy { !path.usesInterfaceType($0) })
        #expect(monitor.queue == nil)
    }

    @Test func a2_theFirstUpdateComesOnTheQueueAfterStartReturned() throws {
        scene.network.connect("wlan0", .wifi)
        let monitor = scene.monitor()
        let log = HeardEvents<NetworkPath>()
        let queue = scene.queue
        monitor.pathUpdateHandler = {
            dispatchPrecondition(condition: .onQueue(queue))
            log.add($0)
        }
        queue.sync {
            monitor.start(queue: queue)
            #expect(log.all.isEmpty, "not from within start")
            #expect(monitor.currentPath.status == .unsatisfied)
        }
        let path = try #require(log.wait(count: 1)?.first)
        #expect(path.status == .satisfied)
        #expect(path.causes == ["initial"])
    }

    @Test func a2_theFirstUpdateComesToAnOfflineHostToo() throws {
        let log = scene.watch()
        #expect(log.all.map(\.status) == [.unsatisfied])
        #expect(log.all.first?.reason == .noRoute)
    }

    @Test func currentPathFollowsASequenceWithoutAStart() async throws {
        let monitor = NetworkPathMonitor(filter: PathFilter(), engine: scene.engine)
        scene.network.connect("wlan0", .wifi)
        for await path in monitor where path.status == .satisfied { break }
        #expect(monitor.currentPath.availableInterfaces.map(\.name) == ["wlan0"])
    }

    @Test func a3_currentPathIsSetBeforeTheHandlerRuns() throws {
        let monitor = scene.monitor()
        let log = HeardEvents<Bool>()
        monitor.pathUpdateHandler = { [weak monitor] path in
            log.add(monitor?.currentPath == path && monitor?.currentPath.generation == path.generation)
        }
        monitor.start(queue: scene.queue)
        scene.settle()
        scene.network.connect("wlan0", .wifi)
        scene.settle()
        #expect(log.all == [true, true])
    }

    @Test func a4_aSecondStartIsIgnored() {
        let monitor = scene.monitor()
        let log = HeardEvents<NetworkPath>()
        let other = DispatchQueue(label: "other")
        let queue = scene.queue
        monitor.pathUpdateHandler = {
            dispatchPrecondition(condition: .onQueue(queue))
            log.add($0)
        }
        monitor.start(queue: queue)
        scene.settle()
        monitor.start(queue: other)
        scene.settle()
        #expect(log.all.count == 1, "no restart")
        #expect(monitor.queue === queue)
        scene.network.connect("wlan0", .wifi)
        scene.settle()
        #expect(log.all.count == 2)
    }

    @Test func a5_nothingComesAfterCancelAndItIsFinal() {
        let monitor = scene.monitor()
        let log = HeardEvents<NetworkPath>()
        monitor.pathUpdateHandler = { log.add($0) }
        monitor.start(queue: scene.queue)
        scene.settle()
        scene.queue.sync {
            scene.network.connect("wlan0", .wifi)
            monitor.cancel()
        }
        scene.settle()
        monitor.start(queue: scene.queue)
        scene.network.disconnect("wlan0")
        scene.settle()
        #expect(log.all.count == 1)
        #expect(monitor.currentPath.status == .unsatisfied, "that of the last update")
    }

    @Test func a5_cancelBeforeStartLeavesTheInitialPath() {
        scene.network.connect("wlan0", .wifi)
        let monitor = scene.monitor()
        let log = HeardEvents<NetworkPath>()
        monitor.pathUpdateHandler = { log.add($0) }
        monitor.cancel()
        monitor.start(queue: scene.queue)
        scene.settle()
        #expect(log.all.isEmpty)
        #expect(monitor.queue == nil)
        #expect(monitor.currentPath.status == .unsatisfied && monitor.currentPath.availableInterfaces.isEmpty)
    }

    @Test func a6_aStartedMonitorLivesUntilItIsCancelled() throws {
        let log = HeardEvents<NetworkPath>()
        weak var released: NetworkPathMonitor?
        do {
            let monitor = NetworkPathMonitor(filter: PathFilter(), engine: scene.engine)
            monitor.pathUpdateHandler = { log.add($0) }
            monitor.start(queue: scene.queue)
            released = monitor
        }
        scene.settle()
        scene.network.connect("wlan0", .wifi)
        scene.settle()
        #expect(log.all.map(\.status) == [.unsatisfied, .satisfied], "nobody holds it, and yet it tells")
        try #require(released).cancel()
        scene.settle()
        #expect(released == nil)
    }

    @Test func a6_aMonitorThatNeverStartedIsLetGo() {
        weak var released: NetworkPathMonitor?
        do {
            let monitor = NetworkPathMonitor(filter: PathFilter(), engine: scene.engine)
            released = monitor
        }
        #expect(released == nil)
    }

    @Test func a7_theNextUpdateUsesTheHandlerOfThatMoment() {
        let monitor = scene.monitor()
        monitor.start(queue: scene.queue)
        scene.settle()
        let late = HeardEvents<NetworkPath>()
        monitor.pathUpdateHandler = { late.add($0) }
        scene.settle()
        #expect(late.all.isEmpty, "setting a handler is no update")
        scene.network.connect("wlan0", .wifi)
        scene.settle()
        #expect(late.all.map(\.status) == [.satisfied])
        monitor.pathUpdateHandler = nil
        scene.network.disconnect("wlan0")
        scene.settle()
        #expect(late.all.count == 1)
        #expect(monitor.currentPath.status == .unsatisfied, "told to nobody, and yet known")
    }

    @Test func a8_aBreakBetweenTwoEqualPathsIsToldByGeneration() throws {
        scene.network.connect("wlan0", .wifi)
        let log = scene.watch()
        let first = try #require(log.all.first)
        scene.queue.suspend()
        scene.network.setCarrier("wlan0", false)
        scene.settleEngine()
        scene.network.setCarrier("wlan0", true)
        scene.settleEngine()
        scene.queue.resume()
        scene.settle()
        try #require(log.all.count == 2, "one update for both")
        #expect(log.all[1] == first)
        #expect(log.all[1].generation > first.generation)
    }

    @Test func a9_iteratingNeedsNoStartAndBeginsWithThePresentPath() async {
        scene.network.connect("wlan0", .wifi)
        let monitor = scene.monitor()
        var statuses: [NetworkPath.Status] = []
        for await path in monitor {
            statuses.append(path.status)
            if statuses.count == 1 { scene.network.disconnect("wlan0") }
            if statuses.count == 2 { break }
        }
        #expect(statuses == [.satisfied, .unsatisfied])
    }

    @Test func a9_cancellingTheTaskOrTheMonitorEndsTheIteration() async {
        let monitor = NetworkPathMonitor(filter: PathFilter(), engine: scene.engine)
        let task = Task {
            var count = 0
            for await _ in monitor {
                count += 1
                // Cancelled from within, so that the iteration waits for a path that will not come.
                unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            }
            return count
        }
        #expect(await task.value == 1)
        var count = 0
        for await _ in monitor {
            count += 1
            monitor.cancel()
        }
        #expect(count == 1, "the sequence can be read anew")
        for await _ in monitor { Issue.record("a cancelled monitor has no paths") }
    }

    @Test func a10_aRequiredTypeIsSatisfiedOnlyThroughIt() throws {
        scene.network.connect("wlan0", .wifi)
        #expect(try scene.path(required: .cellular).status == .unsatisfied, "Wi-Fi carries the default")
        #expect(try scene.path(required: .wifi).status == .satisfied)
        scene.network.connect("wwan0", .cellular, metric: 700)
        #expect(try scene.path(required: .cellular).names == ["wwan0"])
    }

    @Test func a10_prohibitedTypesAreLeftOut() throws {
        scene.network.connect("eth0", .wiredEthernet, metric: 100)
        scene.network.connect("wwan0", .cellular, metric: 700)
        #expect(try scene.path(prohibited: [.wiredEthernet]).names == ["wwan0"])
        #expect(try scene.path(prohibited: [.wiredEthernet, .cellular]).status == .unsatisfied)
        #expect(try scene.path(prohibited: [.cellular]).names == ["eth0"])
    }
}
