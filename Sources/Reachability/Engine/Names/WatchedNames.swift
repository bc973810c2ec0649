internal import InternetProtocol
package import NameResolution
package import Timing

/// Keeps what is known of the watched names up to date: one machine decides for each name, one source looks them up.
package final class WatchedNames: NameService {
    private let lookups: any NameLookups
    private let firstResultLimit: Duration
    private var names: [HostName: Entry] = [:]
    private var answers: [(name: HostName, answer: NameAnswer)] = []
    /// The time at which the engine handed over control; outcomes come from inside such a call.
    private var now = Instant.now

    private struct Entry {
        var machine: NameMachine
        var tickets: [NameMachine.Attempt: LookupTicket] = [:]
        /// False for one that was forgotten with a question open. A question that was sent cannot be taken back, so that is
        /// kept: whoever comes before its answer shall not ask another.
        var isWatched = true
    }

    /// `firstResultLimit` is how long a name may stay unknown.
    package init(_ lookups: any NameLookups, firstResultLimit: Duration = .seconds(5)) {
        self.lookups = lookups
        self.firstResultLimit = firstResultLimit
    }

    package var nameservers: [Nameserver] { lookups.nameservers }

    package func watch(_ name: HostName, now: Instant) {
        self.now = now
        if let entry = names[name] {
            guard !entry.isWatched else { return }
            names[name]?.isWatched = true
            if entry.machine.knowledge != .unknown { answers.append((name, NameAnswer(entry.machine.knowledge))) }
            // Meanwhile the path may have changed, which nobody tells where no name is watched.
            return step(name) { $0.pathChanged(now: now) }
        }
        names[name] = Entry(
            machine: NameMachine(
                firstResultLimit: firstResultLimit, isConfigurationWatched: lookups.isConfigurationWatched))
        step(name) { $0.start(now: now) }
    }

    package func forget(_ name: HostName) {
        guard let entry = names[name] else { return }
        if entry.tickets.isEmpty { names[name] = nil } else { names[name]?.isWatched = false }
    }

    /// Gives up the questions that nobody waits for.
    private func dropForgotten() {
        for (name, entry) in names where !entry.isWatched {
            names[name] = nil
            for ticket in entry.tickets.values { lookups.cancel(ticket) }
        }
    }

    package func defaultPathChanged(now: Instant) {
        self.now = now
        dropForgotten()  // what was sent into the path that is gone is nobody's answer
        for name in names.keys { step(name) { $0.pathChanged(now: now) } }
    }

    package func process(_ descriptor: Int32, readable: Bool, writable: Bool, now: Instant) {
        self.now = now
        if lookups.process(descriptor, readable: readable, writable: writable, now: now) { configurationChanged() }
    }

    private func configurationChanged() {
        dropForgotten()
        for name in names.keys {
            names[name]?.tickets = [:]
            step(name) { $0.configurationChanged(now: now) }
        }
    }

    package func timePassed(now: Instant) {
        self.now = now
        if let deadline = lookups.deadline(now: now), deadline <= now, lookups.timePassed(now: now) {
            configurationChanged()
        }
        for (name, entry) in names {
            guard let deadline = entry.machine.deadline, deadline <= now else { continue }
            step(name) { $0.deadlineReached(now: now) }
        }
    }

    package func deadline(now: Instant) -> Instant? {
        let machines = names.values.compactMap(\.machine.deadline).min()
        return [machines, lookups.deadline(now: now)].compactMap { $0 }.min()
    }

    package func takeAnswers() -> [(name: HostName, answer: NameAnswer)] {
        defer { answers = [] }
        return answers
    }

    package func close() {
        names = [:]
        lookups.close()
    }

    /// Lets the machine of a name decide, and does what it says.
    private func step(_ name: HostName, _ decide: (inout NameMachine) -> [NameMachine.Action]) {
        guard var entry = names[name] else { return }
        let actions = decide(&entry.machine)
        names[name] = entry
        for action in actions {
            switch action {
            case .publish(let knowledge): answers.append((name, NameAnswer(knowledge)))
            case .cancelLookup(let attempt):
                if let ticket = names[name]?.tickets.removeValue(forKey: attempt) { lookups.cancel(ticket) }
            case .lookUp(let attempt): lookUp(name, attempt)
            }
        }
    }

    private func lookUp(_ name: HostName, _ attempt: NameMachine.Attempt) {
        let ticket = lookups.lookUp(name) { [weak self] addresses in
            guard let self else { return }
            step(name) { $0.foundEarly(addresses, for: attempt, now: self.now) }
        } completion: { [weak self] outcome in
            guard let self else { return }
            names[name]?.tickets[attempt] = nil
            guard names[name]?.isWatched == true else { return names[name] = nil }
            step(name) { $0.answered(outcome, for: attempt, now: self.now) }
        }
        names[name]?.tickets[attempt] = ticket
    }
}

extension NameAnswer {
    /// What is known of a name, as an evaluation takes it.
    package init(_ knowledge: NameKnowledge) {
        self =
            switch knowledge {
            case .unknown: .notKnownYet
            case .addresses(let addresses): .addresses(addresses)
            case .notFound: .failed(.nameNotFound)
            case .failed(.timeout): .failed(.resolverTimeout)
            case .failed(.failed): .failed(.resolverFailed)
            case .failed(.noResolver): .failed(.noResolver)
            }
    }
}
