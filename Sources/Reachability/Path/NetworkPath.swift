internal import InternetProtocol
internal import Rtnetlink

/// The way that packets leave this host by: NWPath.
///
/// Two paths are equal if all that can be read of them is, `causes` and `generation` apart.
public struct NetworkPath: Sendable {
    /// Whether packets can leave.
    public enum Status: String, Hashable, Sendable, CaseIterable {
        /// They can.
        case satisfied
        /// They cannot.
        case unsatisfied
        /// They could after a connection is made. Never set on Linux, where no connection is seen waiting.
        case requiresConnection
    }

    /// Why a path is not satisfied, in Apple's words.
    public enum UnsatisfiedReason: String, Hashable, Sendable, CaseIterable {
        /// No network is there, or none was looked for yet. The only reason on Linux: `reason` says more.
        case notAvailable
        /// The user does not allow cellular links. Never on Linux.
        case cellularDenied
        /// The user does not allow Wi-Fi. Never on Linux.
        case wifiDenied
        /// The user does not allow the local network. Never on Linux.
        case localNetworkDenied
        /// A VPN that is required is not up. Never on Linux.
        case vpnInactive
    }

    /// Whether packets can leave.
    public let status: Status
    /// Why they cannot, as NWPath has it.
    public let unsatisfiedReason: UnsatisfiedReason = .notAvailable
    /// Why they cannot; nil if they can, or nothing was found out yet.
    public let reason: ReachabilityReason?
    /// The interfaces of the path in the order of preference, the one that packets leave by first. In the path of a
    /// target that is not reachable because a link is down: that link.
    public let availableInterfaces: [NetworkInterface]
    /// The link under the tunnel that packets leave by; nil if they leave by no tunnel or it is not known.
    public let underlyingInterface: NetworkInterface?
    /// The next hops, IPv4 first.
    public let gateways: [SocketAddress]
    /// The addresses of the interfaces that packets leave by, link-local ones left out.
    public let localAddresses: [SocketAddress]
    /// The name servers that are configured, in the order in which they are asked; link-local ones with their scope. Empty in the
    /// path of a target's change, for which nobody looks at them.
    public let dnsServers: [SocketAddress]
    /// True if traffic costs money: a cellular link, or one that NetworkManager calls metered, under a tunnel too.
    public let isExpensive: Bool
    /// Low Data Mode. Always false on Linux, which has none.
    public let isConstrained: Bool
    /// True if IPv4 packets can leave.
    public let supportsIPv4: Bool
    /// True if IPv6 packets can leave.
    public let supportsIPv6: Bool
    /// True if packets can leave and `dnsServers` has one: a matter of path monitors, always false in a target's change.
    public let supportsDNS: Bool
    /// Counts what the engine found out: of two equal paths the later one has the higher number, so that a break
    /// between them can be noticed.
    public let generation: UInt64
    /// What kinds of event led here: `initial`, `link`, `address`, `route`, `routing`, `expiry`, `names`, `overrun`,
    /// `wake`, `availability`, `services`.
    public let causes: [String]

    init(_ report: Report, causes: ChangeCauses, generation: UInt64) {
        let isSatisfied = report.status.isReachable
        let facts = report.path
        status = isSatisfied ? .satisfied : .unsatisfied
        reason = report.reason
        availableInterfaces = facts?.interfaces ?? report.interface.map { [$0] } ?? []
        underlyingInterface = isSatisfied ? report.underlying : nil
        let hops = facts?.gateways ?? report.hop.map { [$0] } ?? []
        gateways = hops.map { hop in
            SocketAddress(ip: hop.address, scopeID: hop.address.isLinkLocal ? hop.interface.rawValue : 0)
        }
        localAddresses = (facts?.localAddresses ?? report.source.map { [$0] } ?? []).map { SocketAddress(ip: $0) }
        dnsServers = (facts?.nameservers ?? []).map { server in
            SocketAddress(ip: server.address, scopeID: server.interface?.rawValue ?? 0)
        }
        isExpensive = isSatisfied && (report.flags.contains(.isWWAN) || facts?.isExpensive == true)
        isConstrained = false
        supportsIPv4 = facts?.supportsIPv4 ?? (isSatisfied && report.source?.family == .v4)
        supportsIPv6 = facts?.supportsIPv6 ?? (isSatisfied && report.source?.family == .v6)
        supportsDNS = isSatisfied && !dnsServers.isEmpty
        self.generation = generation
        self.causes = causes.names
    }

    /// The path that a report tells of.
    package init(_ report: Report) { self.init(report, causes: [], generation: 0) }

    /// The path of a monitor that has not started: unsatisfied, and nothing in it.
    static let notStarted = NetworkPath(Report.notKnownYet, causes: [], generation: 0)

    /// True if packets may leave over such a link: one of the interfaces, or the one under a tunnel.
    public func usesInterfaceType(_ type: NetworkInterface.InterfaceType) -> Bool {
        guard status == .satisfied else { return false }
        return availableInterfaces.contains { $0.type == type } || underlyingInterface?.type == type
    }
}

extension NetworkPath: Hashable {
    /// True if all that can be read of the paths is the same, `causes` and `generation` apart.
    public static func == (a: NetworkPath, b: NetworkPath) -> Bool {
        a.status == b.status && a.reason == b.reason && a.availableInterfaces == b.availableInterfaces
            && a.availableInterfaces.map(\.type) == b.availableInterfaces.map(\.type)
            && a.underlyingInterface == b.underlyingInterface
            && a.underlyingInterface?.type == b.underlyingInterface?.type && a.gateways == b.gateways
            && a.localAddresses == b.localAddresses && a.dnsServers == b.dnsServers && a.isExpensive == b.isExpensive
            && a.supportsIPv4 == b.supportsIPv4 && a.supportsIPv6 == b.supportsIPv6
    }

    /// Hashes a part of what is compared.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(status)
        hasher.combine(availableInterfaces)
        hasher.combine(gateways)
    }
}

extension NetworkPath: CustomDebugStringConvertible {
    /// The path in the shape of NWPath's text:
    /// `satisfied (Path is satisfied), interface: wlan0[802.11], ipv4, dns, uses wifi`.
    public var debugDescription: String {
        guard status == .satisfied else { return "unsatisfied (\(whyUnsatisfied))" }
        var parts = ["satisfied (Path is satisfied)"]
        if let interface = availableInterfaces.first {
            parts.append("interface: \(interface.name)\(interface.type == .wifi ? "[802.11]" : "")")
        }
        let words: [(Bool, String)] = [
            (supportsIPv4, "ipv4"), (supportsIPv6, "ipv6"), (supportsDNS, "dns"), (isExpensive, "expensive"),
            (usesInterfaceType(.wifi), "uses wifi"), (usesInterfaceType(.cellular), "uses cell"),
            (usesInterfaceType(.wiredEthernet), "uses wired"),
        ]
        return (parts + words.filter(\.0).map(\.1)).joined(separator: ", ")
    }

    /// The reason as a sentence of Apple's shape, and in Apple's words where there are some.
    private var whyUnsatisfied: String {
        guard let reason, reason != .noRoute else { return "No network route" }
        return reason.description.prefix(1).uppercased() + reason.description.dropFirst()
    }
}

extension Report {
    /// The next hop with its interface.
    fileprivate var hop: PathFacts.Hop? {
        guard let gateway, let interface else { return nil }
        return PathFacts.Hop(address: gateway, interface: interface.indexValue)
    }
}
