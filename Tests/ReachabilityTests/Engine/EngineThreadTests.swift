import Dispatch
import Glibc
import ReachabilityTesting
import Synchronization
import Testing

@testable import Reachability

/// Where the process has no thread to give.
@Suite struct EngineThreadTests {
    /// Starts threads, the first few tries excepted.
    private final class Starter: Sendable {
        let failures: Mutex<Int>

        init(failures: Int) { self.failures = Mutex(failures) }

        func start(_ body: @escaping @Sendable () -> Void) -> Int32 {
            let fails = failures.withLock { failures in
                failures -= 1
                return failures >= 0
            }
            return fails ? EAGAIN : EngineThread.start(body)
        }
    }

    private func manager(_ network: ScriptedNetwork, failures: Int) -> ReachabilityManager {
        let starter = Starter(failures: failures)
        network.connect("wlan0", .wifi)
        return ReachabilityManager(
            target: .default, queue: .init(label: "EngineThreadTests"),
            engine: network.makeEngine(thread: { starter.start($0) }))
    }

    @Test func whoWaitsIsToldUnknownAndTheTruthOnceThereIsOne() async {
        let manager = manager(ScriptedNetwork(), failures: 2)
        let told = Recorder<ReachabilityChange>()
        let observation = manager.observe { told.record($0) }
        manager.startMonitoring()
        let changes = await told.first(2)
        #expect(changes.map(\.new) == [.unknown, .viaWiFi])
        #expect(changes.first?.reason == .kernelUnavailable)
        withExtendedLifetime(observation) {}
    }

    @Test func whoStopsMeanwhileIsForgotten() async {
        let network = ScriptedNetwork()
        let first = manager(network, failures: 1)
        first.startMonitoring()
        first.stopMonitoring()
        weak var gone: ReachabilityManager?
        do {
            let second = ReachabilityManager(
                target: .default, queue: .init(label: "EngineThreadTests"), engine: first.engine)
            gone = second
            second.startMonitoring()
        }
        #expect(await comesTrue { gone == nil })
        #expect(await first.engine.isIdle())
        await first.startAndWait()
        #expect(first.status == .viaWiFi)
    }
}
