import Foundation
import Glibc
import ReachabilityTesting
import Testing

@testable import Reachability

/// The scripted network itself: who sees it, and that it is like the kernel's.
@Suite struct ScriptedNetworkTests {
    @Test func r82_managersAreIndependentAndShareOneEngine() async {
        let network = ScriptedNetwork()
        network.connect("wlan0", .wifi)
        let engine = network.makeEngine()
        let queue = DispatchQueue(label: "independent")
        let recorders = (0..<50).map { _ in Recorder<ReachabilityStatus>() }
        let managers = recorders.map { recorder in
            let manager = ReachabilityManager(target: .default, queue: queue, engine: engine)
            manager.setReachabilityStatusChangeBlock { recorder.record($0) }
            manager.startMonitoring()
            return manager
        }
        for recorder in recorders { await recorder.first(1) }
        #expect(network.openings == 1, "one network is open for all")
        managers[7].stopMonitoring()
        network.disconnect("wlan0")
        for (index, recorder) in recorders.enumerated() where index != 7 {
            #expect(await recorder.first(2) == [.viaWiFi, .notReachable])
        }
        await engine.quiet()
        await queue.drained()
        #expect(recorders[7].elements == [.viaWiFi])
        for manager in managers { manager.stopMonitoring() }
        #expect(await engine.isIdle())
    }

    @Test func managersOfTheirOwnEnginesAllHearOfAChange() async {
        let network = ScriptedNetwork(clock: ManualClock())
        let queue = DispatchQueue(label: "engines")
        let recorders = (0..<5).map { _ in Recorder<ReachabilityStatus>() }
        let managers = recorders.map { recorder in
            let manager = network.manager(queue: queue, settleInterval: .milliseconds(100))
            manager.setReachabilityStatusChangeBlock { recorder.record($0) }
            manager.startMonitoring()
            return manager
        }
        for recorder in recorders { await recorder.first(1) }
        network.connect("wlan0", .wifi)
        for manager in managers { await manager.engine.quiet() }
        network.clock?.advance(by: .milliseconds(100))
        for recorder in recorders { #expect(await recorder.first(2) == [.notReachable, .viaWiFi]) }
    }

    @Test func aBatchIsOneChange() async {
        let scene = Scene { $0.connect("wlan0", .wifi) }
        await scene.start()
        scene.network.batch { batch in
            batch.disconnect("wlan0")
            batch.connect("wwan0", .cellular)
        }
        #expect(await scene.statuses.first(2) == [.viaWiFi, .viaWWAN])
        #expect(await scene.changes.first(2).last?.path.causes == ["link", "address", "route"])
    }

    @Test func theLongestPrefixWinsAndThenTheLowestMetric() async throws {
        let scene = Scene(target: .address(try SocketAddress("198.51.100.7"))) { network in
            network.connect("wlan0", .wifi, metric: 600)
            network.connect("eth0", .wiredEthernet, metric: 100)
        }
        await scene.start()
        let expected = [("eth0", nil), ("wlan0", "192.0.2.1"), ("eth0", nil)] as [(String, String?)]
        scene.network.addRoute("198.51.100.0/24", .leaving(by: "wlan0", gateway: "192.0.2.1"))
        await scene.changes.first(2)
        scene.network.removeRoutes("198.51.100.0/24")
        let paths = await scene.changes.first(3).map(\.path)
        #expect(paths.map { $0.availableInterfaces.first?.name } == expected.map(\.0))
        #expect(paths.map { $0.gateways.first?.description } == expected.map(\.1))
    }

    @Test func aRouteRunsOutByTheClock() async throws {
        let scene = Scene(target: .address(try SocketAddress("2001:db8:1::7"))) { network in
            network.batch { batch in
                batch.addLink("eth0", .wiredEthernet)
                batch.addRoute("::/0", .leaving(by: "eth0", lifetime: .seconds(30)))
            }
        }
        await scene.start()
        scene.network.batch { _ in }
        let lookups = scene.network.routeLookups
        await scene.quiet()
        scene.clock.advance(by: .seconds(31))
        await scene.quiet()
        #expect(scene.network.routeLookups > lookups, "it is asked again when the route's time is over")
    }

    @Test(arguments: ["", "nonsense", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/", "::/129", "/8", "10.0.0/8/8"])
    func whatIsNoPrefixIsNil(text: String) {
        #expect(ScriptedPrefix(text) == nil)
        #expect(
            ScriptedPrefix(stringLiteral: text) == "255.255.255.255/32", "a literal gives one that nobody asks about")
    }

    @Test func changesToWhatIsNotThereChangeNothing() async {
        let scene = Scene { $0.connect("wlan0", .wifi) }
        await scene.start()
        scene.network.disconnect("nowhere0")
        scene.network.setCarrier("nowhere0", false)
        scene.network.removeRoutes("10.0.0.0/8")
        scene.network.addRoute("10.0.0.0/8", .leaving(by: "nowhere0"))
        await scene.quiet()
        #expect(scene.changes.elements.count == 1)
    }
}

/// The scripted network under the process's own engine.
@Suite(.serialized) struct InstalledNetworkTests {
    /// Installs a network for as long as `body` runs.
    private func withInstalled(_ network: ScriptedNetwork, _ body: () async throws -> Void) async rethrows {
        Hints.route()
        network.install()
        defer { network.uninstall() }
        try await body()
    }

    @Test func itIsUnderManagersThatWereMadeBefore() async throws {
        let manager = ReachabilityManager(queue: DispatchQueue(label: "before"))
        let network = ScriptedNetwork()
        network.connect("wwan0", .cellular)
        try await withInstalled(network) {
            let flags = try manager.currentFlags()
            #expect(flags?.contains(.isWWAN) == true)
            let status = try await manager.waitUntilReachable(timeout: Patience.duration)
            #expect(status == .viaWWAN)
        }
    }

    @Test func itIsUnderTheSharedManager() async {
        let network = ScriptedNetwork()
        let shared = ReachabilityManager.shared
        #expect(shared === ReachabilityManager.sharedManager())
        network.connect("wwan0", .cellular)
        await withInstalled(network) {
            var iterator = shared.statuses.makeAsyncIterator()
            #expect(await iterator.next() == .viaWWAN)
            network.disconnect("wwan0")
            #expect(await iterator.next() == .notReachable)
            network.connect("wlan0", .wifi)
            #expect(await iterator.next() == .viaWiFi)
        }
        #expect(!shared.isMonitoring)
    }

    @Test func aRunningManagerMovesFromOneNetworkToAnotherAndFollowsItsClock() async throws {
        let first = ScriptedNetwork()
        first.connect("wwan0", .cellular)
        let clock = ManualClock()
        let second = ScriptedNetwork(clock: clock)
        second.connect("wlan0", .wifi)
        let told = Recorder<ReachabilityStatus>()
        let manager = ReachabilityManager(queue: DispatchQueue(label: "moving"), settleInterval: .seconds(10))
        manager.setReachabilityStatusChangeBlock { told.record($0) }
        await withInstalled(first) {
            manager.startMonitoring()
            await told.first(1)
            await withInstalled(second) {
                await manager.quiet()
                clock.advance(by: .seconds(10))
                #expect(await told.first(2) == [.viaWWAN, .viaWiFi])
                manager.stopMonitoring()
                await manager.quiet()
            }
        }
    }

    @Test func whatWasInstalledWhileNobodyWatchedIsWatchedNext() async throws {
        // Only a reminder keeps the thread: what it had open is not what comes next.
        let first = ScriptedNetwork()
        first.connect("wwan0", .cellular)
        let manager = ReachabilityManager(queue: DispatchQueue(label: "next"))
        try await withInstalled(first) {
            let reminder = Engine.shared.remind(after: .seconds(3600)) {}
            try await manager.waitUntilReachable(timeout: Patience.duration)
            let second = ScriptedNetwork()
            second.connect("wlan0", .wifi)
            try await withInstalled(second) {
                let status = try await manager.waitUntilReachable(timeout: Patience.duration)
                #expect(status == .viaWiFi)
            }
            withExtendedLifetime(reminder) {}
        }
    }

    @Test func aUninstalledNetworkIsLetGoOf() async throws {
        let network = ScriptedNetwork()
        let manager = ReachabilityManager(queue: DispatchQueue(label: "gone"))
        try await withInstalled(network) {
            _ = try manager.currentFlags()
            await manager.startAndWait()
            manager.stopMonitoring()
        }
        await Engine.shared.quiet()
        #expect(await comesTrue { network.openings == 0 })
    }
}
