package import InternetProtocol
package import NameResolution
package import Rtnetlink
package import Timing

/// What the engine decides: who has to be evaluated after which event, and who is told what. Pure; it asks nobody and
/// calls nobody, but returns what is to be done.
package struct EngineMachine {
    /// One who watches a target.
    package typealias SubscriberID = UInt64

    /// A watched target, whoever watches it.
    package struct TargetID: Hashable, Sendable {
        let number: UInt64
    }

    package enum Action: Equatable {
        /// Find out about these, and say what came of it with `evaluated`.
        case evaluate([TargetID])
        /// From now on changes about these destinations matter, and no others have to be told.
        case listen(Set<IPAddress>)
        /// Hand the update to these subscribers.
        case tell([SubscriberID], Update)
        case watchName(HostName)
        case forgetName(HostName)
        /// A path is watched: the resolver's configuration is part of it.
        case watchResolver
        /// The default path is another: names are to be looked up again.
        case defaultPathChanged
    }

    /// What an evaluation found, with what it depended on.
    package struct Finding {
        package let id: TargetID
        package let report: Report
        package let asked: [RouteQuestion]
        /// When the answer stops to hold by itself.
        package let expiry: Instant?

        package init(id: TargetID, report: Report, asked: [RouteQuestion], expiry: Instant?) {
            self.id = id
            self.report = report
            self.asked = asked
            self.expiry = expiry
        }
    }

    var watched: [TargetID: WatchedTarget] = [:]
    private var ids: [ReachabilityTarget: TargetID] = [:]
    private var targets: [SubscriberID: TargetID] = [:]
    private var names: [HostName: Name] = [:]
    var expiries: [TargetID: Expiry] = [:]
    private var index = QuestionIndex<TargetID>()
    var isIndexStale = false
    var listening = AddressIndex()
    var generation: UInt64 = 0
    private var lastID: UInt64 = 0
    /// What led to the evaluation that is under way.
    var causes: ChangeCauses = []
    /// Why the network cannot be asked; nil if it can.
    var fault: ReachabilityReason?

    /// When an answer has to be looked at again because it ends by itself.
    struct Expiry {
        var time: Instant
        /// The end is past, and the answer was still there.
        var isSecondLook = false

        /// How long after the end the second look is: the kernel's own clock may be some ticks behind.
        static let secondLookDelay = Duration.milliseconds(100)
    }

    private struct Name {
        var answer: NameAnswer = .notKnownYet
        var targets: Set<TargetID> = []
    }

    /// The subscriber that stands for the names: it watches the default path on their behalf.
    static let namesSubscriber: SubscriberID = .max

    package init() {}

    package var isIdle: Bool { targets.isEmpty }

    package var watchedNames: [HostName] { Array(names.keys) }

    /// True if a path is watched, of which the resolver's configuration is a part.
    package var watchesPaths: Bool {
        watched.values.contains { if case .path = $0.target.content { true } else { false } }
    }

    /// When the engine has to look again although nothing was told.
    package var deadline: Instant? { expiries.isEmpty ? nil : expiries.values.lazy.map(\.time).min() }

    /// What to evaluate for a target: its names are resolved to what is known of them.
    package func subject(of id: TargetID) -> (subject: Subject, requiredInterface: String?)? {
        guard let target = watched[id]?.target else { return nil }
        let subject = Subject(target) { names[$0]?.answer ?? .notKnownYet }
        return (subject, target.requiredInterface)
    }

    // MARK: - Subscribers

    package mutating func subscribe(_ subscriber: SubscriberID, to target: ReachabilityTarget) -> [Action] {
        var actions: [Action] = []
        let id = ids[target] ?? makeTarget(target, &actions)
        targets[subscriber] = id
        watched[id]?.add(subscriber)
        if let fault {
            if let position = watched.index(forKey: id) {
                tell(position, .failed(fault), causes: .availability, &actions)
            }
            return actions
        }
        // Several who come at once for one target are answered by one evaluation; the loop drops repetitions.
        return actions + [.evaluate([id])]
    }

    private mutating func makeTarget(_ target: ReachabilityTarget, _ actions: inout [Action]) -> TargetID {
        lastID += 1
        let id = TargetID(number: lastID)
        ids[target] = id
        watched[id] = WatchedTarget(target)
        if case .path = target.content { actions.append(.watchResolver) }
        if case .name(let name) = target.content {
            let isFirst = names.isEmpty
            if names[name] == nil { actions.append(.watchName(name)) }
            names[name, default: Name()].targets.insert(id)
            if isFirst { actions += subscribe(Self.namesSubscriber, to: .default) }
        }
        return id
    }

    package mutating func unsubscribe(_ subscriber: SubscriberID) -> [Action] {
        guard let id = targets.removeValue(forKey: subscriber) else { return [] }
        watched[id]?.remove(subscriber)
        guard let entry = watched[id], !entry.isNeeded else { return [] }
        watched[id] = nil
        ids[entry.target] = nil
        expiries[id] = nil
        isIndexStale = true
        guard case .name(let name) = entry.target.content else { return [] }
        names[name]?.targets.remove(id)
        guard names[name]?.targets.isEmpty ?? false else { return [] }
        names[name] = nil
        let rest = names.isEmpty ? unsubscribe(Self.namesSubscriber) : []
        return [.forgetName(name)] + rest
    }

    // MARK: - Events

    /// Something changed in the network.
    package mutating func changed(_ batch: ChangeBatch) -> [Action] {
        if batch.isAboutEverything { return changedAltogether(batch.causes) }
        guard !batch.destinations.isEmpty else { return [] }
        refreshIndex()
        let ids = index.targets(within: batch.destinations)
        // What touches nobody is no cause of what comes later.
        guard !ids.isEmpty else { return [] }
        causes.formUnion(batch.causes)
        return [.evaluate(ids)]
    }

    /// Brings the index up to date while nobody waits, for before a sleep. Many targets come and go one by one, so with
    /// them that is left for when it is needed.
    package mutating func prepare() {
        if watched.count <= 64 { refreshIndex() }
    }

    private mutating func refreshIndex() {
        guard isIndexStale else { return }
        index = QuestionIndex(watched.map { (id: $0.key, destinations: Set($0.value.destinations)) })
        isIndexStale = false
    }

    /// Any answer may be another: after a sleep, a loss, or a word of a desktop service.
    package mutating func changedAltogether(_ causes: ChangeCauses) -> [Action] {
        guard !watched.isEmpty else { return [] }
        self.causes.formUnion(causes)
        return [.evaluate(Array(watched.keys))]
    }

    /// Time has passed: what ran out is looked at again.
    package mutating func timePassed(now: Instant) -> [Action] {
        let due = expiries.filter { $0.value.time <= now }
        guard !due.isEmpty else { return [] }
        for (id, expiry) in due {
            expiries[id] = expiry.isSecondLook ? nil : Expiry(time: now + Expiry.secondLookDelay, isSecondLook: true)
        }
        causes.insert(.expiry)
        return [.evaluate(Array(due.keys))]
    }

    /// A name has another answer.
    package mutating func answered(_ name: HostName, _ answer: NameAnswer) -> [Action] {
        guard let entry = names[name] else { return [] }
        names[name]?.answer = answer
        causes.insert(.names)
        return [.evaluate(Array(entry.targets))]
    }

    /// The network cannot be asked.
    package mutating func becameUnavailable(_ reason: ReachabilityReason) -> [Action] {
        fault = reason
        var actions: [Action] = []
        for position in watched.indices { tell(position, .failed(reason), causes: .availability, &actions) }
        return actions
    }

    /// The network can be asked, for the first time or again.
    package mutating func becameAvailable() -> [Action] {
        defer { fault = nil }
        listening = AddressIndex()
        return changedAltogether(fault == nil ? [] : .availability)
    }
}
