package import InternetProtocol
package import Timing

/// Looks names up: the hosts file and localhost without a network, every other name through c-ares. One thread, and no
/// thread of its own: the caller waits on the descriptors and until the deadline, and says when there is something to do:
///
///     channel.process(descriptor: fd, readable: true, writable: false, now: now)  // for each that is ready
///     channel.processTimeouts(now: now)                                           // when the deadline is reached
///
/// Outcomes are told from inside these two calls, never from inside `lookUp`; `lookUp`, `cancel` and `close` may be called
/// from there. A channel keeps the configuration it was made with: when that changes, close it and make a new one. One that
/// is let go is closed.
///
/// **Descriptors.** `onDescriptor(fd, readable, writable)` says what to wait for; both false: forget the descriptor. Each
/// call comes before the descriptor is closed and has to be carried out at once, in order: a socket that is closed and
/// another one opened with the same number come as `(7, false, false)`, `(7, true, false)`, and between the two an epoll
/// set has forgotten the old one by itself, so that modifying it instead of adding it fails. An event still in hand for the
/// old socket does no harm: the new one has nothing to read, and stays. Count EPOLLERR and EPOLLHUP as readable, which is
/// how a closed port shows. The handler is called from inside c-ares: there, `process` does nothing and `close` waits until
/// c-ares has returned.
package final class NameChannel {
    /// One lookup of a channel.
    package struct LookupID: Hashable, Sendable {
        fileprivate let number: UInt64
    }

    /// How long the addresses of one family wait for the answer of the other until they are told early. Time for a slow
    /// server, well within the 5 s in which a name has to be known (Rules.md, "A name"): some servers never answer
    /// for IPv6 (RFC 4074, 4.1).
    package static let earlyInterval: Duration = .seconds(1)

    /// The most questions that are open at once; other lookups wait. A socket holds 256 datagrams of that size by default
    /// (measured; net.core.rmem_default, 208 KiB), and those that do not fit are lost: a thousand names that are looked up
    /// together would cost a server on this host three quarters of them.
    package static let questionLimit = 192

    private let configuration: ResolverConfiguration
    private let localNames: LocalNames
    private let onDescriptor: (CInt, Bool, Bool) -> Void

    private var cares: CaresChannel?
    private var lookups: [LookupID: Lookup] = [:]
    private var lastNumber: UInt64 = 0
    /// Addresses of one family while the other is awaited, and when they are to be told.
    private var halves: [LookupID: (addresses: [IPAddress], due: Instant)] = [:]
    /// Lookups whose next question is still to be asked.
    private var toAsk: [(LookupID, name: String)] = []
    /// How many questions c-ares has; also those of lookups that were cancelled.
    private var openQuestions = 0
    /// What c-ares has answered. Taken when it has returned, so that it is never called from inside itself.
    private var answers: [(LookupID, IPAddress.Family, FamilyAnswer)] = []
    private var outcomes: [(LookupID, LookupOutcome)] = []
    private var isInsideCares = false
    private var isClosed = false

    private struct Lookup {
        var state: LookupState
        let early: ([IPAddress]) -> Void
        let completion: (LookupOutcome) -> Void
    }

    /// A channel for this configuration. Without servers it opens nothing and does not fail.
    package init(
        _ configuration: ResolverConfiguration, hosts: HostsFile = HostsFile(),
        onDescriptor: @escaping (_ descriptor: CInt, _ readable: Bool, _ writable: Bool) -> Void
    ) throws(NameChannelError) {
        self.configuration = configuration
        localNames = LocalNames(hosts: hosts, services: configuration.services)
        self.onDescriptor = onDescriptor
        guard configuration.nameservers.contains(where: \.isAddressable) else { return }
        cares = try CaresChannel(configuration, onDescriptor: onDescriptor)
    }

    /// Looks a name up in both families.
    /// - Parameters:
    ///   - early: Told the addresses of one family, at most once, when the other's answer is long in coming.
    ///   - completion: Told the outcome once, unless the lookup is cancelled or the channel closed.
    @discardableResult
    package func lookUp(
        _ name: HostName, early: @escaping ([IPAddress]) -> Void = { _ in },
        completion: @escaping (LookupOutcome) -> Void
    ) -> LookupID {
        lastNumber += 1
        let id = LookupID(number: lastNumber)
        guard !isClosed else { return id }
        let outcome = answerWithoutServer(name)
        let state = LookupState(candidates: outcome == nil ? configuration.candidates(for: name) : [])
        lookups[id] = Lookup(state: state, early: early, completion: completion)
        if let outcome {
            outcomes.append((id, outcome))
        } else if case .ask(let first)? = lookups[id]?.state.next() {
            toAsk.append((id, first))
            askServers()
        }
        return id
    }

    /// Ends a lookup without telling its outcome. Questions that were sent are not sent again for long: c-ares cannot take
    /// back one, and lets them run out.
    package func cancel(_ id: LookupID) {
        lookups[id] = nil
        halves[id] = nil
    }

    /// Reads and writes a descriptor that is ready, and tells what came of it. One that is not the channel's is ignored.
    package func process(descriptor: CInt, readable: Bool, writable: Bool, now: Instant) {
        run { $0.process(descriptor: descriptor, readable: readable, writable: writable) }
        proceed(now: now)
    }

    /// Does what is due: questions sent again, outcomes and early addresses told.
    package func processTimeouts(now: Instant) {
        run { $0.processTimeouts() }
        proceed(now: now)
    }

    /// When `processTimeouts` is to be called; nil: not before something else happens. Ask again after each call.
    package func deadline(now: Instant) -> Instant? {
        guard answers.isEmpty && outcomes.isEmpty else { return now }
        var deadline = cares?.timeout.map { now + $0 }
        for half in halves.values { deadline = min(deadline ?? half.due, half.due) }
        return deadline
    }

    /// Ends all lookups without telling an outcome, and forgets and closes every descriptor. For good.
    package func close() {
        isClosed = true
        lookups = [:]
        halves = [:]
        toAsk = []
        answers = []
        outcomes = []
        guard !isInsideCares else { return }
        isInsideCares = true
        cares?.close()
        cares = nil
        isInsideCares = false
    }
}

// MARK: - Steps

extension NameChannel {
    /// The answer that needs no server, or that there is none to ask; nil: ask one.
    private func answerWithoutServer(_ name: HostName) -> LookupOutcome? {
        if let local = localNames.addresses(of: name) {
            return local.isEmpty ? .notFound : .addresses(local, timeToLive: nil)
        }
        return configuration.nameservers.isEmpty ? .noResolver : nil
    }

    /// Calls c-ares, which may call back. Not from inside itself.
    private func run(_ body: (CaresChannel) -> Void) {
        guard !isInsideCares, let cares else { return }
        isInsideCares = true
        body(cares)
        isInsideCares = false
        if isClosed { close() }
    }

    /// Takes what c-ares has answered, asks what follows from it, and tells what is settled.
    private func proceed(now: Instant) {
        guard !isInsideCares else { return }
        while !answers.isEmpty {
            let taken = answers
            answers = []
            for (id, family, answer) in taken {
                guard let step = lookups[id]?.state.take(answer, for: family) else { continue }
                take(step, for: id, now: now)
            }
            askServers()
        }
        tell(now: now)
    }

    private func take(_ step: LookupState.Step, for id: LookupID, now: Instant) {
        switch step {
        case .ask(let name):
            halves[id] = nil
            toAsk.append((id, name))
        case .half(let addresses):
            halves[id] = (addresses, now + Self.earlyInterval)
        case .end(let outcome):
            halves[id] = nil
            outcomes.append((id, outcome))
        }
    }

    private func askServers() {
        var problem = "no server can be addressed: "
        problem += configuration.nameservers.map(\.text).joined(separator: ", ")
        // A server may have become addressable since: its link has come.
        if cares == nil, !toAsk.isEmpty, configuration.nameservers.contains(where: \.isAddressable) {
            do { cares = try CaresChannel(configuration, onDescriptor: onDescriptor) } catch { problem = "\(error)" }
        }
        while !isInsideCares, !toAsk.isEmpty, openQuestions + 2 <= Self.questionLimit {
            let (id, name) = toAsk.removeFirst()
            guard lookups[id] != nil else { continue }
            guard cares != nil else {
                outcomes.append((id, .failed(code: CaresStatus.connectionRefused.rawValue, text: problem)))
                continue
            }
            run { cares in
                for family in [IPAddress.Family.v4, .v6] {
                    openQuestions += 1
                    // Weak: c-ares holds the question, and this holds c-ares.
                    cares.ask(name, family) { [weak self] answer in
                        self?.openQuestions -= 1
                        self?.answers.append((id, family, answer))
                    }
                }
            }
        }
    }

    /// Tells what is settled. What is told may do anything, so nothing is kept over a call.
    private func tell(now: Instant) {
        for (id, half) in halves where half.due <= now {
            halves[id] = nil
            lookups[id]?.early(half.addresses)
        }
        let settled = outcomes
        outcomes = []
        for (id, outcome) in settled { lookups.removeValue(forKey: id)?.completion(outcome) }
    }
}
