internal import Reachability

/// The way that packets leave this host by, as Network.framework spells it.
public struct NWPath: Hashable, Sendable, CustomDebugStringConvertible {
    /// Whether packets can leave.
    public enum Status: Hashable, Sendable {
        /// They can.
        case satisfied
        /// They cannot.
        case unsatisfied
        /// They could after a connection is made. Never on Linux.
        case requiresConnection
    }

    /// Why they cannot. On Linux always `notAvailable`.
    public enum UnsatisfiedReason: Hashable, Sendable {
        /// No network is there, or none was looked for yet.
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

    private let path: NetworkPath

    init(_ path: NetworkPath) { self.path = path }

    /// Whether packets can leave.
    public var status: Status {
        switch path.status {
        case .satisfied: .satisfied
        case .unsatisfied: .unsatisfied
        case .requiresConnection: .requiresConnection
        }
    }

    /// Why they cannot.
    public var unsatisfiedReason: UnsatisfiedReason { .notAvailable }
    /// The interfaces in the order of preference.
    public var availableInterfaces: [NWInterface] { path.availableInterfaces.map { NWInterface($0) } }
    /// The next hops.
    public var gateways: [NWEndpoint] { path.gateways.map { NWEndpoint($0) } }
    /// True if traffic costs money.
    public var isExpensive: Bool { path.isExpensive }
    /// Low Data Mode; never on Linux.
    public var isConstrained: Bool { path.isConstrained }
    /// True if IPv4 packets can leave.
    public var supportsIPv4: Bool { path.supportsIPv4 }
    /// True if IPv6 packets can leave.
    public var supportsIPv6: Bool { path.supportsIPv6 }
    /// True if names can be asked for.
    public var supportsDNS: Bool { path.supportsDNS }
    /// Always nil on the path of a monitor.
    public var localEndpoint: NWEndpoint? { nil }
    /// Always nil on the path of a monitor.
    public var remoteEndpoint: NWEndpoint? { nil }

    /// True if packets may leave over such a link, under a tunnel too.
    public func usesInterfaceType(_ type: NWInterface.InterfaceType) -> Bool { path.usesInterfaceType(type.native) }

    /// The path in the shape of Apple's text.
    public var debugDescription: String { path.debugDescription }
}
