import Dispatch
import Foundation
import Glibc
import Observation
import ReachabilityTesting
import Synchronization
import TestSupport
import Testing

@testable import Reachability

/// Many managers on several threads, while the network changes on others. In a process of its own, so that what it
/// holds can be counted. Meant for the sanitizers above all.
@Suite(.serialized) struct StressTests {
    @Test func r62_r66_r74_createStartReadStopDropLeavesNothingBehind() async {
        await #expect(processExitsWith: .success) {
            Footprint.watchWholeHeap()
            await Stress(isEngineKept: true).leavesNothingBehind()
        }
    }

    @Test func r31_r66_theEnginesBeginningAndEndLeavesNothingBehind() async {
        await #expect(processExitsWith: .success) {
            Footprint.watchWholeHeap()
            await Stress(isEngineKept: false).leavesNothingBehind()
        }
    }
}

/// The load of the stress tests.
private final class Stress: Sendable {
    private let network = ScriptedNetwork()
    private let engine: Engine
    private let queues = [
        DispatchQueue(label: "serial"), DispatchQueue(label: "concurrent", attributes: .concurrent),
    ]
    /// Keeps the engine's thread; without it, that ends and begins all the time.
    private let anchor: ReachabilityManager?
    private let isOver = Atomic(false)

    private static let workers = 4
    /// Rounds in all, unless the environment says another number.
    private static let rounds =
        ProcessInfo.processInfo.environment["STRESS_ROUNDS"].flatMap { Int($0) }
        ?? (Footprint.isSanitized ? 10_000 : 20_000)

    init(isEngineKept: Bool) {
        ReachabilityDiagnostics.handler = { _ in }
        network.connect("wlan0", .wifi)
        engine = network.makeEngine(bringsItself: true)
        anchor = isEngineKept ? ReachabilityManager(target: .default, queue: queues[0], engine: engine) : nil
        anchor?.startMonitoring()
    }

    /// Warms up, counts, works, and counts again.
    func leavesNothingBehind() async {
        await work(rounds: Self.rounds / 2)
        let before = Footprint()
        await work(rounds: Self.rounds)
        let after = Footprint()
        let comparison: Comment = "after \(Self.rounds) rounds: \(before) became \(after)"
        // A thread that has ended closes what it slept on a moment later.
        #expect(await comesTrue { Footprint().descriptors <= before.descriptors }, comparison)
        // Dispatch keeps as many threads as it thinks good; what is left behind would be thousands.
        #expect(after.threads <= before.threads + 16, comparison)
        if let before = before.heap, let after = after.heap {
            // A round that loses one object loses 32 bytes, the least that malloc gives.
            #expect(after - before < 16 * Self.rounds, comparison)
        }
    }

    /// So many rounds on several threads, with changes on two more; returns when all is quiet again.
    private func work(rounds: Int) async {
        isOver.store(false, ordering: .relaxed)
        let changing = (0..<2).map { seed in spawn { self.change(seed: UInt64(seed)) } }
        let working = (0..<Self.workers).map { seed in
            spawn {
                var generator = SeededGenerator(seed: UInt64(100 + seed))
                for _ in 0..<rounds / Self.workers { self.round(&generator) }
            }
        }
        for worker in working { await worker.value }
        isOver.store(true, ordering: .relaxed)
        for changer in changing { await changer.value }
        await engine.quiet()
        for queue in queues { await queue.drained() }
        if let anchor { await anchor.quiet() } else { #expect(await engine.isIdle()) }
    }

    /// A thread of its own, to be awaited.
    private func spawn(_ body: @escaping @Sendable () -> Void) -> Task<Void, Never> {
        Task {
            await withCheckedContinuation { continuation in
                Thread.detachNewThread {
                    body()
                    continuation.resume()
                }
            }
        }
    }

    private func change(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        while !isOver.load(ordering: .relaxed) {
            switch Int.random(in: 0..<8, using: &generator) {
            case 0: network.connect("wlan0", .wifi)
            case 1: network.disconnect("wlan0")
            case 2: network.connect("tun0", .other, metric: 10)
            case 3: network.disconnect("tun0")
            case 4: network.overrun()
            case 5: network.setName("api.example.com", Bool.random(using: &generator) ? .notFound : .addresses(["::1"]))
            default: network.setCarrier("wlan0", Bool.random(using: &generator))
            }
            letOthersRun(for: 20)
        }
    }

    private func round(_ generator: inout SeededGenerator) {
        let manager = ReachabilityManager(
            target: Self.targets.randomElement(using: &generator) ?? .default,
            queue: queues[Int.random(in: 0...1, using: &generator)],
            settleInterval: Bool.random(using: &generator) ? .zero : .microseconds(200),
            requiresUnderlyingPath: Bool.random(using: &generator), engine: engine)
        manager.setReachabilityStatusChangeBlock { [weak manager] _ in _ = manager?.status }
        let observation = manager.observe { change in _ = change.path.availableInterfaces }
        manager.startMonitoring()
        _ = (manager.status, manager.isMonitoring)
        switch Int.random(in: 0..<8, using: &generator) {
        case 0: _ = try? manager.currentFlags()
        case 1: _ = manager.debugDescription
        case 2: manager.startMonitoring()
        case 3: Task { for await status in manager.statuses where status != .unknown { break } }
        case 4:
            withObservationTracking {
                _ = manager.status
            } onChange: { [weak manager] in
                manager?.stopMonitoring()
            }
        case 5: observation.cancel()
        default: break
        }
        if Bool.random(using: &generator) { manager.stopMonitoring() }
        withExtendedLifetime(observation) {}
    }

    private static let targets: [ReachabilityTarget] = {
        let texts = ["default", "198.51.100.7", "2001:db8:1::7", "127.0.0.1", "api.example.com", "default%tun0"]
        return texts.compactMap { text in
            // A required interface that may not exist on this host has no text form.
            text == "default%tun0"
                ? ReachabilityTarget.default.requiring(interface: "tun0") : try? ReachabilityTarget(parsing: text)
        }
    }()
}
