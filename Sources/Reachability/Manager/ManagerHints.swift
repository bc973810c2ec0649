internal import Dispatch
internal import Synchronization
internal import Timing

/// What the hints of a manager need to remember. An object, since most managers have none: hints are off unless a
/// program asks for them.
final class HintState {
    /// Since when a delivery waits on the queue; nil if none does.
    var waitingSince: Instant?
    /// The look at the queue that is to come; let go of with the manager or a stop, it does not come.
    var queueCheck: Engine.Subscription?
    /// The look whether the manager was started that is to come; let go of at the start.
    var startCheck: Engine.Subscription?
    /// Who stopped the manager last while it was observed.
    var lastStopper: String?
}

extension ReachabilityManager.State {
    /// What the hints remember, from now on if not already.
    mutating func openHints() -> HintState {
        if let hints { return hints }
        let made = HintState()
        hints = made
        return made
    }
}

extension ReachabilityManager {
    /// How long a queue or a start may take before a hint is given.
    static let hintDelay = Duration.seconds(5)

    typealias Hint = ReachabilityDiagnostics.Hint

    /// What is wrong with a stop, if anything is. A caller is named once, not with each of its stops.
    func hintAtStop(by caller: String, _ state: inout State) -> Hint? {
        guard !state.observers.isEmpty, state.hints?.lastStopper != caller else { return nil }
        state.openHints().lastStopper = caller
        return .stoppedWhileObserved(target: target, observers: state.observers.count, caller: caller)
    }

    /// What is wrong with letting go of the manager now, if anything is.
    func hintAtRelease(of state: State) -> Hint? {
        if state.machine.isStarted { return .releasedWhileMonitoring(target: target) }
        // An epoch is begun by the first start.
        return state.block != nil && state.machine.epoch == 0 ? .neverStarted(target: target) : nil
    }

    /// A block was set: has the manager been started when the time is over?
    func hintIfNeverStarted() {
        guard ReachabilityDiagnostics.isWanted else { return }
        guard state.withLock({ $0.machine.epoch == 0 && $0.hints?.startCheck == nil }) else { return }
        let check = engine.remind(after: Self.hintDelay) { [weak self] in
            guard let self else { return }
            let isForgotten = state.withLock { $0.block != nil && $0.machine.epoch == 0 }
            if isForgotten { ReachabilityDiagnostics.report(.neverStarted(target: target)) }
        }
        let dropped = state.withLock { state -> Engine.Subscription? in
            guard state.machine.epoch == 0, state.hints?.startCheck == nil else { return check }
            state.openHints().startCheck = check
            return nil
        }
        withExtendedLifetime(dropped) {}
    }

    /// A delivery was put on the queue: has it run when the time is over?
    func hintIfNotDrained() {
        guard ReachabilityDiagnostics.isWanted else { return }
        let now = engine.clock.now
        let isNeeded = state.withLock { state in
            state.openHints().waitingSince = now
            return state.machine.isStarted && state.hints?.queueCheck == nil
        }
        if isNeeded { checkQueue(after: Self.hintDelay) }
    }

    private func checkQueue(after delay: Duration) {
        let check = engine.remind(after: delay) { [weak self] in self?.checkQueue() }
        let dropped = state.withLock { state -> Engine.Subscription? in
            guard state.machine.isStarted else { return check }
            let hints = state.openHints()
            defer { hints.queueCheck = check }
            return hints.queueCheck
        }
        withExtendedLifetime(dropped) {}
    }

    private func checkQueue() {
        let now = engine.clock.now
        let (waited, done) = state.withLock { state -> (Duration?, Engine.Subscription?) in
            defer { state.hints?.queueCheck = nil }
            return (state.hints?.waitingSince.map { now - $0 }, state.hints?.queueCheck)
        }
        withExtendedLifetime(done) {}
        guard let waited else { return }
        guard waited >= Self.hintDelay else { return checkQueue(after: Self.hintDelay - waited) }
        ReachabilityDiagnostics.report(.queueNotDrained(target: target, queue: queue.label))
    }
}
