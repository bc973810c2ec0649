import Dispatch
import Synchronization

/// Holds a queue up until it is opened. It opens by itself when the time is over, so that no test hangs.
final class Gate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)
    private let isWaitedFor = Recorder<Void>()

    /// Blocks the calling thread until the gate is open; true if it was opened in time.
    @discardableResult
    func wait() -> Bool {
        isWaitedFor.record(())
        let isOpened = semaphore.wait(timeout: .now() + Patience.seconds) == .success
        semaphore.signal()
        return isOpened
    }

    func open() { semaphore.signal() }

    /// Returns when somebody stands before the gate.
    func isReached() async { await isWaitedFor.first(1) }

    /// Has the queue stand before the gate, and returns when it does.
    func block(_ queue: DispatchQueue) async {
        queue.async { self.wait() }
        await isReached()
    }
}

extension DispatchQueue {
    /// Returns when everything put on the queue so far has run.
    func drained() async {
        await withCheckedContinuation { continuation in
            self.async(flags: .barrier) { continuation.resume() }
        }
    }
}
