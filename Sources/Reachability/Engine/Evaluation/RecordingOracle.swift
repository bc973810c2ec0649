internal import InternetProtocol
package import Rtnetlink

/// Passes questions on and keeps them: what can affect a target is exactly what was asked for it.
package struct RecordingOracle<Base: RouteOracle>: RouteOracle {
    private var base: Base
    package private(set) var asked: [RouteQuestion] = []
    /// The shortest time that one of the answers holds; nil if none expires.
    package private(set) var lifetime: Duration?

    package init(_ base: Base) {
        self.base = base
        asked.reserveCapacity(ProbeAddresses.all.count)
    }

    package var view: NetworkView { base.view }

    package mutating func route(_ question: RouteQuestion) -> RouteAnswer {
        asked.append(question)
        let answer = base.route(question)
        note(answer, to: question)
        return answer
    }

    package mutating func routes(_ first: RouteQuestion, _ second: RouteQuestion) -> (RouteAnswer, RouteAnswer) {
        asked.append(first)
        asked.append(second)
        let answers = base.routes(first, second)
        note(answers.0, to: first)
        note(answers.1, to: second)
        return answers
    }

    private mutating func note(_ answer: RouteAnswer, to question: RouteQuestion) {
        guard case .success(let route) = answer,
            let holds = route.lifetime ?? lifetimeOfEntry(for: question, route)
        else { return }
        lifetime = lifetime.map { min($0, holds) } ?? holds
    }

    /// How long the entry behind an IPv6 answer holds: what a packet would do is told without its expiry
    /// (net/ipv6/route.c, rt6_set_from), so the entry is looked at too unless it was asked for already.
    private mutating func lifetimeOfEntry(for question: RouteQuestion, _ route: Route) -> Duration? {
        var entry = question
        entry.match = .entry
        guard question.destination.family == .v6, route.type == .unicast, !asked.contains(entry),
            case .success(let found) = base.route(entry)
        else { return nil }
        return found.lifetime
    }

    package mutating func flags(of link: LinkEntry) -> LinkFlags? { base.flags(of: link) }

    package mutating func link(_ index: InterfaceIndex) -> LinkEntry? { base.link(index) }
}
