internal import Reachability

/// A network interface, as Network.framework spells it.
public struct NWInterface: Hashable, Sendable, CustomDebugStringConvertible {
    /// The kinds of interface.
    public enum InterfaceType: Hashable, Sendable, CaseIterable {
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

        init(_ type: NetworkInterface.InterfaceType) {
            switch type {
            case .other: self = .other
            case .wifi: self = .wifi
            case .cellular: self = .cellular
            case .wiredEthernet: self = .wiredEthernet
            case .loopback: self = .loopback
            }
        }

        var native: NetworkInterface.InterfaceType {
            switch self {
            case .other: .other
            case .wifi: .wifi
            case .cellular: .cellular
            case .wiredEthernet: .wiredEthernet
            case .loopback: .loopback
            }
        }
    }

    private let interface: NetworkInterface

    init(_ interface: NetworkInterface) { self.interface = interface }

    /// The interface's name.
    public var name: String { interface.name }
    /// The kernel's number of the interface.
    public var index: Int { interface.index }
    /// The kind of link.
    public var type: InterfaceType { InterfaceType(interface.type) }
    /// The interface's name.
    public var debugDescription: String { interface.name }
}
