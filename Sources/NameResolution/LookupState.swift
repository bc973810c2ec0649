internal import InternetProtocol

/// One lookup under way: the names to ask for one after the other, each in both families. Pure.
///
/// The families are asked for apart, because c-ares, asked for both at once, tells only how the one that ended last ended:
/// a failure for IPv4 and then "no data" for IPv6 would come out as "not found", and take down a name that exists. It
/// would also keep the first family's addresses back until the other has timed out.
struct LookupState: Sendable {
    enum Step: Equatable, Sendable {
        /// Ask for this name in both families.
        case ask(String)
        /// Addresses of one family are there, and the other is still awaited.
        case half([IPAddress])
        case end(LookupOutcome)
    }

    /// Names still to ask for, the next one last.
    private var candidates: [String]
    private var answers: [IPAddress.Family: FamilyAnswer] = [:]

    /// - Parameter candidates: The names in the order to ask for them; without any the name is not found.
    init(candidates: [String]) {
        self.candidates = candidates.reversed()
    }

    /// The next name, or the end where there is none.
    mutating func next() -> Step {
        answers = [:]
        return candidates.popLast().map { .ask($0) } ?? .end(.notFound)
    }

    /// Takes the answer for one family of the current name; nil while nothing follows from it.
    mutating func take(_ answer: FamilyAnswer, for family: IPAddress.Family) -> Step? {
        answers[family] = answer
        guard let v4 = answers[.v4], let v6 = answers[.v6] else {
            guard case .addresses(let addresses, _) = answer else { return nil }
            return .half(addresses)
        }
        return Self.outcome(v4, v6).map { .end($0) } ?? next()
    }

    /// The outcome for a name that was asked for in both families; nil: not found.
    ///
    /// A failure outweighs "not found", which is only certain when both families say it. Of two failures the one that got
    /// further is told: an answer, then silence.
    private static func outcome(_ v4: FamilyAnswer, _ v6: FamilyAnswer) -> LookupOutcome? {
        switch (v4, v6) {
        case (.addresses(let a, let t), .addresses(let b, let u)): .addresses(a + b, timeToLive: min(t, u))
        case (.addresses(let a, let t), .notFound), (.notFound, .addresses(let a, let t)): .addresses(a, timeToLive: t)
        case (.addresses(let a, let t), _): .partial(a, timeToLive: t, missing: .v6)
        case (_, .addresses(let a, let t)): .partial(a, timeToLive: t, missing: .v4)
        case (.failed(let status), _), (_, .failed(let status)): .failed(code: status.rawValue, text: status.text)
        case (.timeout, _), (_, .timeout): .timeout
        case (.noResolver, _), (_, .noResolver): .noResolver
        case (.notFound, _), (_, .notFound), (.cancelled, .cancelled): nil
        }
    }
}
