import Foundation
import Glibc
import Reachability
import ReachabilityTesting
import Testing

/// `statuses`, `changes`, and the waits that are made of them.
@Suite struct SequenceTests {
    @Test func r03_theFirstKnownStatusIsNeverUnknown() async throws {
        let scene = Scene()
        scene.network.refuse(EMFILE)
        let manager = scene.manager
        let waiting = Task { try await manager.firstKnownStatus(timeout: Patience.duration) }
        let seen = Recorder<ReachabilityStatus>()
        let reader = Task { for await status in manager.statuses { seen.record(status) } }
        #expect(await seen.first(1) == [.unknown], "the fault is announced")
        scene.network.batch { $0.connect("wlan0", .wifi) }
        scene.network.refuse(nil)
        scene.clock.advance(by: .seconds(1))
        #expect(try await waiting.value == .viaWiFi)
        #expect(await seen.first(2) == [.unknown, .viaWiFi])
        reader.cancel()
    }

    @Test func r03_theWaitForAKnownStatusEndsWhenItsTimeIsOver() async throws {
        let scene = Scene(target: try .domain("silent.example.com")) { $0.setName("silent.example.com", .silent) }
        let error = await #expect(throws: ReachabilityTimeout.self) {
            try await scene.manager.firstKnownStatus(timeout: .milliseconds(20))
        }
        #expect(error?.timeout == .milliseconds(20))
        #expect(!scene.manager.isMonitoring, "the wait monitors only while it lasts")
    }

    @Test func aWaitUntilReachableWorksWithoutAStart() async throws {
        let scene = Scene()
        let manager = scene.manager
        let waiting = Task { try await manager.waitUntilReachable(timeout: Patience.duration) }
        await scene.isIterated()
        scene.network.connect("wwan0", .cellular)
        #expect(try await waiting.value == .viaWWAN)
        #expect(!manager.isMonitoring)
        #expect(scene.statuses.elements.isEmpty, "block and observers belong to a start")
    }

    @Test(arguments: [Duration.zero, .seconds(-1), .milliseconds(10)])
    func aWaitUntilReachableEndsWhenItsTimeIsOver(timeout: Duration) async {
        let scene = Scene()
        let error = await #expect(throws: ReachabilityTimeout.self) {
            try await scene.manager.waitUntilReachable(timeout: timeout)
        }
        #expect(error?.timeout == timeout)
    }

    @Test(arguments: [Duration.seconds(Int64.max), .seconds(Int64.max / 2), .nanoseconds(Int64.max)])
    func aWaitMayBeGivenAnyTime(timeout: Duration) async throws {
        let scene = Scene { $0.connect("wlan0", .wifi) }
        #expect(try await scene.manager.waitUntilReachable(timeout: timeout) == .viaWiFi)
    }

    @Test func aWaitEndsWithItsTask() async {
        let scene = Scene()
        let manager = scene.manager
        let waiting = Task { try await manager.waitUntilReachable(timeout: .seconds(3600)) }
        await scene.isIterated()
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
    }

    @Test func r86_aSequenceBeginsWithTheCurrentStatusAndIsNewestWins() async {
        let scene = Scene { $0.connect("wlan0", .wifi) }
        await scene.start()
        var iterator = scene.manager.statuses.makeAsyncIterator()
        #expect(await iterator.next() == .viaWiFi)
        // The reader is slow: what it missed is not made up for, and never comes after something newer.
        scene.network.disconnect("wlan0")
        await scene.quiet()
        scene.network.connect("wwan0", .cellular)
        await scene.quiet()
        #expect(await iterator.next() == .viaWWAN)
        scene.network.disconnect("wwan0")
        #expect(await iterator.next() == .notReachable)
    }

    @Test func changesBeginWithTheCurrentStateAndFollowOnEachOther() async {
        let scene = Scene { $0.connect("wlan0", .wifi) }
        await scene.start()
        var iterator = scene.manager.changes.makeAsyncIterator()
        let first = await iterator.next()
        #expect(first?.old == .unknown && first?.new == .viaWiFi)
        scene.network.disconnect("wlan0")
        let second = await iterator.next()
        #expect(second?.old == .viaWiFi && second?.new == .notReachable && second?.reason == .noRoute)
    }

    @Test func everyReaderHasASequenceOfItsOwn() async {
        let scene = Scene { $0.connect("wlan0", .wifi) }
        let manager = scene.manager
        let readers = (0..<5).map { _ in Recorder<ReachabilityStatus>() }
        let tasks = readers.map { reader in Task { for await status in manager.statuses { reader.record(status) } } }
        for reader in readers { #expect(await reader.first(1) == [.viaWiFi]) }
        tasks[2].cancel()
        await tasks[2].value
        scene.network.disconnect("wlan0")
        for (index, reader) in readers.enumerated() where index != 2 {
            #expect(await reader.first(2) == [.viaWiFi, .notReachable])
        }
        #expect(readers[2].elements == [.viaWiFi])
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
        #expect(!manager.isMonitoring, "nobody reads any more")
    }

    @Test func aSequenceOutlivesAStopAndAStartButNotItsManager() async {
        let network = ScriptedNetwork()
        network.connect("wlan0", .wifi)
        var manager: ReachabilityManager? = network.manager(queue: DispatchQueue(label: "sequence"))
        let seen = Recorder<ReachabilityStatus?>()
        let statuses = manager?.statuses
        let reader = Task {
            if let statuses { for await status in statuses { seen.record(status) } }
            seen.record(nil)
        }
        await seen.first(1)
        manager?.startMonitoring()
        manager?.stopMonitoring()
        network.disconnect("wlan0")
        #expect(await seen.first(2) == [.viaWiFi, .notReachable])
        #expect(manager?.isMonitoring == true)
        manager = nil
        #expect(await seen.first(3) == [.viaWiFi, .notReachable, nil])
        await reader.value
        // One that begins after the end is over at once.
        var late = statuses?.makeAsyncIterator()
        #expect(await late?.next() == nil)
    }

    @Test func iteratingAloneSetsTheStatus() async {
        let scene = Scene { $0.connect("wlan0", .wifi) }
        var iterator = scene.manager.statuses.makeAsyncIterator()
        #expect(await iterator.next() == .viaWiFi)
        #expect(scene.manager.status == .viaWiFi)
        #expect(scene.statuses.elements.isEmpty)
    }
}

extension Scene {
    /// Returns when a sequence of the manager is iterated and has its first element.
    func isIterated() async {
        let manager = manager
        let seen = Recorder<ReachabilityStatus>()
        let reader = Task { for await status in manager.statuses { seen.record(status) } }
        await seen.first(1)
        // The engine serves whoever came before as well.
        await engineIsQuiet()
        reader.cancel()
        await reader.value
    }
}
