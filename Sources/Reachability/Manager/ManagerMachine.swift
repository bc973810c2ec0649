internal import Timing

/// What a manager decides: what of the engine's updates is told, when, and to whom. Pure.
///
/// An update passes two stages. It settles: with a settle interval it has to hold still that long, the first of a
/// start excepted. What has settled goes to the sequences at once, and is left for the delivery queue, where one
/// delivery at most is pending and takes what is newest when it runs.
struct ManagerMachine {
    let settleInterval: Duration
    let announcesInitialStatus: Bool
    let requiresUnderlyingPath: Bool

    /// Started by `startMonitoring`, not yet stopped.
    private(set) var isStarted = false
    /// How many sequences are being iterated.
    private(set) var iterations = 0
    /// Counts starts and stops: whatever belongs to an earlier one is dropped.
    private(set) var epoch: UInt64 = 0
    /// The status told last; a stop keeps it.
    private(set) var status = ReachabilityStatus.unknown
    /// The newest update, settled or not.
    private(set) var latest: Update?
    private var settled: Update?
    private var settleDeadline: Instant?
    private var told: Update?
    private var isAnnounced = false
    /// The status was set while only sequences are iterated; who observes the property has to hear of it.
    private var isStatusUnobserved = false
    private var delivery = Delivery.none

    private enum Delivery { case none, scheduled, running, runningAndDue }

    init(settleInterval: Duration, announcesInitialStatus: Bool, requiresUnderlyingPath: Bool) {
        self.settleInterval = min(settleInterval, .longestWait)
        self.announcesInitialStatus = announcesInitialStatus
        self.requiresUnderlyingPath = requiresUnderlyingPath
    }

    var isMonitoring: Bool { isStarted || iterations > 0 }

    /// What a new sequence begins with; nil if nothing has settled yet.
    var current: Update? { settled }

    // MARK: - Start and stop

    /// A start, also while started: everything of before is dropped, and the status is announced anew.
    mutating func start() {
        isStarted = true
        beginAnew()
    }

    /// True if this ended anything.
    mutating func stop() -> Bool {
        guard isStarted else { return false }
        isStarted = false
        beginAnew()
        return true
    }

    /// A sequence is iterated; true if nothing was monitored before.
    mutating func beginIteration() -> Bool {
        iterations += 1
        guard iterations == 1, !isStarted else { return false }
        beginAnew()
        return true
    }

    /// A sequence is not iterated any more; true if nothing is monitored now.
    mutating func endIteration() -> Bool {
        iterations -= 1
        guard !isMonitoring else { return false }
        beginAnew()
        return true
    }

    private mutating func beginAnew() {
        epoch += 1
        latest = nil
        settled = nil
        settleDeadline = nil
        told = nil
        isAnnounced = false
        // A delivery that waits on the queue, or runs, stays the only one: it finds out by itself what is left to tell.
        if delivery == .runningAndDue { delivery = .running }
    }

    // MARK: - Updates

    /// What an update leads to.
    struct Outcome {
        /// What the sequences are told.
        var pushed: Update?
        /// A delivery is to be put on the queue.
        var schedules = false
        /// When `timePassed` is to be called; nil for not at all.
        var deadline: Instant?
    }

    mutating func received(_ update: Update, epoch: UInt64, now: Instant) -> Outcome {
        guard epoch == self.epoch else { return Outcome() }
        let update = requiresUnderlyingPath ? update.requiringUnderlyingPath : update
        latest = update
        guard settleInterval > .zero, let settled else { return settle(update) }
        // There and back again: as if nothing had been.
        if update.says(the: settled) {
            settleDeadline = nil
            // The queue may have passed it over while the other state tried to hold still.
            return Outcome(schedules: isStarted && !isTold(settled) && schedule())
        }
        settleDeadline = now + settleInterval
        return Outcome(deadline: settleDeadline)
    }

    mutating func timePassed(epoch: UInt64, now: Instant) -> Outcome {
        guard epoch == self.epoch, let settleDeadline, let latest else { return Outcome() }
        guard settleDeadline <= now else { return Outcome(deadline: settleDeadline) }
        self.settleDeadline = nil
        return settle(latest)
    }

    private mutating func settle(_ update: Update) -> Outcome {
        settled = update
        if !isStarted {
            // Nobody is told on the queue, so this is when the status counts as told.
            guard status != update.report.status else { return Outcome(pushed: update) }
            status = update.report.status
            isStatusUnobserved = true
        }
        return Outcome(pushed: update, schedules: schedule())
    }

    /// True if a delivery has to be put on the queue: none waits there, and none runs.
    private mutating func schedule() -> Bool {
        switch delivery {
        case .none:
            delivery = .scheduled
            return true
        case .running: delivery = .runningAndDue
        case .scheduled, .runningAndDue: break
        }
        return false
    }

    // MARK: - Delivery

    /// What a delivery tells.
    struct Telling {
        let epoch: UInt64
        let old: ReachabilityStatus
        let update: Update
        /// The block and the notification are told, not the observers alone.
        let isForBlock: Bool
        /// Nobody is told; only the status is set.
        let isSilent: Bool
    }

    /// The delivery runs: what it has to tell now, if there still is anything. To be followed by `endDelivery`.
    mutating func beginDelivery() -> (telling: Telling?, isStatusNews: Bool) {
        delivery = .running
        defer { isStatusUnobserved = false }
        guard let telling = nextTelling else { return (nil, isStatusUnobserved) }
        isAnnounced = true
        told = telling.update
        return (telling, isStatusUnobserved || telling.old != telling.update.report.status)
    }

    private func isTold(_ update: Update) -> Bool { told?.says(the: update) ?? false }

    private var nextTelling: Telling? {
        guard isStarted, let settled else { return nil }
        // Something newer has not held still yet: it will be delivered when it has.
        guard settleDeadline == nil || !isAnnounced else { return nil }
        let isFirst = !isAnnounced
        guard isFirst || !isTold(settled) else { return nil }
        return Telling(
            epoch: epoch, old: status, update: settled, isForBlock: isFirst || status != settled.report.status,
            isSilent: isFirst && !announcesInitialStatus)
    }

    /// Sets the status that a delivery tells; false if a start or a stop has come between.
    mutating func commit(_ telling: Telling) -> Bool {
        guard telling.epoch == epoch else { return false }
        status = telling.update.report.status
        return true
    }

    /// True if another delivery has become due meanwhile and is to be put on the queue.
    mutating func endDelivery() -> Bool {
        let isDue = delivery == .runningAndDue
        delivery = isDue ? .scheduled : .none
        return isDue
    }
}

extension Duration {
    /// A century: as good as for ever, and far from where sums of times overflow and clocks trap.
    static let longestWait = Duration.seconds(100 * 366 * 86400)
}

extension Update {
    fileprivate var requiringUnderlyingPath: Update {
        Update(report: report.requiringUnderlyingPath, causes: causes, generation: generation)
    }
}

extension Report {
    /// The same where a tunnel without a way out for its own packets counts as no way at all.
    var requiringUnderlyingPath: Report {
        guard lacksUnderlyingPath, reason == nil else { return self }
        var report = self
        report.flags = []
        report.reason = .noRoute
        return report
    }
}
