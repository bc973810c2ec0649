import Dispatch
import Foundation
import ReachabilityTesting
import Testing

@testable import Reachability

/// A main queue that nobody serves, and other queues that never come to their deliveries.
@Suite(.serialized) struct MainQueueTests {
    /// Blocks the main queue while `body` runs. Where nothing serves it, it is as good as blocked.
    private func withBlockedMainQueue(_ body: () async throws -> Void) async rethrows {
        let gate = Gate()
        DispatchQueue.main.async { gate.wait() }
        defer { gate.open() }
        try await body()
    }

    @Test func r75_aBlockedMainQueueHoldsUpNothingButItsOwnDeliveries() async throws {
        let network = ScriptedNetwork()
        network.connect("wlan0", .wifi)
        let onMain = network.manager(queue: .main)
        let onQueue = network.manager(queue: DispatchQueue(label: "own"))
        let told = Recorder<ReachabilityStatus>()
        let seen = Recorder<ReachabilityStatus>()
        let token = onQueue.observe { told.record($0.new) }
        try await withBlockedMainQueue {
            onMain.startMonitoring()
            onQueue.startMonitoring()
            let reader = Task { for await status in onMain.statuses { seen.record(status) } }
            #expect(await told.first(1) == [.viaWiFi])
            #expect(await seen.first(1) == [.viaWiFi], "a sequence waits for no queue")
            network.disconnect("wlan0")
            let flags = try onMain.currentFlags()
            #expect(flags == [], "the live read moves on")
            #expect(await told.first(2) == [.viaWiFi, .notReachable])
            #expect(await seen.first(2) == [.viaWiFi, .notReachable])
            #expect(onMain.status == .unknown, "what the main queue has not run is not told")
            reader.cancel()
        }
        onMain.stopMonitoring()
        withExtendedLifetime(token) {}
    }

    @Test func r80_aQueueOfOnesOwnWorksWithAMainQueueThatNobodyServes() async {
        await withBlockedMainQueue {
            let scene = Scene { $0.connect("wlan0", .wifi) }
            await scene.start()
            scene.network.disconnect("wlan0")
            #expect(await scene.statuses.first(2) == [.viaWiFi, .notReachable])
        }
    }

    @Test func r80_aQueueThatDoesNotComeToItsDeliveryIsNamedAfterFiveSeconds() async throws {
        let target = ReachabilityTarget.address(try SocketAddress("198.51.100.80"))
        let hints = Hints.recorder(of: target)
        let scene = Scene(target: target) { $0.connect("wlan0", .wifi) }
        let gate = Gate()
        await gate.block(scene.queue)
        scene.manager.startMonitoring()
        await scene.engineIsQuiet()
        scene.clock.advance(by: .milliseconds(4999))
        await scene.engineIsQuiet()
        #expect(hints.elements.isEmpty)
        scene.clock.advance(by: .milliseconds(1))
        #expect(await hints.first(1) == [.queueNotDrained(target: target, queue: "scene")])
        #expect(hints.elements.first?.description.contains("\"scene\"") == true)
        gate.open()
        #expect(await scene.statuses.first(1) == [.viaWiFi], "late is better than never")
    }

    @Test func aQueueThatComesToItsDeliveriesIsNotNamed() async throws {
        let target = ReachabilityTarget.address(try SocketAddress("198.51.100.180"))
        let hints = Hints.recorder(of: target)
        let scene = Scene(target: target) { $0.connect("wlan0", .wifi) }
        await scene.start()
        for round in 0..<10 {
            scene.clock.advance(by: .seconds(2))
            scene.network.setCarrier("wlan0", round % 2 == 1)
            await scene.quiet()
        }
        scene.clock.advance(by: .seconds(60))
        await scene.quiet()
        #expect(hints.elements.isEmpty)
    }

    @Test func r81_nothingOfThisNeedsARunLoop() async throws {
        try await withBlockedMainQueue {
            let network = ScriptedNetwork()
            let manager = network.manager(queue: DispatchQueue(label: "no run loop"))
            async let status = manager.waitUntilReachable(timeout: Patience.duration)
            network.connect("wwan0", .cellular)
            let known = try await status
            #expect(known == .viaWWAN)
        }
    }

    @Test func aQueueThatNeverDrainsKeepsNoManagerAlive() async {
        let network = ScriptedNetwork()
        network.connect("wlan0", .wifi)
        let queue = DispatchQueue(label: "never")
        queue.suspend()
        var manager: ReachabilityManager? = network.manager(queue: queue)
        weak let gone = manager
        let engine = manager?.engine
        manager?.startMonitoring()
        await engine?.quiet()
        manager = nil
        await engine?.quiet()
        #expect(gone == nil)
        // A suspended queue must not be let go of.
        queue.resume()
    }
}
