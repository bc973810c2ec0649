package import Rtnetlink

/// A network interface of this host: NWInterface.
///
/// Two are equal if index and name are; the type is not compared, as on Apple's systems.
public struct NetworkInterface: Sendable {
    /// What kind of link an interface is, as NWInterface.InterfaceType.
    public enum InterfaceType: String, Hashable, Sendable, CaseIterable {
        /// A tunnel, PPP, or a link of a kind that is not known.
        case other
        /// A wireless link (IEEE 802.11).
        case wifi
        /// A modem's link.
        case cellular
        /// An Ethernet link, or a virtual one of its shape (veth, bridge).
        case wiredEthernet
        /// The loopback interface.
        case loopback
    }

    /// The interface's name, such as `eth0`.
    public let name: String
    /// The kernel's number of the interface, unique in its network namespace.
    public let index: Int
    /// The kind of link, as far as netlink, sysfs and ModemManager tell it.
    public let type: InterfaceType

    package init(name: String, index: Int, type: InterfaceType) {
        self.name = name
        self.index = index
        self.type = type
    }

    package init(_ link: Link, kind: LinkKind) {
        self.init(name: link.name, index: Int(link.index.rawValue), type: kind.interfaceType)
    }
}

extension LinkKind {
    /// The kind as paths see it: a VPN's own type is `other`.
    package var interfaceType: NetworkInterface.InterfaceType {
        switch self {
        case .wifi: .wifi
        case .cellular: .cellular
        case .wired: .wiredEthernet
        case .loopback: .loopback
        case .tunnel, .monitor, .other: .other
        }
    }

    // Asked at every lookup, where another module's == would go through a protocol's table.
    var isLoopback: Bool { if case .loopback = self { true } else { false } }
    var isCellular: Bool { if case .cellular = self { true } else { false } }
    var isTunnel: Bool { if case .tunnel = self { true } else { false } }
}

extension NetworkInterface: Hashable {
    /// True if index and name are the same; the type is not compared.
    public static func == (a: NetworkInterface, b: NetworkInterface) -> Bool {
        a.index == b.index && a.name == b.name
    }

    /// Hashes index and name.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(index)
        hasher.combine(name)
    }
}

extension NetworkInterface: CustomStringConvertible, CustomDebugStringConvertible {
    /// The interface's name.
    public var description: String { name }
    /// The interface's name, as NWInterface has it.
    public var debugDescription: String { name }
}
