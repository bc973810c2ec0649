package import InternetProtocol
package import Timing

/// What is known of one name, and when it is to be looked up again. Pure: one for each distinct name, however many watch it.
///
/// - The first result comes within `firstResultLimit`: when no answer has come by then, the name counts as failed (timeout), and
///   the lookup goes on. A failure that comes sooner is a result too, and told at once.
/// - One lookup at a time. A change of the configuration ends the one under way, as its channel goes, and starts
///   another at once.
/// - A change of the default path looks up at once, but no sooner than `pathInterval` after the lookup before; what is left
///   over comes at that time, so that the last change is never missed. One that is under way is waited for, but no longer than
///   `pathPatience`: it was perhaps sent into the path that is gone.
/// - Addresses are looked up again when their time to live is over, within `timeToLiveRange`; those of the hosts file and
///   of localhost have none, and rest until something changes.
/// - After a failure and after "not found" it is tried again after 1 s, then 2, 4, and so on up to 60 s, from the start
///   again after a success and a change of path or configuration. A name that was just made, or a resolver that is not quite up and
///   denies all names, is so seen soon, and one that never comes costs a lookup a minute.
/// - Without a server nothing is tried again: only a change of the configuration can help, and that is told.
/// - A failure leaves known addresses, and "not found", as they are, and a failure for one family the known addresses of that
///   one; "not found" ends addresses.
/// - Addresses compare as sets: another order is not published.
package struct NameMachine: Sendable {
    /// Which lookup of the name an action or an answer belongs to.
    package struct Attempt: Hashable, Sendable {
        fileprivate let number: UInt64
    }

    /// What the engine is to do.
    package enum Action: Equatable, Sendable {
        /// Look the name up, and give the answer to `answered` with this attempt.
        case lookUp(Attempt)
        /// This attempt's answer is no longer wanted; it is ignored if it comes.
        case cancelLookup(Attempt)
        /// Tell everyone who watches.
        case publish(NameKnowledge)
    }

    /// What is known now, as published last.
    package private(set) var knowledge = NameKnowledge.unknown

    private let firstResultLimit: Duration
    private let isConfigurationWatched: Bool

    private var isStarted = false
    /// When the first result has to be there; nil once it is.
    private var firstResultDue: Instant?
    private var lastNumber: UInt64 = 0
    private var current: Attempt?
    private var lastStart: Instant?
    /// The path changed while a lookup was under way: until when that one is waited for before another replaces it.
    private var replacement: Instant?
    /// When to look up next, if nothing else happens.
    private var nextStart: Instant?
    /// Failures and denials in a row.
    private var setbacks = 0

    /// At most one lookup in this time for changes of the default path (Rules.md, "A name").
    package static let pathInterval: Duration = .seconds(1)
    /// How long a lookup from before a change of the default path is waited for: as long as a server has for its first
    /// answer, and not longer than a name may take to come back with its path.
    package static let pathPatience: Duration = .seconds(2)
    /// The bounds of a time to live (Rules.md, "A name"): below, it would be a lookup a second; above, a changed
    /// zone is missed.
    package static let timeToLiveRange: ClosedRange<Duration> = .seconds(30) ... .seconds(3600)
    /// The bounds of the back-off (Rules.md, "A name").
    package static let backOffRange: ClosedRange<Duration> = .seconds(1) ... .seconds(60)

    /// - Parameters:
    ///   - firstResultLimit: How long the name may stay unknown.
    ///   - isConfigurationWatched: False if changes of the configuration go unseen; then a missing server is tried for like
    ///     any other failure.
    package init(firstResultLimit: Duration = .seconds(5), isConfigurationWatched: Bool = true) {
        self.firstResultLimit = firstResultLimit
        self.isConfigurationWatched = isConfigurationWatched
    }

    /// When `deadlineReached` is to be called; nil: never, unless something else happens.
    package var deadline: Instant? {
        [firstResultDue, current == nil ? nextStart : replacement].compactMap(\.self).min()
    }
}

// MARK: - Inputs

extension NameMachine {
    /// Somebody watches the name now. Only the first call does anything.
    package mutating func start(now: Instant) -> [Action] {
        guard !isStarted else { return [] }
        isStarted = true
        firstResultDue = now + firstResultLimit
        return [lookUp(now: now)]
    }

    /// The default path changed: the name may mean something else there, or can be asked for at last.
    package mutating func pathChanged(now: Instant) -> [Action] {
        guard isStarted else { return [] }
        setbacks = 0
        guard current != nil, let lastStart else { return lookUpForPath(now: now) }
        replacement = max(now, lastStart + Self.pathPatience)
        return replaceIfDue(now: now)
    }

    /// The servers, the hosts file or the services changed, and with them the channel.
    package mutating func configurationChanged(now: Instant) -> [Action] {
        guard isStarted else { return [] }
        setbacks = 0
        return replaceCurrent(now: now)
    }

    /// Addresses of one family came, the other's are still awaited: better than nothing known.
    package mutating func foundEarly(
        _ addresses: [IPAddress], for attempt: Attempt, now: Instant
    ) -> [Action] {
        guard attempt == current, !addresses.isEmpty else { return [] }
        if case .addresses = knowledge { return [] }  // the whole answer may hold those, and follows
        return publish(.addresses(addresses))
    }

    /// A lookup ended. The answer of an attempt that is not under way is ignored.
    package mutating func answered(
        _ outcome: LookupOutcome, for attempt: Attempt, now: Instant
    ) -> [Action] {
        guard attempt == current else { return [] }
        current = nil
        let published = publish(learned(from: outcome))
        schedule(after: outcome, now: now)
        guard replacement != nil else { return published }
        return published + lookUpForPath(now: now)
    }

    /// The time of `deadline` has come. Calling it too early does nothing.
    package mutating func deadlineReached(now: Instant) -> [Action] {
        var actions: [Action] = []
        if let due = firstResultDue, due <= now { actions += publish(.failed(.timeout)) }
        if current == nil, let due = nextStart, due <= now { actions.append(lookUp(now: now)) }
        return actions + replaceIfDue(now: now)
    }
}

// MARK: - Decisions

extension NameMachine {
    private mutating func lookUp(now: Instant) -> Action {
        lastNumber += 1
        let attempt = Attempt(number: lastNumber)
        current = attempt
        lastStart = now
        nextStart = nil
        replacement = nil  // this one comes after whatever asked for it
        return .lookUp(attempt)
    }

    private mutating func replaceIfDue(now: Instant) -> [Action] {
        guard let replacement, replacement <= now else { return [] }
        return replaceCurrent(now: now)
    }

    private mutating func replaceCurrent(now: Instant) -> [Action] {
        let ended = current.map { Action.cancelLookup($0) }
        return [ended, lookUp(now: now)].compactMap(\.self)
    }

    private mutating func lookUpForPath(now: Instant) -> [Action] {
        replacement = nil
        let earliest = lastStart.map { $0 + Self.pathInterval } ?? now
        guard earliest > now else { return [lookUp(now: now)] }
        nextStart = min(nextStart ?? earliest, earliest)
        return []
    }

    /// What is known after this outcome.
    private func learned(from outcome: LookupOutcome) -> NameKnowledge {
        switch outcome {
        case .addresses(let addresses, _) where !addresses.isEmpty: .addresses(addresses)
        case .partial(let addresses, _, let missing): .addresses(addresses + known(missing))
        case .addresses, .notFound: .notFound
        case .timeout: afterFailure(.timeout)
        case .failed: afterFailure(.failed)
        case .noResolver: afterFailure(.noResolver)
        }
    }

    /// The addresses of a family that are known.
    private func known(_ family: IPAddress.Family) -> [IPAddress] {
        guard case .addresses(let addresses) = knowledge else { return [] }
        return addresses.filter { $0.family == family }
    }

    /// A failure says nothing about the name, so what a server said of it before stands. Only that there is
    /// no server any more is the better reason for a name without addresses.
    private func afterFailure(_ reason: NameKnowledge.Reason) -> NameKnowledge {
        switch knowledge {
        case .addresses: knowledge
        case .notFound where reason != .noResolver: knowledge
        case .unknown, .notFound, .failed: .failed(reason)
        }
    }

    private mutating func publish(_ new: NameKnowledge) -> [Action] {
        firstResultDue = nil
        guard new != knowledge else { return [] }
        knowledge = new
        return [.publish(new)]
    }

    private mutating func schedule(after outcome: LookupOutcome, now: Instant) {
        switch outcome {
        case .addresses(let addresses, let timeToLive) where !addresses.isEmpty:
            setbacks = 0
            nextStart = timeToLive.map { now + $0.clamped(to: Self.timeToLiveRange) }
        case .partial(_, let timeToLive, _):
            nextStart = now + min(backOff, timeToLive.clamped(to: Self.timeToLiveRange))
            setbacks += 1
        case .noResolver where isConfigurationWatched:
            nextStart = nil
        case .addresses, .notFound, .timeout, .failed, .noResolver:
            nextStart = now + backOff
            setbacks += 1
        }
    }

    private var backOff: Duration {
        // 2^6 is beyond the upper bound already.
        (Self.backOffRange.lowerBound * (1 << min(setbacks, 6))).clamped(to: Self.backOffRange)
    }
}

extension Duration {
    fileprivate func clamped(to range: ClosedRange<Duration>) -> Duration {
        min(max(self, range.lowerBound), range.upperBound)
    }
}
