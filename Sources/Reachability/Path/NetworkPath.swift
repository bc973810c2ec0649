internal import InternetProtocol

/// The way that packets leave this host by: NWPath.
public struct NetworkPath: Hashable, Sendable {
    /// Whether packets can leave.
    public enum Status: String, Hashable, Sendable, CaseIterable {
        /// They can.
        case satisfied
        /// They cannot.
        case unsatisfied
        /// They could after a connection is made. Never set on Linux, where no connection is seen waiting.
        case requiresConnection
    }

    /// Whether packets can leave.
    public let status: Status
    /// Why they cannot; nil if they can, or nothing was found out yet.
    public let reason: ReachabilityReason?
    /// The interfaces of the path, the one that packets leave by first.
    public let availableInterfaces: [NetworkInterface]
    /// The link under the tunnel that packets leave by; nil if they leave by no tunnel or it is not known.
    public let underlyingInterface: NetworkInterface?
    /// The next hops.
    public let gateways: [SocketAddress]
    /// The addresses that packets are sent from.
    public let localAddresses: [SocketAddress]
    /// True if traffic costs money: a cellular link, under a tunnel too.
    public let isExpensive: Bool
    /// Counts what the engine found out: of two equal paths the later one has the higher number, so that a break
    /// between them can be told.
    public let generation: UInt64
    /// What kinds of event led here: `link`, `address`, `route`, `routing`, `expiry`, `names`, `overrun`, `wake`,
    /// `availability`, `initial`.
    public let causes: [String]

    init(_ report: Report, causes: ChangeCauses, generation: UInt64) {
        status = report.status.isReachable ? .satisfied : .unsatisfied
        reason = report.reason
        availableInterfaces = report.interface.map { [$0] } ?? []
        underlyingInterface = report.underlying
        let scope = UInt32(report.interface?.index ?? 0)
        gateways = report.gateway.map { [SocketAddress(ip: $0, scopeID: $0.isLinkLocal ? scope : 0)] } ?? []
        localAddresses = report.source.map { [SocketAddress(ip: $0, scopeID: $0.isLinkLocal ? scope : 0)] } ?? []
        isExpensive = report.flags.contains(.isWWAN)
        self.generation = generation
        self.causes = causes.names
    }

    /// True if packets may leave over such a link: the interface itself, or the one under a tunnel.
    public func usesInterfaceType(_ type: NetworkInterface.InterfaceType) -> Bool {
        guard status == .satisfied else { return false }
        return availableInterfaces.contains { $0.type == type } || underlyingInterface?.type == type
    }
}
