internal import Dispatch
internal import Synchronization

/// What the hints of a manager need to remember.
struct HintState {
    /// Since when a delivery waits on the queue; nil if none does.
    var waitingSince: ContinuousClock.Instant?
    var isCheckPending = false
    var isStartCheckPending = false
}

extension ReachabilityManager {
    /// How long a queue or a start may take before a hint is given.
    static let hintDelay = Duration.seconds(5)

    func hintAtRelease(wasStarted: Bool, hadBlock: Bool) {
        guard ReachabilityDiagnostics.isWanted else { return }
        let wasEverStarted = state.withLock { $0.machine.epoch > 0 }
        if wasStarted {
            ReachabilityDiagnostics.report(.releasedWhileMonitoring(target: target))
        } else if hadBlock && !wasEverStarted {
            ReachabilityDiagnostics.report(.neverStarted(target: target))
        }
    }

    /// A block was set: has the manager been started when the time is over?
    func hintIfNeverStarted() {
        guard ReachabilityDiagnostics.isWanted else { return }
        let isNeeded = state.withLock { state in
            defer { state.hints.isStartCheckPending = true }
            return !state.machine.isStarted && !state.hints.isStartCheckPending
        }
        guard isNeeded else { return }
        engine.remind(after: Self.hintDelay) { [weak self] in
            guard let self else { return }
            let isForgotten = state.withLock { state in
                state.hints.isStartCheckPending = false
                return state.block != nil && !state.machine.isMonitoring && state.machine.epoch == 0
            }
            if isForgotten { ReachabilityDiagnostics.report(.neverStarted(target: target)) }
        }
    }

    /// A delivery was put on the queue: has it run when the time is over?
    func hintIfNotDrained() {
        guard ReachabilityDiagnostics.isWanted else { return }
        let now = engine.clock.now
        let isNeeded = state.withLock { state in
            state.hints.waitingSince = now
            defer { state.hints.isCheckPending = true }
            return !state.hints.isCheckPending
        }
        if isNeeded { checkQueue(after: Self.hintDelay) }
    }

    private func checkQueue(after delay: Duration) {
        engine.remind(after: delay) { [weak self] in
            guard let self else { return }
            let now = engine.clock.now
            let waited = state.withLock { state -> Duration? in
                guard let since = state.hints.waitingSince, state.machine.isStarted else {
                    state.hints.isCheckPending = false
                    return nil
                }
                if now - since >= Self.hintDelay { state.hints.isCheckPending = false }
                return now - since
            }
            guard let waited else { return }
            guard waited >= Self.hintDelay else { return checkQueue(after: Self.hintDelay - waited) }
            ReachabilityDiagnostics.report(.queueNotDrained(target: target, queue: queue.label))
        }
    }
}
