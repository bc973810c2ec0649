import Timing

@testable import Reachability

/// A manager's machine by reference, so that its steps can stand in an expectation.
final class ManagerDriver {
    private var machine: ManagerMachine

    init(settle: Duration = .zero, announcesInitial: Bool = true, requiresUnderlyingPath: Bool = false) {
        machine = ManagerMachine(
            settleInterval: settle, announcesInitialStatus: announcesInitial,
            requiresUnderlyingPath: requiresUnderlyingPath)
    }

    var epoch: UInt64 { machine.epoch }
    var status: ReachabilityStatus { machine.status }
    var isStarted: Bool { machine.isStarted }
    var isMonitoring: Bool { machine.isMonitoring }
    var latest: Update? { machine.latest }
    var current: Update? { machine.current }

    func start() { machine.start() }
    @discardableResult func stop() -> Bool { machine.stop() }
    @discardableResult func beginIteration() -> Bool { machine.beginIteration() }
    @discardableResult func endIteration() -> Bool { machine.endIteration() }

    @discardableResult
    func received(
        _ update: Update, epoch: UInt64? = nil, now: Instant = .now
    ) -> ManagerMachine.Outcome {
        machine.received(update, epoch: epoch ?? self.epoch, now: now)
    }

    func timePassed(epoch: UInt64? = nil, now: Instant) -> ManagerMachine.Outcome {
        machine.timePassed(epoch: epoch ?? self.epoch, now: now)
    }

    /// Runs the delivery that was put on the queue, up to where its callbacks would be called.
    @discardableResult
    func beginDelivery() -> ManagerMachine.Telling? {
        guard let telling = machine.beginDelivery().telling, machine.commit(telling) else {
            _ = machine.endDelivery()
            return nil
        }
        return telling
    }

    @discardableResult
    func endDelivery() -> Bool { machine.endDelivery() }
}
