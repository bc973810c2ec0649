internal import InternetProtocol
internal import Rtnetlink

/// A target that is watched: by whom, and what was found last.
struct WatchedTarget {
    typealias SubscriberID = EngineMachine.SubscriberID

    let target: ReachabilityTarget
    private var subscribers: Set<SubscriberID> = []
    /// Those of them that were told nothing yet.
    private var untold: Set<SubscriberID> = []
    /// The names hang on this target too, whose servers lie behind it.
    private var isWatchedForNames = false
    private(set) var report: Report?
    /// What the last evaluation asked about.
    private(set) var destinations: [IPAddress] = []

    init(_ target: ReachabilityTarget) { self.target = target }

    var isNeeded: Bool { !subscribers.isEmpty || isWatchedForNames }

    mutating func add(_ subscriber: SubscriberID) {
        if subscriber == EngineMachine.namesSubscriber { return isWatchedForNames = true }
        subscribers.insert(subscriber)
        untold.insert(subscriber)
    }

    mutating func remove(_ subscriber: SubscriberID) {
        if subscriber == EngineMachine.namesSubscriber { return isWatchedForNames = false }
        subscribers.remove(subscriber)
        untold.remove(subscriber)
    }

    /// Takes down what an evaluation asked about; true if it is something else than before.
    mutating func noteQuestions(_ asked: [RouteQuestion]) -> Bool {
        // Compared in place: after most changes it is the same.
        guard !destinations.elementsEqual(asked.lazy.map(\.destination)) else { return false }
        destinations = asked.map(\.destination)
        return true
    }

    /// Whom a report concerns.
    struct Told {
        /// The report differs from the last.
        var isNew = false
        /// The names have to be looked up again.
        var isNewsForNames = false
        /// Who was told something before, and has to be told this.
        var old: [SubscriberID] = []
        /// Who is told for the first time.
        var new: [SubscriberID] = []
    }

    /// Takes a report. A new one concerns all, else it is for those alone who know nothing yet.
    mutating func take(_ report: Report) -> Told {
        var told = Told(isNew: self.report != report)
        told.isNewsForNames = told.isNew && isWatchedForNames && self.report != nil
        if told.isNew { self.report = report }
        // "Not known yet" is no news: a name's first report is told when there is an answer.
        guard report.isKnown, told.isNew || !untold.isEmpty else { return told }
        guard !untold.isEmpty else {
            told.old = Array(subscribers)
            return told
        }
        if told.isNew { told.old = subscribers.filter { !untold.contains($0) } }
        told.new = Array(untold)
        untold = []
        return told
    }
}
