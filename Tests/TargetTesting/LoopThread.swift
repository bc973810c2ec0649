import CoreFoundation
import Dispatch
package import Foundation
import Synchronization

/// A thread that runs a run loop, asleep until somebody wakes it.
///
/// `@unchecked Sendable` is sound because `loop` is set before anybody can see it, and timers may be rung from any thread.
package final class LoopThread: @unchecked Sendable {
    package private(set) var loop = RunLoop.current
    package let mode: RunLoop.Mode
    private let jobs = Mutex<[@Sendable () -> Void]>([])
    private let ended = DispatchSemaphore(value: 0)
    /// Due when it is rung; Foundation on Linux frees no timer, so there is one, and it holds nothing.
    private let doorbell: Timer

    package init(mode: RunLoop.Mode = .default) {
        self.mode = mode
        let ring = Ring()
        doorbell = Timer(fire: .distantFuture, interval: 1e9, repeats: true) { _ in ring.owner?.work() }
        ring.owner = self
        let started = DispatchSemaphore(value: 0)
        let thread = Thread { [self] in
            loop = RunLoop.current
            loop.add(doorbell, forMode: mode)
            started.signal()
            _ = loop.run(mode: mode, before: .distantFuture)
            ended.signal()
        }
        thread.start()
        _ = started.wait(timeout: .now() + 60)
    }

    private final class Ring: @unchecked Sendable {  // written once, before the loop runs
        weak var owner: LoopThread?
    }

    private func work() {
        let due = jobs.withLock { jobs in
            defer { jobs = [] }
            return jobs
        }
        for job in due { job() }
    }

    /// Runs `body` on the thread and waits for it.
    package func sync(_ body: @escaping @Sendable () -> Void) {
        let done = DispatchSemaphore(value: 0)
        async {
            body()
            done.signal()
        }
        _ = done.wait(timeout: .now() + 60)
    }

    /// Runs `body` on the thread soon.
    package func async(_ body: @escaping @Sendable () -> Void) {
        jobs.withLock { $0.append(body) }
        doorbell.fireDate = Date()
    }

    /// Ends the thread; has to be called, or it never does.
    package func stop() {
        async { CFRunLoopStop(CFRunLoopGetCurrent()) }
        _ = ended.wait(timeout: .now() + 60)
    }
}
