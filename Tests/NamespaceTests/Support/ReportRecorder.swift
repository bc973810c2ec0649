import CNamespace
import Dispatch
import Reachability
import Synchronization
import Timing

/// Keeps what an engine tells about one target.
final class ReportRecorder: UpdateReceiver {
    private let state = Mutex(State())
    /// Rung with every update.
    private let bell = DispatchSemaphore(value: 0)
    private let hook: @Sendable () -> Void

    private struct State {
        var updates: [Update] = []
        var thread: EngineThreadUse?
    }

    /// - Parameter hook: what to do on the engine's thread at each update, after it was kept.
    init(hook: @escaping @Sendable () -> Void = {}) { self.hook = hook }

    func receive(_ update: Update, now: Instant) -> Instant? {
        state.withLock { state in
            state.updates.append(update)
            if state.thread == nil { state.thread = EngineThreadUse() }
        }
        bell.signal()
        hook()
        return nil
    }

    func timePassed(now: Instant) -> Instant? { nil }

    var updates: [Update] { state.withLock { $0.updates } }
    var reports: [Report] { updates.map(\.report) }
    var last: Report? { state.withLock { $0.updates.last?.report } }
    /// What the thread that calls here uses of the processor; nil before the first update.
    var thread: EngineThreadUse? { state.withLock { $0.thread } }

    /// Waits until the last report is as wanted; false if the time runs out first.
    func wait(within time: Duration = .seconds(10), until holds: (Report) -> Bool) -> Bool {
        let deadline = Instant.now + time
        while true {
            if let last, holds(last) { return true }
            guard waitForUpdate(before: deadline) else { return last.map(holds) ?? false }
        }
    }

    /// Waits for the bell; false if the time runs out first.
    func waitForUpdate(before deadline: Instant) -> Bool {
        let left = max(deadline - .now, .zero)
        return bell.wait(timeout: .now() + left / .seconds(1)) == .success
    }
}
