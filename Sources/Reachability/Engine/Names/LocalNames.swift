package import InternetProtocol
package import NameResolution

/// The names that need no server: localhost and those of the hosts file.
package enum LocalNames {
    /// What this host itself says of a name; nil if a server has to be asked. Reads the hosts file.
    package static func addresses(of name: HostName, hostsPath: String = HostsFile.systemPath) -> [IPAddress]? {
        if let hosts = try? HostsFile.read(path: hostsPath) {
            let addresses = hosts.addresses(of: name)
            if !addresses.isEmpty { return addresses }
        }
        return name.isLocalhost ? loopback : nil
    }

    /// A service that knows local names alone.
    package static func makeService() -> any NameService { LocalNameService() }

    /// What localhost means where the hosts file does not say (RFC 6761, 6.3).
    private static let loopback = [IPAddress(v4: 0x7f00_0001), IPAddress(family: .v6, bits: 1)]
}

/// Knows local names alone.
final class LocalNameService: NameService {
    private var answers: [(name: HostName, answer: NameAnswer)] = []

    func watch(_ name: HostName, now: ContinuousClock.Instant) {
        let answer = LocalNames.addresses(of: name).map { NameAnswer.addresses($0) } ?? .failed(.noResolver)
        answers.append((name, answer))
    }

    func forget(_ name: HostName) {}
    func defaultPathChanged(now: ContinuousClock.Instant) {}
    func process(_ descriptor: Int32, readable: Bool, writable: Bool, now: ContinuousClock.Instant) {}
    func timePassed(now: ContinuousClock.Instant) {}
    func deadline(now: ContinuousClock.Instant) -> ContinuousClock.Instant? { nil }
    func takeAnswers() -> [(name: HostName, answer: NameAnswer)] {
        defer { answers = [] }
        return answers
    }
    func close() {}
}
