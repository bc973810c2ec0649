import Foundation
import Reachability
import ReachabilityTesting
import Testing

/// The settle interval: a state is told when it has held still that long.
@Suite struct SettledDeliveryTests {
    private func scene(_ settleInterval: Duration = .milliseconds(100)) async -> Scene {
        let scene = Scene(settleInterval: settleInterval) { $0.connect("wlan0", .wifi) }
        await scene.start()
        return scene
    }

    /// What the kernel goes through when a radio is turned off.
    private func turnOff(_ network: ScriptedNetwork) async {
        network.setCarrier("wlan0", false)
        network.connect("wwan0", .cellular)
        network.removeRoutes(.defaultIPv4)
        network.disconnect("wwan0")
        network.disconnect("wlan0")
    }

    @Test func r14_aBurstThatEndsOfflineIsOneEvent() async {
        let scene = await scene()
        await turnOff(scene.network)
        await scene.quiet()
        #expect(scene.statuses.elements == [.viaWiFi], "nothing has held still yet")
        scene.clock.advance(by: .milliseconds(100))
        #expect(await scene.statuses.first(2) == [.viaWiFi, .notReachable])
        await scene.quiet()
        #expect(scene.statuses.elements.count == 2)
        #expect(scene.notes.elements.count == 2)
        #expect(scene.changes.elements.count == 2)
    }

    @Test func r19_withoutASettleIntervalEveryStateThatIsSeenIsTold() async {
        let scene = await scene(.zero)
        scene.network.connect("wwan0", .cellular)
        scene.network.disconnect("wlan0")
        await scene.statuses.last(is: .viaWWAN)
        scene.network.disconnect("wwan0")
        #expect(await scene.statuses.last(is: .notReachable) == [.viaWiFi, .viaWWAN, .notReachable])
    }

    @Test func r19_aStateThatIsShorterThanTheIntervalIsNotTold() async {
        let scene = await scene()
        scene.network.setCarrier("wlan0", false)
        await scene.quiet()
        scene.clock.advance(by: .milliseconds(99))
        await scene.quiet()
        scene.network.setCarrier("wlan0", true)
        await scene.quiet()
        scene.clock.advance(by: .seconds(10))
        await scene.quiet()
        #expect(scene.statuses.elements == [.viaWiFi])
        #expect(scene.changes.elements.count == 1)
    }

    @Test func theIntervalBeginsAnewWithEachChange() async {
        let scene = await scene()
        scene.network.setCarrier("wlan0", false)
        await scene.quiet()
        scene.clock.advance(by: .milliseconds(60))
        scene.network.disconnect("wlan0")
        await scene.quiet()
        scene.clock.advance(by: .milliseconds(60))
        await scene.quiet()
        #expect(scene.changes.elements.count == 1, "60 ms since the last change")
        scene.clock.advance(by: .milliseconds(40))
        #expect(await scene.changes.first(2).last?.reason == .noRoute)
    }

    @Test func theFirstStatusIsNotDelayed() async {
        let scene = await scene(.seconds(3600))
        #expect(scene.statuses.elements == [.viaWiFi])
    }

    @Test(arguments: [Duration.seconds(Int64.max), .seconds(-1)])
    func anyIntervalWillDoOnTheHostsClockToo(interval: Duration) async {
        let network = ScriptedNetwork()
        network.connect("wlan0", .wifi)
        let manager = network.manager(queue: DispatchQueue(label: "interval"), settleInterval: interval)
        let told = Recorder<ReachabilityStatus>()
        manager.setReachabilityStatusChangeBlock { told.record($0) }
        manager.startMonitoring()
        await told.first(1)
        network.disconnect("wlan0")
        await manager.quiet()
        #expect(told.elements == (interval > .zero ? [.viaWiFi] : [.viaWiFi, .notReachable]))
    }

    @Test func aStopForgetsWhatHasNotSettled() async {
        let scene = await scene()
        scene.network.disconnect("wlan0")
        await scene.quiet()
        scene.manager.stopMonitoring()
        scene.clock.advance(by: .seconds(1))
        await scene.quiet()
        #expect(scene.statuses.elements == [.viaWiFi])
    }

    @Test func sequencesSettleToo() async throws {
        let scene = await scene()
        let seen = Recorder<ReachabilityStatus>()
        let manager = scene.manager
        let reader = Task { for await status in manager.statuses { seen.record(status) } }
        await seen.first(1)
        await turnOff(scene.network)
        await scene.quiet()
        scene.clock.advance(by: .milliseconds(100))
        #expect(await seen.first(2) == [.viaWiFi, .notReachable])
        reader.cancel()
    }

    /// The queue is blocked when a state settles, and comes to it while the next one tries to hold still; when that one
    /// goes back, the first must not be lost.
    @Test func whatSettledIsToldAlthoughTheQueueMetItWhileAnotherStateHeldStill() async {
        let scene = await scene()
        let gate = Gate()
        await gate.block(scene.queue)
        scene.network.disconnect("wlan0")
        await scene.engineIsQuiet()
        scene.clock.advance(by: .milliseconds(100))
        await scene.engineIsQuiet()
        scene.network.connect("wwan0", .cellular)
        await scene.engineIsQuiet()
        gate.open()
        await scene.queue.drained()
        scene.network.disconnect("wwan0")
        await scene.quiet()
        scene.clock.advance(by: .seconds(1))
        #expect(await scene.statuses.first(2) == [.viaWiFi, .notReachable])
    }
}
