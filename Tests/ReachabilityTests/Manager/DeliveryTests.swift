import Dispatch
import Foundation
import Observation
import ReachabilityTesting
import Synchronization
import Testing

@testable import Reachability

/// On which queue, how often, and how long after a stop something is delivered.
@Suite struct DeliveryTests {
    @Test func r79_everyDeliveryIsOnTheChosenQueueTheFirstIncluded() async {
        let scene = Scene { $0.connect("wlan0", .wifi) }
        let key = DispatchSpecificKey<String>()
        scene.queue.setSpecific(key: key, value: "chosen")
        let places = Recorder<String?>()
        scene.manager.setReachabilityStatusChangeBlock { _ in places.record(DispatchQueue.getSpecific(key: key)) }
        scene.keep(scene.manager.observe { _ in places.record(DispatchQueue.getSpecific(key: key)) })
        let token = scene.center.addObserver(forName: .reachabilityDidChange, object: nil, queue: nil) { _ in
            places.record(DispatchQueue.getSpecific(key: key))
        }
        scene.manager.startMonitoring()
        await places.first(3)
        scene.network.disconnect("wlan0")
        #expect(await places.first(6) == Array(repeating: "chosen", count: 6))
        scene.center.removeObserver(token)
    }

    @Test func aBlockedQueueIsToldTheStateOfTheMomentItRuns() async {
        let scene = Scene { $0.connect("wlan0", .wifi) }
        let gate = Gate()
        await gate.block(scene.queue)
        for round in 0..<100 {
            if round % 3 == 0 { scene.manager.startMonitoring() }
            scene.network.setCarrier("wlan0", round % 2 == 0)
            await scene.engineIsQuiet()
        }
        gate.open()
        await scene.quiet()
        #expect(scene.statuses.elements == [.notReachable])
        #expect(scene.changes.elements.count == 1 && scene.notes.elements.count == 1)
    }

    @Test func aChangeThereAndBackBehindABlockedQueueIsNone() async {
        let scene = Scene { $0.connect("wlan0", .wifi) }
        await scene.start()
        let gate = Gate()
        await gate.block(scene.queue)
        scene.network.setCarrier("wlan0", false)
        await scene.engineIsQuiet()
        scene.network.setCarrier("wlan0", true)
        await scene.engineIsQuiet()
        gate.open()
        await scene.quiet()
        #expect(scene.statuses.elements == [.viaWiFi])
        #expect(scene.changes.elements.count == 1)
    }

    @Test func deliveriesOnAConcurrentQueueNeverOverlapOverRestartsEither() async {
        let network = ScriptedNetwork()
        network.connect("wlan0", .wifi)
        let queue = DispatchQueue(label: "concurrent", attributes: .concurrent)
        let manager = network.manager(queue: queue)
        let running = Atomic(0)
        let overlaps = Atomic(0)
        let told = Recorder<ReachabilityStatus>()
        let body: @Sendable (ReachabilityStatus) -> Void = { status in
            if running.add(1, ordering: .sequentiallyConsistent).newValue > 1 {
                overlaps.add(1, ordering: .sequentiallyConsistent)
            }
            // Long enough for another to come in.
            letOthersRun(for: 100)
            running.subtract(1, ordering: .sequentiallyConsistent)
            told.record(status)
        }
        manager.setReachabilityStatusChangeBlock(body)
        let token = manager.observe { body($0.new) }
        for round in 0..<100 {
            let before = told.elements.count
            manager.startMonitoring()
            network.setCarrier("wlan0", round % 2 == 1)
            if round % 10 == 0 { await told.first(before + 1) }
        }
        await told.last(is: .viaWiFi)
        await manager.quiet()
        #expect(overlaps.load(ordering: .sequentiallyConsistent) == 0)
        #expect(told.elements.last == .viaWiFi)
        withExtendedLifetime(token) {}
    }

    @Test func aRestartDuringACallbackOnAConcurrentQueueWaitsForItsEnd() async {
        let network = ScriptedNetwork()
        network.connect("wlan0", .wifi)
        let manager = network.manager(queue: DispatchQueue(label: "concurrent", attributes: .concurrent))
        let gate = Gate()
        let told = Recorder<String>()
        manager.setReachabilityStatusChangeBlock { _ in
            told.record("begin")
            gate.wait()
            told.record("end")
        }
        manager.startMonitoring()
        await gate.isReached()
        manager.startMonitoring()
        await manager.engine.quiet()
        await manager.engine.quiet()
        #expect(told.elements == ["begin"], "the second waits for the first")
        gate.open()
        #expect(await told.first(4) == ["begin", "end", "begin", "end"])
    }

    @Test func r76_nothingIsToldAfterAStopOnTheQueue() async {
        let scene = Scene { $0.connect("wlan0", .wifi) }
        await scene.start()
        let observed = Recorder<Void>()
        let manager = scene.manager
        withObservationTracking {
            _ = manager.status
        } onChange: {
            observed.record(())
        }
        let counts = Recorder<[Int]>()
        let count: @Sendable () -> [Int] = {
            [scene.statuses.elements.count, scene.changes.elements.count, scene.notes.elements.count]
        }
        for round in 1...50 {
            // Whether the delivery is already on the queue, behind this block, or comes later: nothing of it is told.
            scene.queue.async {
                scene.network.disconnect("wlan0")
                letOthersRun(for: .random(in: 0..<150))
                manager.stopMonitoring()
                counts.record(count())
            }
            await counts.first(round)
            await scene.quiet()
            #expect(counts.elements.last == count())
            scene.network.connect("wlan0", .wifi)
            #expect(observed.elements.isEmpty, "nor to who observes the property")
            await scene.start()
        }
    }

    @Test func r76_fromAnotherThreadNothingBeginsAfterTheBarrier() async {
        let scene = Scene { $0.connect("wlan0", .wifi) }
        for _ in 0..<50 {
            await scene.start()
            scene.network.disconnect("wlan0")
            letOthersRun(for: .random(in: 0..<150))
            scene.manager.stopMonitoring()
            await scene.queue.drained()
            let told = scene.statuses.elements.count
            scene.network.connect("wlan0", .wifi)
            await scene.quiet()
            #expect(scene.statuses.elements.count == told)
        }
    }

    @Test func r68_clearingTheBlockLetsGoOfWhatItCaptured() async {
        let scene = Scene { $0.connect("wlan0", .wifi) }
        weak var captured: Recorder<ReachabilityStatus>?
        do {
            let owner = Recorder<ReachabilityStatus>()
            captured = owner
            scene.manager.setReachabilityStatusChangeBlock { owner.record($0) }
        }
        #expect(captured != nil)
        await scene.manager.startAndWait()
        scene.manager.stopMonitoring()
        #expect(captured != nil, "a stop keeps the block, since the next start tells it again")
        scene.manager.setReachabilityStatusChangeBlock(nil)
        #expect(captured == nil)
        do {
            let owner = Recorder<ReachabilityStatus>()
            captured = owner
            let token = scene.manager.observe { owner.record($0.new) }
            token.cancel()
        }
        #expect(captured == nil, "a cancelled observation, too")
    }
}

extension ReachabilityManager {
    /// Starts, and returns when that was told.
    func startAndWait() async {
        startMonitoring()
        await quiet()
    }
}
