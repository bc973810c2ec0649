/// What a `NetworkReachability` decides: where it is scheduled, and which of the engine's reports lead to a callback.
/// Pure; the rules are those of Rules.md, "NetworkReachability".
struct NetworkReachabilityMachine {
    /// A run loop in a mode.
    struct Place: Hashable {
        let loop: ObjectIdentifier
        let mode: String
    }

    /// What callbacks are about: a change of anything else is none.
    struct Findings: Equatable {
        var flags: ReachabilityFlags
        /// The number of the interface that packets leave by; zero if they do not.
        var interface: Int

        /// What is not reachable, or not without a connection, has no interface of its own.
        init(_ report: Report) {
            flags = report.flags
            let isReachable = flags.contains(.reachable) && !flags.contains(.connectionRequired)
            interface = isReachable ? report.interface?.index ?? 0 : 0
        }

        static var nothing: Findings { Findings(Report()) }
    }

    /// What can be said without asking anybody.
    enum Knowledge {
        /// Not scheduled, or scheduled and nothing came yet: no answer about a name, no state of an address.
        case none
        case found(Findings)
        /// The network could not be asked.
        case fault(ReachabilityReason)
    }

    private enum Schedule {
        case none
        case queue
        /// How often it was scheduled on each: as often has it to be unscheduled.
        case runLoops([Place: Int])
    }

    /// Names have one callback for their first answer, whatever it is; addresses have none.
    let announcesFirstAnswer: Bool

    /// Counts starts and ends: whatever belongs to an earlier one is dropped.
    private(set) var epoch: UInt64 = 0
    /// The newest report since it was scheduled.
    private(set) var latest: Report?
    private var schedule = Schedule.none
    private var found: Findings?
    /// A callback waits where it is scheduled: a place that is added has to be told.
    private(set) var isDeliveryDue = false
    /// A callback runs; it may be one of before the last scheduling.
    private var isRunning = false
    /// Another has become due meanwhile.
    private var isDueAfterwards = false

    init(announcesFirstAnswer: Bool) { self.announcesFirstAnswer = announcesFirstAnswer }

    var isScheduled: Bool {
        if case .none = schedule { false } else { true }
    }

    var knowledge: Knowledge {
        guard let latest, let found else { return .none }
        if let reason = latest.reason, reason.isFault { return .fault(reason) }
        return .found(found)
    }

    // MARK: - Scheduling

    /// `base` is what holds now, for addresses: only what differs from it is told.
    mutating func scheduleOnQueue(base: Report?) throws(NetworkReachabilityError) {
        guard !isScheduled else { throw .alreadyScheduled }
        begin(.queue, base)
    }

    mutating func unscheduleFromQueue() throws(NetworkReachabilityError) {
        guard case .queue = schedule else { throw .notScheduled }
        begin(.none, nil)
    }

    /// True if nothing was scheduled before.
    mutating func schedule(at place: Place, base: Report?) throws(NetworkReachabilityError) -> Bool {
        switch schedule {
        case .queue: throw .alreadyScheduled
        case .none:
            begin(.runLoops([place: 1]), base)
            return true
        case .runLoops(var counts):
            counts[place, default: 0] += 1
            schedule = .runLoops(counts)
            return false
        }
    }

    /// What is left after it was unscheduled once from a place.
    enum Rest { case scheduledThere, scheduledElsewhere, nothing }

    mutating func unschedule(from place: Place) throws(NetworkReachabilityError) -> Rest {
        guard case .runLoops(var counts) = schedule, let count = counts[place] else { throw .notScheduled }
        counts[place] = count > 1 ? count - 1 : nil
        guard !counts.isEmpty else {
            begin(.none, nil)
            return .nothing
        }
        schedule = .runLoops(counts)
        return count > 1 ? .scheduledThere : .scheduledElsewhere
    }

    private mutating func begin(_ schedule: Schedule, _ base: Report?) {
        self.schedule = schedule
        epoch += 1
        latest = base
        // Where the state of now could not be found out, the first that can be counts as a change unless it is zero.
        found = announcesFirstAnswer || !isScheduled ? nil : base.map { Findings($0) } ?? .nothing
        isDeliveryDue = false
        isDueAfterwards = false
    }

    // MARK: - Callbacks

    /// A report of the engine; true if a callback is to be put where it is scheduled.
    mutating func received(_ report: Report, epoch: UInt64) -> Bool {
        guard epoch == self.epoch, isScheduled else { return false }
        latest = report
        // That nothing can be found out is no finding: `flags()` says so, and no callback.
        guard report.isKnown, report.reason?.isFault != true else { return false }
        let new = Findings(report)
        guard new != found else { return false }
        found = new
        // Callbacks never overlap, not with one of before the last scheduling either.
        guard !isRunning else {
            isDueAfterwards = true
            return false
        }
        defer { isDeliveryDue = true }
        return !isDeliveryDue
    }

    /// The callback runs: the flags of this moment, though they may be those of before again; nil if there is
    /// nothing to tell any more. Followed by `endDelivery` if there is.
    mutating func beginDelivery(epoch: UInt64) -> ReachabilityFlags? {
        guard epoch == self.epoch, isDeliveryDue, let found else { return nil }
        isDeliveryDue = false
        isDueAfterwards = isRunning
        guard !isRunning else { return nil }
        isRunning = true
        return found.flags
    }

    /// The callback has returned. If another has become due meanwhile, the epoch that it belongs to.
    mutating func endDelivery() -> UInt64? {
        isRunning = false
        guard isDueAfterwards else { return nil }
        isDueAfterwards = false
        isDeliveryDue = true
        return epoch
    }
}
