internal import InternetProtocol
internal import NameResolution
internal import Reachability
internal import Synchronization
internal import Timing

/// What the name servers of a scripted network say of a name, or its hosts file.
public enum ScriptedName: Hashable, Sendable {
    /// It has these addresses, and the answer holds that long.
    case addresses([String], timeToLive: Duration = .seconds(300))
    /// It stands in the hosts file with these addresses, so that nobody has to be asked.
    case hostsFile([String])
    /// It does not exist.
    case notFound
    /// The servers fail (SERVFAIL).
    case failing
    /// No server answers; the lookup ends after ten seconds.
    case silent
    /// No server is configured.
    case noResolver
}

extension ScriptedNetwork {
    /// Sets what a name is from now on. Who knows it already learns of it with the next lookup: when the time to live is
    /// over, the default path changes, or `changeResolverConfiguration` is called. Names that were not set do not exist.
    public func setName(_ name: String, _ answer: ScriptedName) {
        state.withLock { $0.names[Self.key(name)] = answer }
    }

    /// Tells that the resolver's configuration changed: all names are looked up again at once.
    public func changeResolverConfiguration() {
        state.withLock { $0.configuration += 1 }
        change { _ in ChangeBatch() }
    }

    /// The form in which names are asked for; text that is no name is kept, and never asked for.
    private static func key(_ name: String) -> String { (try? HostName(name))?.text ?? name }

    /// What the script's hosts file says of a name; the host's own is left out of it.
    func localAddresses(of name: HostName) -> [IPAddress]? {
        if case .hostsFile(let texts)? = state.withLock({ $0.names[name.text] }) {
            return texts.compactMap { IPAddress($0) }
        }
        return LocalNames().addresses(of: name)
    }

    /// How many lookups were begun so far, of one name or of all.
    public func lookups(of name: String? = nil) -> Int {
        state.withLock { contents in
            name.map { contents.lookups[Self.key($0)] ?? 0 } ?? contents.lookups.values.reduce(0, +)
        }
    }
}

/// Looks names up in a script. Belongs to the engine's thread.
final class ScriptedLookups: NameLookups {
    private let network: ScriptedNetwork
    private var underWay: [LookupTicket: Lookup] = [:]
    private var lastNumber: UInt64 = 0
    private var configuration: Int

    private struct Lookup {
        let name: HostName
        let completion: (LookupOutcome) -> Void
        /// When it ends; nil for as soon as the engine comes back.
        var due: Instant?
    }

    /// How long a lookup takes that no server answers.
    private static let patience = Duration.seconds(10)

    init(_ network: ScriptedNetwork) {
        self.network = network
        configuration = network.state.withLock { $0.configuration }
    }

    var isConfigurationWatched: Bool { true }

    var nameservers: [Nameserver] { network.state.withLock { $0.nameservers } }

    func lookUp(
        _ name: HostName, early: @escaping ([IPAddress]) -> Void, completion: @escaping (LookupOutcome) -> Void
    ) -> LookupTicket {
        lastNumber += 1
        let ticket = LookupTicket(number: lastNumber)
        network.state.withLock { $0.lookups[name.text, default: 0] += 1 }
        underWay[ticket] = Lookup(name: name, completion: completion)
        return ticket
    }

    func cancel(_ ticket: LookupTicket) { underWay[ticket] = nil }

    func process(_ descriptor: Int32, readable: Bool, writable: Bool, now: Instant) -> Bool { false }

    func timePassed(now: Instant) -> Bool {
        let current = network.state.withLock { $0.configuration }
        guard current == configuration else {
            configuration = current
            underWay = [:]
            return true
        }
        for (ticket, lookup) in underWay.sorted(by: { $0.key.number < $1.key.number }) {
            if let due = lookup.due, due > now { continue }
            guard let outcome = outcome(of: lookup) else {
                underWay[ticket]?.due = now + Self.patience
                continue
            }
            underWay[ticket] = nil
            lookup.completion(outcome)
        }
        return false
    }

    /// How a lookup ends; nil if it has to wait for its end first.
    private func outcome(of lookup: Lookup) -> LookupOutcome? {
        if let local = network.localAddresses(of: lookup.name) {
            return local.isEmpty ? .notFound : .addresses(local, timeToLive: nil)
        }
        switch network.state.withLock({ $0.names[lookup.name.text] ?? .notFound }) {
        case .addresses(let texts, let timeToLive):
            let addresses = texts.compactMap { IPAddress($0) }
            return addresses.isEmpty ? .notFound : .addresses(addresses, timeToLive: timeToLive)
        case .notFound, .hostsFile: return .notFound
        case .failing: return .failed(code: 3, text: "SERVFAIL")  // ARES_ESERVFAIL, ares.h
        case .noResolver: return .noResolver
        case .silent: return lookup.due == nil ? nil : .timeout
        }
    }

    func deadline(now: Instant) -> Instant? {
        if network.state.withLock({ $0.configuration }) != configuration { return now }
        return underWay.values.map { $0.due ?? now }.min()
    }

    func close() { underWay = [:] }
}
