import Dispatch
import Foundation
import Observation
import ReachabilityTesting
import Synchronization
import Testing

@testable import Reachability

/// How a manager ends, and what does not come after that.
@Suite struct LifetimeTests {
    private func network() -> ScriptedNetwork {
        Hints.route()
        let network = ScriptedNetwork()
        network.connect("wlan0", .wifi)
        return network
    }

    @Test func r62_aManagerMayGoWhileChangesComeIn() async {
        let network = network()
        let queue = DispatchQueue(label: "going")
        let told = Recorder<Bool>()
        let engine = network.makeEngine()
        let changing = Task.detached {
            var isOn = false
            while !Task.isCancelled {
                network.setCarrier("wlan0", isOn)
                isOn.toggle()
                await Task.yield()
            }
        }
        for _ in 0..<300 {
            let manager = ReachabilityManager(target: .default, queue: queue, engine: engine)
            manager.setReachabilityStatusChangeBlock { [weak manager] _ in told.record(manager != nil) }
            manager.startMonitoring()
            if Bool.random() { await engine.quiet() }
        }
        changing.cancel()
        await changing.value
        await queue.drained()
        #expect(told.elements.allSatisfy { $0 }, "a block only runs while its manager is there")
        #expect(await engine.isIdle())
    }

    @Test func r63_aStopMayComeAtAnyTimeAnyNumberOfTimes() async {
        let network = network()
        let manager = network.manager(queue: DispatchQueue(label: "stops"))
        for _ in 0..<3 { manager.stopMonitoring() }
        #expect(!manager.isMonitoring)
        manager.startMonitoring()
        await withTaskGroup { group in
            for _ in 0..<8 { group.addTask { manager.stopMonitoring() } }
        }
        #expect(!manager.isMonitoring)
        #expect(await manager.engine.isIdle())
    }

    @Test func r67_nothingKeepsAStartedManagerAlive() async throws {
        let network = network()
        var manager: ReachabilityManager? = network.manager(queue: DispatchQueue(label: "weak"))
        weak let gone = manager
        let token = manager?.observe { _ in }
        await manager?.startAndWait()
        let engine = try #require(manager?.engine)
        #expect(engine.isRunning)
        manager = nil
        // The engine holds it while it hands an update over.
        await engine.quiet()
        #expect(gone == nil)
        #expect(await engine.isIdle(), "the thread ends, and with it the network is closed")
        #expect(await comesTrue { network.openings == 0 })
        withExtendedLifetime(token) {}
    }

    @Test func r77_aNotificationAlwaysHasItsManager() async {
        let network = network()
        let center = NotificationCenter()
        let objects = Recorder<Bool>()
        let token = center.addObserver(forName: .reachabilityDidChange, object: nil, queue: nil) { note in
            objects.record(note.object is ReachabilityManager)
        }
        let queue = DispatchQueue(label: "ghost")
        let engine = network.makeEngine()
        for round in 0..<200 {
            let gate = Gate()
            if round % 2 == 0 { await gate.block(queue) }
            var manager: ReachabilityManager? = ReachabilityManager(
                target: .default, queue: queue, notificationCenter: center, engine: engine)
            manager?.startMonitoring()
            if round % 4 == 0 { await engine.quiet() }
            manager = nil
            let before = objects.elements.count
            gate.open()
            if round % 4 == 0 {
                await queue.drained()
                #expect(objects.elements.count == before, "gone while its delivery waited: nobody is told")
            }
        }
        await engine.quiet()
        await queue.drained()
        #expect(objects.elements.allSatisfy { $0 })
        center.removeObserver(token)
    }

    @Test(arguments: Thrower.allCases)
    func aCallbackMayThrowItsManagerAway(by thrower: Thrower) async {
        let network = network()
        let engine = network.makeEngine()
        let queue = DispatchQueue(label: "thrown")
        let told = Recorder<Void>()
        let only = OnlyReference()
        only.make {
            ReachabilityManager(target: .default, queue: queue, engine: engine)
        } andSetUp: { manager in
            let throwAway: @Sendable () -> Void = {
                only.letGo()
                told.record(())
            }
            switch thrower {
            case .block: manager.setReachabilityStatusChangeBlock { _ in throwAway() }
            case .observer: only.keep(manager.observe { _ in throwAway() })
            case .observation:
                withObservationTracking {
                    _ = manager.status
                } onChange: {
                    throwAway()
                }
            }
            manager.startMonitoring()
        }
        await told.first(1)
        network.disconnect("wlan0")
        await queue.drained()
        #expect(await engine.isIdle())
        await queue.drained()
        #expect(told.elements.count == 1)
        #expect(only.isGone)
    }

    enum Thrower: CaseIterable { case block, observer, observation }

    /// The engine may be left with the last reference. Its thread must not come to what a block captured.
    @Test func whatABlockCapturedDoesNotEndOnTheEnginesThread() async {
        let network = network()
        let ends = Recorder<Bool>()
        let engine = network.makeEngine()
        let queue = DispatchQueue(label: "captured")
        let rounds = 300
        for round in 0..<rounds {
            let captured = AtEnd { ends.record(engine.isOnItsThread) }
            let manager = ReachabilityManager(target: .default, queue: queue, engine: engine)
            manager.setReachabilityStatusChangeBlock { _ in withExtendedLifetime(captured) {} }
            manager.startMonitoring()
            network.setCarrier("wlan0", round % 2 == 1)
        }
        #expect(await ends.first(rounds) == Array(repeating: false, count: rounds))
    }
}

/// The only reference to a manager.
final class OnlyReference: Sendable {
    private let state = Mutex(State())

    private struct State {
        var manager: ReachabilityManager?
        weak var seen: ReachabilityManager?
        var observation: ReachabilityObservation?
    }

    func make(_ make: () -> ReachabilityManager, andSetUp setUp: (ReachabilityManager) -> Void) {
        let manager = make()
        state.withLock { ($0.manager, $0.seen) = (manager, manager) }
        setUp(manager)
    }

    func keep(_ observation: ReachabilityObservation) { state.withLock { $0.observation = observation } }

    func letGo() {
        let old = state.withLock { state in
            defer { state.manager = nil }
            return state.manager
        }
        withExtendedLifetime(old) {}
    }

    var isGone: Bool { state.withLock { $0.seen == nil } }
}

/// Calls a function when it goes.
final class AtEnd: Sendable {
    private let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }

    deinit { body() }
}
