import Foundation
import Glibc
import ReachabilityTesting
import Testing

@testable import Reachability

/// `ReachabilityDiagnostics`: each mistake is told once, and nothing else is.
@Suite struct HintTests {
    private func target(_ number: Int) throws -> ReachabilityTarget {
        .address(try SocketAddress("203.0.113.\(number)"))
    }

    private func network() -> (ScriptedNetwork, ManualClock) {
        Hints.route()
        let clock = ManualClock()
        let network = ScriptedNetwork(clock: clock)
        network.connect("wlan0", .wifi)
        return (network, clock)
    }

    @Test func r25_aManagerThatIsReleasedWhileMonitoringIsNamed() async throws {
        let target = try target(1)
        let hints = Hints.recorder(of: target)
        let (network, _) = network()
        let told = Recorder<ReachabilityStatus>()
        var manager: ReachabilityManager? = network.manager(target: target, queue: DispatchQueue(label: "released"))
        manager?.setReachabilityStatusChangeBlock { told.record($0) }
        await manager?.startAndWait()
        let engine = manager?.engine
        manager = nil
        network.disconnect("wlan0")
        await engine?.quiet()
        #expect(await hints.first(1) == [.releasedWhileMonitoring(target: target)])
        #expect(told.elements == [.viaWiFi], "nothing is told any more")
    }

    @Test func aManagerThatIsReleasedAfterAStopIsNotNamed() async throws {
        let target = try target(2)
        let hints = Hints.recorder(of: target)
        let (network, _) = network()
        var manager: ReachabilityManager? = network.manager(target: target, queue: DispatchQueue(label: "stopped"))
        manager?.setReachabilityStatusChangeBlock { _ in }
        await manager?.startAndWait()
        manager?.stopMonitoring()
        let engine = manager?.engine
        manager = nil
        await engine?.quiet()
        #expect(hints.elements.isEmpty)
    }

    @Test func r26_aBlockWithoutAStartIsNamedAfterFiveSeconds() async throws {
        let target = try target(3)
        let hints = Hints.recorder(of: target)
        let (network, clock) = network()
        let manager = network.manager(target: target, queue: DispatchQueue(label: "forgotten"))
        manager.setReachabilityStatusChangeBlock { _ in }
        await manager.engine.quiet()
        clock.advance(by: .milliseconds(4999))
        await manager.engine.quiet()
        #expect(hints.elements.isEmpty)
        clock.advance(by: .milliseconds(1))
        #expect(await hints.first(1) == [.neverStarted(target: target)])
    }

    @Test func r26_theStartMayComeFirstOrLast() async throws {
        for startsFirst in [true, false] {
            let target = try target(startsFirst ? 4 : 5)
            let hints = Hints.recorder(of: target)
            let (network, clock) = network()
            let manager = network.manager(target: target, queue: DispatchQueue(label: "order"))
            let told = Recorder<ReachabilityStatus>()
            // On the delivery queue, as an application does on its main thread: the first event comes after both.
            manager.queue.sync {
                if startsFirst { manager.startMonitoring() }
                manager.setReachabilityStatusChangeBlock { told.record($0) }
                if !startsFirst { manager.startMonitoring() }
            }
            #expect(await told.first(1) == [.viaWiFi])
            clock.advance(by: .seconds(10))
            await manager.quiet()
            #expect(hints.elements.isEmpty)
        }
    }

    @Test func aBlockOfAManagerThatWasNeverStartedIsNamedAtItsEnd() async throws {
        let target = try target(6)
        let hints = Hints.recorder(of: target)
        let (network, _) = network()
        network.manager(target: target, queue: DispatchQueue(label: "end")).setReachabilityStatusChangeBlock { _ in }
        #expect(hints.elements == [.neverStarted(target: target)])
    }

    @Test func hintsKeepNoEngineRunning() async throws {
        let target = try target(7)
        _ = Hints.recorder(of: target)
        let (network, _) = network()
        var manager: ReachabilityManager? = network.manager(target: target, queue: DispatchQueue(label: "idle"))
        manager?.setReachabilityStatusChangeBlock { _ in }
        await manager?.startAndWait()
        let engine = try #require(manager?.engine)
        manager = nil
        #expect(await engine.isIdle(), "the manager's hints went with it")
    }

    @Test func everyHintIsOneSentence() throws {
        let target = try target(8)
        let hints: [ReachabilityDiagnostics.Hint] = [
            .releasedWhileMonitoring(target: target), .neverStarted(target: target),
            .queueNotDrained(target: target, queue: "q"),
            .stoppedWhileObserved(target: target, observers: 2, caller: "A.swift:1"),
        ]
        for hint in hints {
            #expect(hint.description.contains("203.0.113.8"))
            #expect(hint.description.last != "." && !hint.description.contains("\n"))
        }
    }
}

extension Engine {
    /// Waits for the end of the engine's thread; false if it goes on.
    func isIdle() async -> Bool {
        await comesTrue { !isRunning }
    }
}
