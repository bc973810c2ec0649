internal import Reachability
internal import Rtnetlink
internal import Timing

/// What the dashboard knows: what was heard so far.
struct DashboardModel {
    /// A target, and what was heard of it.
    struct Target {
        let word: String
        let kind: ReachabilityTarget.Kind
        /// The newest; nil while not monitored, and until something is known.
        fileprivate(set) var observation: Observation?
        /// Since when its status is what it is.
        fileprivate(set) var since: Instant?
        fileprivate(set) var timeline = Timeline()
    }

    private(set) var targets: [Target]
    /// The way that packets leave by; nil while not monitored, and until it is known.
    private(set) var path: PathReading?
    var interfaces: [InterfaceRow] = []
    private(set) var isMonitoring = false
    /// The changes heard of, newest first.
    private(set) var changes: [Observation] = []
    /// What is done to the network meanwhile, and by which commands.
    var caption: [String] = []

    /// More than any screen has lines.
    private static let mostChanges = 500

    init(targets: [(word: String, kind: ReachabilityTarget.Kind)]) {
        self.targets = targets.map { Target(word: $0.word, kind: $0.kind) }
    }

    mutating func begin() { isMonitoring = true }

    mutating func end(at now: Instant) {
        isMonitoring = false
        path = nil
        for position in targets.indices {
            targets[position].observation = nil
            targets[position].since = nil
            targets[position].timeline.note(nil, at: now)
        }
    }

    /// A report of the target at the position; what comes after the last target's is the path. With the time of day, and the
    /// call that failed where one did.
    mutating func heard(
        _ report: Report, of position: Int, at now: Instant, _ time: WallTime, fault: SystemCallError? = nil
    ) {
        // One that was on its way when the monitoring ended.
        guard isMonitoring else { return }
        guard targets.indices.contains(position) else {
            path = PathReading(report)
            return
        }
        let previous = targets[position].observation?.report
        let observation = Observation(
            target: targets[position].word, kind: targets[position].kind, report: report, previous: previous,
            time: time,
            fault: fault)
        guard !observation.change.isEmpty else { return }
        targets[position].observation = observation
        if previous?.status != report.status { targets[position].since = now }
        targets[position].timeline.note(report.status, at: now)
        changes.insert(observation, at: 0)
        if changes.count > Self.mostChanges { changes.removeLast() }
    }
}
