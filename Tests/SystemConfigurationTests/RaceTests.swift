import Dispatch
import Foundation
import ReachabilityTesting
import Synchronization
import SystemConfiguration
import TargetTesting
import Testing

/// Callbacks, unscheduling and release from different threads; the thread sanitizer watches.
@Suite struct RaceTests {
    private final class Counted: Sendable {
        static let alive = Atomic(0)

        init() { Self.alive.add(1, ordering: .relaxed) }

        deinit { Self.alive.subtract(1, ordering: .relaxed) }

        /// Reads the object, which has to be there.
        func touch() { #expect(Self.alive.load(ordering: .relaxed) > 0) }
    }

    /// A context that owns its info: every retain and the first reference are given back.
    private func setCallback(_ target: SCNetworkReachability) {
        let info = Unmanaged.passRetained(Counted())
        var context = SCNetworkReachabilityContext(
            version: 0, info: info.toOpaque(),
            retain: { info in
                let object = Unmanaged<Counted>.fromOpaque(info).retain()
                return UnsafeRawPointer(object.toOpaque())
            },
            release: { info in Unmanaged<Counted>.fromOpaque(info).release() }, copyDescription: nil)
        SCNetworkReachabilitySetCallback(
            target,
            { _, _, info in
                guard let info = info else { return }
                Unmanaged<Counted>.fromOpaque(info).takeUnretainedValue().touch()
            }, &context)
        info.release()
    }

    @Test func nothingIsTouchedAfterItHasGone() throws {
        let lab = TargetLab()
        let loop = LoopThread()
        defer { loop.stop() }
        let queue = DispatchQueue(label: "race", attributes: .concurrent)
        let isOver = Atomic(false)
        let flapping = DispatchSemaphore(value: 0)
        Thread {
            while !isOver.load(ordering: .relaxed) {
                lab.network.setCarrier("wlan0", false)
                lab.network.setCarrier("wlan0", true)
            }
            flapping.signal()
        }.start()
        DispatchQueue.concurrentPerform(iterations: 200) { round in
            guard let target = try? lab.target(round % 2 == 0 ? "198.51.100.1" : "localhost") else { return }
            setCallback(target)
            if round % 3 == 0 {
                loop.sync {
                    SCNetworkReachabilityScheduleWithRunLoop(
                        target, CFRunLoopGetCurrent(), CFRunLoopMode.defaultMode.rawValue)
                }
                setCallback(target)
                loop.sync {
                    SCNetworkReachabilityUnscheduleFromRunLoop(
                        target, CFRunLoopGetCurrent(), CFRunLoopMode.defaultMode.rawValue)
                }
            } else {
                SCNetworkReachabilitySetDispatchQueue(target, queue)
                var flags = SCNetworkReachabilityFlags()
                SCNetworkReachabilityGetFlags(target, &flags)
                setCallback(target)
                SCNetworkReachabilitySetDispatchQueue(target, nil)
            }
            if round % 5 == 0 { SCNetworkReachabilitySetCallback(target, nil, nil) }
        }
        isOver.store(true, ordering: .relaxed)
        flapping.wait()
        // Callbacks that had begun end, and the engine lets go of whom it was about to tell.
        queue.sync(flags: .barrier) {}
        loop.sync {}
        lab.awaitEngine()
        queue.sync(flags: .barrier) {}
        #expect(Counted.alive.load(ordering: .relaxed) == 0)
    }
}
