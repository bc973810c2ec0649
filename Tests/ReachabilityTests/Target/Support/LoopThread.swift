import CoreFoundation
import Dispatch
import Foundation
import Testing

/// A thread that runs a run loop, asleep until somebody wakes it.
final class LoopThread: @unchecked Sendable {  // `loop` and `mode` are set before anybody can see them
    private(set) var loop = RunLoop.current
    let mode: RunLoop.Mode
    private let ended = DispatchSemaphore(value: 0)

    init(mode: RunLoop.Mode = .default) {
        self.mode = mode
        let started = DispatchSemaphore(value: 0)
        let thread = Thread { [self] in
            loop = RunLoop.current
            // A loop with nothing in it does not run.
            loop.add(Timer(fire: .distantFuture, interval: 0, repeats: false) { _ in }, forMode: mode)
            loop.add(Timer(timeInterval: 0, repeats: false) { _ in started.signal() }, forMode: mode)
            _ = loop.run(mode: mode, before: .distantFuture)
            ended.signal()
        }
        thread.start()
        #expect(started.wait(timeout: .now() + 60) == .success)
    }

    /// Runs `body` on the thread and waits for it.
    func sync(_ body: @escaping @Sendable () -> Void) {
        let done = DispatchSemaphore(value: 0)
        async {
            body()
            done.signal()
        }
        #expect(done.wait(timeout: .now() + 60) == .success)
    }

    /// Runs `body` on the thread soon.
    func async(_ body: @escaping @Sendable () -> Void) {
        loop.add(Timer(timeInterval: 0, repeats: false) { _ in body() }, forMode: mode)
    }

    /// Ends the thread; has to be called, or it never does.
    func stop() {
        async { CFRunLoopStop(CFRunLoopGetCurrent()) }
        #expect(ended.wait(timeout: .now() + 60) == .success)
    }
}
