internal import Dispatch
internal import Foundation
internal import Observation
internal import Synchronization
internal import Timing

/// Takes updates for a manager without keeping it alive.
final class ManagerReceiver: UpdateReceiver {
    private weak let manager: ReachabilityManager?
    private let epoch: UInt64

    init(_ manager: ReachabilityManager, epoch: UInt64) {
        self.manager = manager
        self.epoch = epoch
    }

    func receive(_ update: Update, now: Instant) -> Instant? {
        manager?.receive(update, epoch: epoch, now: now)
    }

    func timePassed(now: Instant) -> Instant? {
        manager?.timePassed(epoch: epoch, now: now)
    }
}

extension ReachabilityManager.State {
    /// Who is handed each update, if there is one to hand over.
    fileprivate func sequences(for outcome: ManagerMachine.Outcome) -> [AsyncStream<Update>.Continuation] {
        outcome.pushed == nil || sequences.isEmpty ? [] : Array(sequences.values)
    }
}

extension ReachabilityManager: Notifier {
    /// Engine's thread: something new. Returns when to be called again if it has to hold still first.
    func receive(_ update: Update, epoch: UInt64, now: Instant) -> Instant? {
        let (outcome, sequences) = state.withLock { state in
            let report = update.report
            if epoch == state.machine.epoch {
                state.log.add(.reported(report.status, report.reason, update.causes), at: now)
            }
            let outcome = state.machine.received(update, epoch: epoch, now: now)
            return (outcome, state.sequences(for: outcome))
        }
        return act(on: outcome, sequences, epoch)
    }

    /// Engine's thread: the time that an update had to hold still may be over.
    func timePassed(epoch: UInt64, now: Instant) -> Instant? {
        let (outcome, sequences) = state.withLock { state in
            let outcome = state.machine.timePassed(epoch: epoch, now: now)
            return (outcome, state.sequences(for: outcome))
        }
        return act(on: outcome, sequences, epoch)
    }

    private func act(
        on outcome: ManagerMachine.Outcome, _ sequences: [AsyncStream<Update>.Continuation], _ epoch: UInt64
    ) -> Instant? {
        if let update = outcome.pushed { for sequence in sequences { sequence.yield(update) } }
        if outcome.schedules { enqueue() }
        return outcome.deadline
    }

    private func enqueue() {
        hintIfNotDrained()
        NotificationPosting.bring(to: queue, by: engine.courier, from: self)
    }

    /// Delivery queue: tells what is newest now. One at a time for a manager, whatever the queue.
    func deliver() {
        let (telling, isStatusNews, readers) = state.withLock { state in
            state.hints?.waitingSince = nil
            let (telling, isStatusNews) = state.machine.beginDelivery()
            return (telling, isStatusNews, state.readers)
        }
        // Who observes the property is told outside of the lock, and may stop or restart the manager.
        if isStatusNews { readers?.registrar.willSet(self, keyPath: \.status) }
        let now = engine.clock.now
        let (isCurrent, block, observers, latecomers) = state.withLock { state in
            let isCurrent = telling.map { state.machine.commit($0) } ?? false
            if isCurrent { state.log.add(.delivered(state.machine.status), at: now) }
            return (isCurrent, state.block, state.observers, readers == nil ? state.readers : nil)
        }
        if isStatusNews {
            readers?.registrar.didSet(self, keyPath: \.status)
            // Who has first read the status since, and so the old one, is told as well.
            latecomers?.registrar.willSet(self, keyPath: \.status)
            latecomers?.registrar.didSet(self, keyPath: \.status)
        }
        if isCurrent, let telling, !telling.isSilent { tell(telling, block, observers) }
        if state.withLock({ $0.machine.endDelivery() }) { enqueue() }
    }

    private func tell(
        _ telling: ManagerMachine.Telling, _ block: StatusChangeBlock?,
        _ observers: [ReachabilityObservation.ID: @Sendable (ReachabilityChange) -> Void]
    ) {
        let epoch = telling.epoch
        let update = telling.update
        let status = update.report.status
        if telling.isForBlock, let block, isCurrent(epoch) { block.body(status) }
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
