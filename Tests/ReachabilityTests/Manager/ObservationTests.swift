import Dispatch
import Foundation
import Observation
import ReachabilityTesting
import Synchronization
import Testing
import Timing

@testable import Reachability

/// `withObservationTracking` on a manager.
@Suite struct ObservationTests {
    /// Tracks the status once; records the status that was known when its change was announced.
    private func track(_ manager: ReachabilityManager, _ recorder: Recorder<ReachabilityStatus>) {
        withObservationTracking {
            _ = manager.status
        } onChange: { [weak manager] in
            recorder.record(manager?.status ?? .unknown)
        }
    }

    @Test func theStatusIsObservable() async {
        let scene = Scene { $0.connect("wlan0", .wifi) }
        let before = Recorder<ReachabilityStatus>()
        track(scene.manager, before)
        scene.manager.startMonitoring()
        #expect(await before.first(1) == [.unknown], "announced before it is set")
        await scene.quiet()
        #expect(scene.manager.status == .viaWiFi)
        track(scene.manager, before)
        scene.network.disconnect("wlan0")
        #expect(await before.first(2) == [.unknown, .viaWiFi])
    }

    /// The first reader of all comes between the look for readers and the new status.
    @Test func whoFirstReadsTheStatusWhileItIsToldHearsOfIt() async {
        let network = ScriptedNetwork()
        network.connect("wlan0", .wifi)
        let clock = LookedAtClock()
        let manager = ReachabilityManager(
            target: .default, queue: DispatchQueue(label: "observed"),
            engine: Engine(network: network.makeEngine().makeNetwork, clock: clock, bringsItself: false))
        let before = Recorder<ReachabilityStatus>()
        let told = Recorder<ReachabilityStatus>()
        manager.setReachabilityStatusChangeBlock { told.record($0) }
        clock.onLook { [weak manager] in
            // On the delivery queue, which looks at the clock between the two.
            guard let manager, DispatchQueue.getSpecific(key: Self.key) == true else { return }
            clock.onLook(nil)
            self.track(manager, before)
        }
        manager.queue.setSpecific(key: Self.key, value: true)
        manager.startMonitoring()
        #expect(await told.first(1) == [.viaWiFi])
        #expect(await before.first(1).count == 1)
    }

    private static let key = DispatchSpecificKey<Bool>()

    @Test func whatIsMadeOfTheStatusIsObservable() async {
        let scene = Scene { $0.connect("wwan0", .cellular) }
        let manager = scene.manager
        let fired = Recorder<String>()
        withObservationTracking {
            _ = manager.isReachable
        } onChange: {
            fired.record("isReachable")
        }
        withObservationTracking {
            _ = manager.isReachableViaWWAN
        } onChange: {
            fired.record("isReachableViaWWAN")
        }
        withObservationTracking {
            _ = manager.isReachableViaWiFi
        } onChange: {
            fired.record("isReachableViaWiFi")
        }
        withObservationTracking {
            _ = manager.localizedStatusString
        } onChange: {
            fired.record("text")
        }
        await scene.start()
        #expect(Set(await fired.first(4)) == ["isReachable", "isReachableViaWWAN", "isReachableViaWiFi", "text"])
    }

    @Test func aChangeOfPathOrARestartIsNoChangeOfTheStatus() async {
        let scene = Scene { network in
            network.connect("eth0", .wiredEthernet, metric: 100)
            network.connect("wlan0", .wifi, metric: 600)
        }
        await scene.start()
        let fired = Recorder<ReachabilityStatus>()
        track(scene.manager, fired)
        scene.network.disconnect("eth0")
        await scene.changes.first(2)
        await scene.start()
        scene.manager.stopMonitoring()
        await scene.quiet()
        #expect(fired.elements.isEmpty)
    }

    @Test func theStatusThatASequenceSetsIsObservable() async throws {
        let scene = Scene { $0.connect("wlan0", .wifi) }
        let fired = Recorder<ReachabilityStatus>()
        track(scene.manager, fired)
        try await scene.manager.waitUntilReachable(timeout: Patience.duration)
        #expect(await fired.first(1).count == 1)
        #expect(scene.manager.status == .viaWiFi)
    }

    @Test func itMayBeStoppedFromTheAnnouncement() async {
        let scene = Scene { $0.connect("wlan0", .wifi) }
        let manager = scene.manager
        let fired = Recorder<Void>()
        withObservationTracking {
            _ = manager.status
        } onChange: { [weak manager] in
            manager?.stopMonitoring()
            fired.record(())
        }
        manager.startMonitoring()
        await fired.first(1)
        await scene.quiet()
        #expect(manager.status == .unknown, "stopped before it was set")
        #expect(scene.statuses.elements.isEmpty && scene.notes.elements.isEmpty)
    }
}

/// The system's time, with something to be done whenever it is looked at.
private final class LookedAtClock: EngineClock {
    private struct Look { var body: (@Sendable () -> Void)? }
    private let look = Mutex(Look())

    func onLook(_ body: (@Sendable () -> Void)?) { look.withLock { $0 = Look(body: body) } }

    var now: Instant {
        look.withLock { $0 }.body?()
        return .now
    }

    func milliseconds(until deadline: Instant?) -> Int32 { SystemClock().milliseconds(until: deadline) }
    func attach(to waker: any Wakeable) {}
}
