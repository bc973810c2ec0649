public import Foundation
internal import Reachability

/// One end of a connection, as far as paths name them: a gateway is a `hostPort` with an address and port 0.
public enum NWEndpoint: Hashable, Sendable, CustomDebugStringConvertible {
    /// A host and a port.
    case hostPort(host: Host, port: Port)
    /// A Bonjour service. Never in a path.
    case service(name: String, type: String, domain: String, interface: NWInterface?)
    /// A Unix domain socket. Never in a path.
    case unix(path: String)
    /// A URL. Never in a path.
    case url(URL)

    /// A name or an address.
    public enum Host: Hashable, Sendable, CustomDebugStringConvertible {
        /// A host name, with the interface to reach it by if one is meant.
        case name(String, NWInterface?)
        /// An IPv4 address.
        case ipv4(IPv4Address)
        /// An IPv6 address.
        case ipv6(IPv6Address)

        /// The host that the text is: an address if it is one, else a name.
        public init(_ text: String) {
            if let address = IPv4Address(text) {
                self = .ipv4(address)
            } else if let address = IPv6Address(text) {
                self = .ipv6(address)
            } else {
                self = .name(text, nil)
            }
        }

        /// The host as text.
        public var debugDescription: String {
            switch self {
            case .name(let name, _): name
            case .ipv4(let address): address.debugDescription
            case .ipv6(let address): address.debugDescription
            }
        }
    }

    /// A port number.
    public struct Port: Hashable, Sendable, RawRepresentable, ExpressibleByIntegerLiteral, CustomDebugStringConvertible
    {
        /// The number in host byte order.
        public let rawValue: UInt16

        /// A port from its number.
        public init?(rawValue: UInt16) { self.rawValue = rawValue }

        /// A port from its number.
        public init(integerLiteral value: UInt16) { rawValue = value }

        /// No port in particular.
        public static let any: Port = 0

        /// The number as text.
        public var debugDescription: String { String(rawValue) }
    }

    init(_ address: SocketAddress) {
        let host: Host = address.isIPv4 ? .ipv4(IPv4Address(address)) : .ipv6(IPv6Address(address))
        self = .hostPort(host: host, port: Port(integerLiteral: address.port))
    }

    /// The endpoint as text: a dot before the port of an IPv6 host, a colon before any other.
    public var debugDescription: String {
        switch self {
        case .hostPort(.ipv6(let host), let port): "\(host.debugDescription).\(port.rawValue)"
        case .hostPort(let host, let port): "\(host.debugDescription):\(port.rawValue)"
        case .service(let name, let type, let domain, _): "\(name).\(type).\(domain)"
        case .unix(let path): path
        case .url(let url): url.absoluteString
        }
    }
}

/// An IPv4 address.
public struct IPv4Address: Hashable, Sendable, CustomDebugStringConvertible {
    private let address: SocketAddress

    /// The address that the text is; nil if it is none.
    public init?(_ text: String) {
        guard !SocketAddress.hasPort(text), let address = try? SocketAddress(text), address.isIPv4 else { return nil }
        self.address = address
    }

    init(_ address: SocketAddress) { self.address = address }

    /// The address as text.
    public var debugDescription: String { address.withoutPort }
}

/// An IPv6 address.
public struct IPv6Address: Hashable, Sendable, CustomDebugStringConvertible {
    private let address: SocketAddress

    /// The address that the text is, with a scope or without; nil if it is none.
    public init?(_ text: String) {
        guard !SocketAddress.hasPort(text), let address = try? SocketAddress(text), !address.isIPv4 else { return nil }
        self.address = address
    }

    init(_ address: SocketAddress) { self.address = address }

    /// The address as text.
    public var debugDescription: String { address.withoutPort }
}
