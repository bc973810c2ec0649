internal import Dispatch
internal import Synchronization

/// A sleep that leaves nothing behind where it is cancelled: `Task.sleep` keeps its memory until its time would have come
/// (Swift 6.3).
final class Alarm: Sendable {
    private let state = Mutex(State())

    /// `@unchecked Sendable` is sound because a dispatch source may be cancelled from any thread, and nothing else is done
    /// to it here once it was activated.
    private struct Timer: @unchecked Sendable {
        let source: any DispatchSourceTimer
    }

    private struct State {
        var timer: Timer?
        var sleeper: CheckedContinuation<Void, Never>?
        var isOver = false
    }

    /// Returns when the time is over.
    ///
    /// - Throws: `CancellationError` if the task is cancelled before.
    static func sleep(for duration: Duration) async throws {
        let alarm = Alarm()
        await withTaskCancellationHandler {
            await withCheckedContinuation { alarm.start($0, duration) }
        } onCancel: {
            alarm.end()
        }
        try Task.checkCancellation()
    }

    private func start(_ sleeper: CheckedContinuation<Void, Never>, _ duration: Duration) {
        let source = DispatchSource.makeTimerSource()
        let timer = Timer(source: source)
        // From ten years on rounded down to them; nobody waits so long.
        let nanoseconds = Int(min(max(duration, .zero), .seconds(10 * 366 * 86_400)) / .nanoseconds(1))
        source.schedule(deadline: .now() + .nanoseconds(nanoseconds))
        source.setEventHandler { [weak self] in self?.end() }
        let isOver = state.withLock { state in
            guard !state.isOver else { return true }
            state.timer = timer
            state.sleeper = sleeper
            return false
        }
        // A source that was never activated must not be let go of.
        source.activate()
        guard isOver else { return }
        source.cancel()
        sleeper.resume()
    }

    private func end() {
        let (timer, sleeper) = state.withLock { state in
            state.isOver = true
            defer { (state.timer, state.sleeper) = (nil, nil) }
            return (state.timer, state.sleeper)
        }
        timer?.source.cancel()
        sleeper?.resume()
    }
}
