package import InternetProtocol
package import NameResolution
package import Rtnetlink

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
        package let expiry: ContinuousClock.Instant?

        package init(id: TargetID, report: Report, asked: [RouteQuestion], expiry: ContinuousClock.Instant?) {
            self.id = id
            self.report = report
            self.asked = asked
            self.expiry = expiry
        }
    }

    private struct Watched {
        let target: ReachabilityTarget
        var subscribers: Set<SubscriberID> = []
        /// Those of them that were told nothing yet.
        var untold: Set<SubscriberID> = []
        var report: Report?
        var destinations: Set<IPAddress> = []
    }

    private var watched: [TargetID: Watched] = [:]
    private var ids: [ReachabilityTarget: TargetID] = [:]
    private var targets: [SubscriberID: TargetID] = [:]
    private var names: [HostName: Name] = [:]
    private var expiries: [TargetID: Expiry] = [:]
    private var index = QuestionIndex<TargetID>()
    private var isIndexStale = false
    private var listening: Set<IPAddress> = []
    private var generation: UInt64 = 0
    private var lastID: UInt64 = 0
    /// What led to the evaluation that is under way.
    private var causes: ChangeCauses = []
    /// Why the network cannot be asked; nil if it can.
    private var fault: ReachabilityReason?

    /// When an answer has to be looked at again because it ends by itself.
    private struct Expiry {
        var time: ContinuousClock.Instant
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
    private static let namesSubscriber: SubscriberID = .max

    package init() {}

    package var isIdle: Bool { targets.isEmpty }

    package var watchedNames: [HostName] { Array(names.keys) }

    /// True if a path is watched, of which the resolver's configuration is a part.
    package var watchesPaths: Bool {
        watched.values.contains { if case .path = $0.target.content { true } else { false } }
    }

    /// When the engine has to look again although nothing was told.
    package var deadline: ContinuousClock.Instant? { expiries.values.map(\.time).min() }

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
        watched[id]?.subscribers.insert(subscriber)
        watched[id]?.untold.insert(subscriber)
        if let fault {
            return actions + tell(id, .failed(fault), causes: .availability)
        }
        // Several who come at once for one target are answered by one evaluation; the loop drops repetitions.
        return actions + [.evaluate([id])]
    }

    private mutating func makeTarget(_ target: ReachabilityTarget, _ actions: inout [Action]) -> TargetID {
        lastID += 1
        let id = TargetID(number: lastID)
        ids[target] = id
        watched[id] = Watched(target: target)
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
        watched[id]?.subscribers.remove(subscriber)
        watched[id]?.untold.remove(subscriber)
        guard let entry = watched[id], entry.subscribers.isEmpty else { return [] }
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
        if batch.isAboutEverything || batch.isOverrun {
            return everything(batch.isOverrun ? batch.causes.union(.overrun) : batch.causes)
        }
        guard !batch.destinations.isEmpty else { return [] }
        if isIndexStale {
            index = QuestionIndex(watched.map { (id: $0.key, destinations: $0.value.destinations) })
            isIndexStale = false
        }
        let ids = index.targets(within: batch.destinations)
        // What touches nobody is no cause of what comes later.
        guard !ids.isEmpty else { return [] }
        causes.formUnion(batch.causes)
        return [.evaluate(Array(ids))]
    }

    /// Any answer may be another: after a sleep, a loss, or a word of a desktop service.
    package mutating func changedAltogether(_ causes: ChangeCauses) -> [Action] {
        everything(causes)
    }

    private mutating func everything(_ causes: ChangeCauses) -> [Action] {
        guard !watched.isEmpty else { return [] }
        self.causes.formUnion(causes)
        return [.evaluate(Array(watched.keys))]
    }

    /// Time has passed: what ran out is looked at again.
    package mutating func timePassed(now: ContinuousClock.Instant) -> [Action] {
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
        return watched.keys.flatMap { tell($0, .failed(reason), causes: .availability) }
    }

    /// The network can be asked, for the first time or again.
    package mutating func becameAvailable() -> [Action] {
        defer { fault = nil }
        listening = []
        return everything(fault == nil ? [] : .availability)
    }

    // MARK: - Findings

    /// Evaluations are done. What they asked about must have been listened for before they asked: if it was not, they
    /// are repeated once it is.
    package mutating func evaluated(_ findings: [Finding]) -> [Action] {
        guard fault == nil else { return [] }
        let asked = findings.reduce(into: Set<IPAddress>()) { $0.formUnion($1.asked.map(\.destination)) }
        guard asked.isSubset(of: listening) else {
            // What nobody asks about any more is left out on this occasion. All that was asked stays in, what was listened
            // for before too: else the repetition would miss that, and the next one this, without end.
            listening = watched.values.reduce(into: asked) { $0.formUnion($1.destinations) }
            return [.listen(listening), .evaluate(findings.map(\.id))]
        }
        let actions = findings.flatMap { note($0) }
        causes = []
        return actions
    }

    private mutating func note(_ finding: Finding) -> [Action] {
        guard let entry = watched[finding.id] else { return [] }
        let destinations = Set(finding.asked.map(\.destination))
        if destinations != entry.destinations {
            watched[finding.id]?.destinations = destinations
            isIndexStale = true
        }
        if let expiry = finding.expiry {
            expiries[finding.id] = Expiry(time: expiry)
        } else if finding.report.reason != nil {
            expiries[finding.id] = nil
        }
        // Else what was known of an end stays: in its last hundredth of a second a route looks as if it had none.
        return tell(finding.id, finding.report, causes: causes)
    }

    /// Tells a report to all if it differs from the last, else to those alone who know nothing yet.
    private mutating func tell(_ id: TargetID, _ report: Report, causes: ChangeCauses) -> [Action] {
        guard let entry = watched[id] else { return [] }
        let isNew = entry.report != report
        let told = isNew ? entry.subscribers : entry.untold
        // "Not known yet" is no news: a name's first report is told when there is an answer.
        let isWorthTelling = report.isKnown
        watched[id]?.report = report
        if isNew { generation += 1 }
        var actions: [Action] = []
        if told.contains(Self.namesSubscriber), isNew, entry.report != nil { actions.append(.defaultPathChanged) }
        guard isWorthTelling else { return actions }
        watched[id]?.untold = []
        let old = told.subtracting(entry.untold).subtracting([Self.namesSubscriber])
        let new = entry.untold.subtracting([Self.namesSubscriber])
        if !old.isEmpty {
            actions.append(.tell(Array(old), Update(report: report, causes: causes, generation: generation)))
        }
        if !new.isEmpty {
            actions.append(.tell(Array(new), Update(report: report, causes: .initial, generation: generation)))
        }
        return actions
    }
}

/// What a subscriber is handed.
package struct Update: Equatable, Sendable {
    package let report: Report
    package let causes: ChangeCauses
    /// Counts the reports of the engine: of two equal reports the later one has the higher number.
    package let generation: UInt64
}

extension Subject {
    /// What to find out for a target, given what is known of names.
    package init(_ target: ReachabilityTarget, names: (HostName) -> NameAnswer) {
        switch target.content {
        case .defaultRoute: self = .defaultRoute
        case .address(let address): self = .address(address.ip, scope: address.scope)
        case .pair(let local, let remote):
            self = .pair(local: local?.ip, remote: remote?.ip, scope: remote?.scope ?? local?.scope)
        case .name(let name): self = .name(names(name))
        case .refused(let error): self = .refused(error.reason)
        case .path(let filter): self = .path(filter)
        }
    }
}

extension SocketAddress {
    /// The interface that the scope names.
    package var scope: InterfaceIndex? { scopeID == 0 ? nil : InterfaceIndex(scopeID) }
}
