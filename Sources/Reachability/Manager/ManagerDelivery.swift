internal import Dispatch
internal import Foundation
internal import Observation
internal import Synchronization

/// Takes updates for a manager without keeping it alive.
final class ManagerReceiver: UpdateReceiver {
    private weak let manager: ReachabilityManager?
    private let epoch: UInt64

    init(_ manager: ReachabilityManager, epoch: UInt64) {
        self.manager = manager
        self.epoch = epoch
    }

    func receive(_ update: Update, now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        manager?.receive(update, epoch: epoch, now: now)
    }

    func timePassed(now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        manager?.timePassed(epoch: epoch, now: now)
    }
}

extension ReachabilityManager {
    /// Engine's thread: something new. Returns when to be called again if it has to hold still first.
    func receive(_ update: Update, epoch: UInt64, now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        let (outcome, sequences) = state.withLock { state in
            let report = update.report
            if epoch == state.machine.epoch {
                state.log.add(.reported(report.status, report.reason, update.causes), at: now)
            }
            let outcome = state.machine.received(update, epoch: epoch, now: now)
            return (outcome, outcome.pushed == nil ? [] : Array(state.sequences.values))
        }
        return act(on: outcome, sequences, epoch)
    }

    /// Engine's thread: the time that an update had to hold still may be over.
    func timePassed(epoch: UInt64, now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        let (outcome, sequences) = state.withLock { state in
            let outcome = state.machine.timePassed(epoch: epoch, now: now)
            return (outcome, outcome.pushed == nil ? [] : Array(state.sequences.values))
        }
        return act(on: outcome, sequences, epoch)
    }

    private func act(
        on outcome: ManagerMachine.Outcome, _ sequences: [AsyncStream<Update>.Continuation], _ epoch: UInt64
    ) -> ContinuousClock.Instant? {
        if let update = outcome.pushed { for sequence in sequences { sequence.yield(update) } }
        if outcome.schedules { enqueue(epoch) }
        return outcome.deadline
    }

    private func enqueue(_ epoch: UInt64) {
        hintIfNotDrained()
        queue.async { [weak self] in self?.deliver(epoch) }
    }

    /// Delivery queue: tells what is newest now. One at a time for a manager, whatever the queue.
    private func deliver(_ epoch: UInt64) {
        registrar.willSet(self, keyPath: \.status)
        let (telling, block, observers) = state.withLock { state in
            let telling = state.machine.beginDelivery(epoch: epoch)
            if telling != nil { state.log.add(.delivered(state.machine.status), at: .now) }
            state.hints.waitingSince = nil
            return (telling, state.block, state.observers)
        }
        registrar.didSet(self, keyPath: \.status)
        guard let telling else { return }
        if !telling.isSilent { tell(telling, block, observers, epoch) }
        if state.withLock({ $0.machine.endDelivery(epoch: epoch) }) { enqueue(epoch) }
    }

    private func tell(
        _ telling: ManagerMachine.Telling, _ block: (@Sendable (ReachabilityStatus) -> Void)?,
        _ observers: [ReachabilityObservation.ID: @Sendable (ReachabilityChange) -> Void], _ epoch: UInt64
    ) {
        let update = telling.update
        let status = update.report.status
        if telling.isForBlock, let block, isCurrent(epoch) { block(status) }
        if !observers.isEmpty {
            let change = ReachabilityChange(
                old: telling.old, new: status, report: update.report, causes: update.causes,
                generation: update.generation)
            // Oldest first; one that another of them cancelled is not called any more.
            for (id, observer) in observers.sorted(by: { $0.key < $1.key }) where isCurrent(epoch, observer: id) {
                observer(change)
            }
        }
        guard telling.isForBlock, isCurrent(epoch) else { return }
        notificationCenter.post(
            name: .reachabilityDidChange, object: self,
            userInfo: [
                Self.statusUserInfoKey: NSNumber(value: status.rawValue),
                Self.previousStatusUserInfoKey: NSNumber(value: telling.old.rawValue),
            ])
    }

    /// False once a callback, or another thread, has stopped or restarted the manager.
    private func isCurrent(_ epoch: UInt64) -> Bool { state.withLock { $0.machine.epoch == epoch } }

    private func isCurrent(_ epoch: UInt64, observer: ReachabilityObservation.ID) -> Bool {
        state.withLock { $0.machine.epoch == epoch && $0.observers[observer] != nil }
    }
}
