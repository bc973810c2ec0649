internal import InternetProtocol
internal import Rtnetlink

/// A target that is watched: by whom, and what was found last.
struct WatchedTarget {
    typealias SubscriberID = EngineMachine.SubscriberID

    let target: ReachabilityTarget
    /// In the order of their numbers, in which they are told: that of their coming.
    private var subscribers: [SubscriberID] = []
    /// Those of them that were told nothing yet.
    private var untold: Set<SubscriberID> = []
    /// The names hang on this target too, whose servers lie behind it.
    private var isWatchedForNames = false
    private(set) var last: Update?
    /// What the last evaluation asked about.
    private(set) var destinations: [IPAddress] = []

    init(_ target: ReachabilityTarget) { self.target = target }

    var isNeeded: Bool { !subscribers.isEmpty || isWatchedForNames }

    mutating func add(_ subscriber: SubscriberID) {
        if subscriber == EngineMachine.namesSubscriber { return isWatchedForNames = true }
        subscribers.insert(subscriber, at: subscribers.firstPosition { $0 < subscriber })
        untold.insert(subscriber)
    }

    mutating func remove(_ subscriber: SubscriberID) {
        if subscriber == EngineMachine.namesSubscriber { return isWatchedForNames = false }
        let position = subscribers.firstPosition { $0 < subscriber }
        if position < subscribers.count, subscribers[position] == subscriber { subscribers.remove(at: position) }
        untold.remove(subscriber)
    }

    /// Takes down what an evaluation asked about; true if it is something else than before.
    mutating func noteQuestions(_ asked: [RouteQuestion]) -> Bool {
        // Compared in place: after most changes it is the same.
        var isSame = asked.count == destinations.count
        for (position, question) in asked.enumerated() where isSame {
            isSame = destinations[position] == question.destination
        }
        if !isSame { destinations = asked.map(\.destination) }
        return !isSame
    }

    /// Whom a report concerns.
    struct Told {
        /// What those are told who were told something before.
        var update: Update?
        /// The names have to be looked up again.
        var isNewsForNames = false
        /// Who was told something before, and has to be told this.
        var old: [SubscriberID] = []
        /// Who is told for the first time.
        var new: [SubscriberID] = []
    }

    /// Takes a report. A new one counts, and concerns all; else it is for those alone who know nothing yet.
    mutating func take(_ report: Report, causes: ChangeCauses, generation: inout UInt64) -> Told {
        var told = Told()
        let isNew = !(last?.says(report) ?? false)
        told.isNewsForNames = isNew && isWatchedForNames && last != nil
        if isNew {
            generation += 1
            last = Update(report: report, causes: causes, generation: generation)
        }
        told.update = last
        // "Not known yet" is no news: a name's first report is told when there is an answer.
        guard report.isKnown, isNew || !untold.isEmpty else { return told }
        guard !untold.isEmpty else {
            told.old = subscribers
            return told
        }
        if isNew { told.old = subscribers.filter { !untold.contains($0) } }
        told.new = untold.sorted()
        untold = []
        return told
    }
}
