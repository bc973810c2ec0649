import Dispatch
import Foundation
import Glibc
import Observation
import ReachabilityTesting
import Synchronization
import TestSupport
import Testing

@testable import Reachability

/// From any thread, in any order, from inside callbacks: nothing traps, hangs or gets lost.
@Suite struct ThreadTests {
    /// Everything a manager can be asked or told, but waits.
    static func callEverything(_ manager: ReachabilityManager) {
        _ = (manager.target, manager.queue, manager.status, manager.isMonitoring)
        _ = (manager.isReachable, manager.isReachableViaWWAN, manager.isReachableViaWiFi)
        _ = (manager.localizedStatusString, manager.debugDescription)
        _ = try? manager.currentFlags()
        let observation = manager.observe { _ in }
        observation.cancel()
        _ = (manager.statuses.makeAsyncIterator(), manager.changes.makeAsyncIterator())
        manager.setReachabilityStatusChangeBlock(nil)
        manager.startMonitoring()
        manager.stopMonitoring()
        manager.startMonitoring()
    }

    enum Callback: CaseIterable { case block, observer, notification, observation, sequence }

    /// Calls `body` once, from inside a callback of the kind.
    private func call(_ body: @escaping @Sendable () -> Void, from callback: Callback, of scene: Scene) {
        let isCalled = Atomic(false)
        let once: @Sendable () -> Void = { [box = Box(isCalled)] in
            if box.value.compareExchange(expected: false, desired: true, ordering: .relaxed).exchanged { body() }
        }
        let manager = scene.manager
        switch callback {
        case .block: manager.setReachabilityStatusChangeBlock { _ in once() }
        case .observer: scene.keep(manager.observe { _ in once() })
        case .notification:
            scene.observe { once() }
        case .observation:
            withObservationTracking {
                _ = manager.status
            } onChange: {
                once()
            }
        case .sequence: Task { for await _ in manager.statuses { once() } }
        }
    }

    @Test(arguments: Callback.allCases)
    func r71_everythingMayBeCalledFromInsideEachKindOfCallback(callback: Callback) async {
        let scene = Scene { $0.connect("wlan0", .wifi) }
        let done = Recorder<Void>()
        let manager = scene.manager
        call(
            {
                Self.callEverything(manager); done.record(())
            }, from: callback, of: scene)
        manager.startMonitoring()
        #expect(await done.first(1).count == 1)
        await scene.quiet()
        #expect(manager.status == .viaWiFi)
        scene.end()
    }

    @Test(arguments: Callback.allCases)
    func r72_aCallbackMayWaitForAnotherThreadThatCallsEverything(callback: Callback) async {
        let scene = Scene { $0.connect("wlan0", .wifi) }
        let done = Recorder<Bool>()
        let manager = scene.manager
        let body: @Sendable () -> Void = {
            let semaphore = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                Self.callEverything(manager)
                semaphore.signal()
            }
            done.record(semaphore.wait(timeout: .now() + Patience.seconds) == .success)
        }
        call(body, from: callback, of: scene)
        manager.startMonitoring()
        #expect(await done.first(1) == [true])
        scene.end()
    }

    @Test(arguments: Callback.allCases)
    func aStopFromInsideEachKindOfCallbackIsTheEnd(callback: Callback) async {
        let scene = Scene { $0.connect("wlan0", .wifi) }
        let done = Recorder<[Int]>()
        let manager = scene.manager
        let count: @Sendable () -> [Int] = { [scene.changes.elements.count, scene.notes.elements.count] }
        // A sequence monitors by itself: its callback may come before a later start, which its stop would not end.
        if callback == .sequence { manager.startMonitoring() }
        call(
            {
                manager.stopMonitoring(); done.record(count())
            }, from: callback, of: scene)
        if callback != .sequence { manager.startMonitoring() }
        await done.first(1)
        scene.network.disconnect("wlan0")
        await scene.quiet()
        // A sequence is read beside the queue: what had begun there may end. So may a notification on its way to all.
        let isLast = callback != .sequence && callback != .notification
        if isLast { #expect(count() == done.elements.last) }
        let told = count()
        scene.network.connect("wwan0", .cellular)
        await scene.quiet()
        #expect(count() == told)
        scene.end()
    }

    @Test func r71_theDeliveryQueueMayBeTheCallersOwn() async {
        let scene = Scene { $0.connect("wlan0", .wifi) }
        let isDone = scene.queue.sync {
            Self.callEverything(scene.manager)
            return scene.manager.isMonitoring
        }
        #expect(isDone)
        await scene.quiet()
        #expect(scene.manager.status == .viaWiFi)
    }

    @Test func r73_anyOrderOnAnyThreadWillDo() async {
        let scene = Scene { $0.connect("wlan0", .wifi) }
        let manager = scene.manager
        manager.stopMonitoring()
        await withTaskGroup { group in
            for seed in 0..<4 as Range<UInt64> {
                group.addTask {
                    var generator = SeededGenerator(seed: seed)
                    for _ in 0..<300 {
                        switch Int.random(in: 0..<8, using: &generator) {
                        case 0: manager.startMonitoring()
                        case 1: manager.stopMonitoring()
                        case 2: _ = manager.observe { _ in }
                        case 3: _ = try? manager.currentFlags()
                        case 4: scene.network.setCarrier("wlan0", Bool.random(using: &generator))
                        case 5: _ = manager.statuses.makeAsyncIterator()
                        case 6:
                            manager.setReachabilityStatusChangeBlock { [statuses = scene.statuses] in
                                statuses.record($0)
                            }
                        default: _ = manager.debugDescription
                        }
                    }
                }
            }
        }
        scene.network.setCarrier("wlan0", true)
        await manager.startAndWait()
        #expect(manager.status == .viaWiFi)
        #expect(manager.isMonitoring)
        manager.stopMonitoring()
        #expect(!manager.isMonitoring)
    }

    @Test func r27_noStepRunsAtBackgroundPriority() async {
        let scene = Scene { $0.connect("wlan0", .wifi) }
        let priorities = Recorder<String>()
        let own = Self.priority
        scene.network.beforeEachLookup { priorities.record(Self.priority) }
        scene.manager.setReachabilityStatusChangeBlock { _ in priorities.record(Self.priority) }
        scene.manager.startMonitoring()
        await priorities.first(2)
        await scene.quiet()
        #expect(priorities.elements.allSatisfy { $0 == own }, "\(Set(priorities.elements)) and not \(own)")
    }

    /// The calling thread's scheduling class and niceness; for Linux who 0 is the thread.
    private static var priority: String {
        "\(sched_getscheduler(0)) \(getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0))"
    }

    @Test func theEnginesThreadTakesNoSignals() async {
        let scene = Scene { $0.connect("wlan0", .wifi) }
        let masks = Recorder<Bool>()
        scene.network.beforeEachLookup {
            var mask = sigset_t()
            unsafe pthread_sigmask(SIG_BLOCK, nil, &mask)
            masks.record([SIGINT, SIGTERM, SIGCHLD, SIGUSR1].allSatisfy { unsafe sigismember(&mask, $0) == 1 })
            // Its own faults come to their handlers.
            masks.record([SIGILL, SIGTRAP, SIGSEGV].allSatisfy { unsafe sigismember(&mask, $0) == 0 })
        }
        await scene.start()
        #expect(masks.elements.first == true)
        #expect(!masks.elements.contains(false))
    }
}

/// Carries an atomic into a closure.
final class Box<Value: ~Copyable & Sendable>: Sendable {
    let value: Value

    init(_ value: consuming Value) { self.value = value }
}
