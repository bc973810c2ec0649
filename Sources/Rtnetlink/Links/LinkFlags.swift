/// A link's flags (ifi_flags, and the low half of what SIOCGIFFLAGS returns).
package struct LinkFlags: OptionSet, Hashable, Sendable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }

    // linux/if.h, IFF_…
    package static let up = LinkFlags(rawValue: 0x1)
    package static let broadcast = LinkFlags(rawValue: 0x2)
    package static let loopback = LinkFlags(rawValue: 0x8)
    package static let pointToPoint = LinkFlags(rawValue: 0x10)
    /// The kernel's own summary of carrier, dormancy and operational state: packets can go out.
    package static let running = LinkFlags(rawValue: 0x40)
    package static let noARP = LinkFlags(rawValue: 0x80)
    package static let multicast = LinkFlags(rawValue: 0x1000)
    package static let lowerUp = LinkFlags(rawValue: 0x10000)
    package static let dormant = LinkFlags(rawValue: 0x20000)

    /// True if packets can go out: administratively up, and running as the kernel sums it up.
    package var isLive: Bool { rawValue & 0x41 == 0x41 }

    // Asked at every lookup, where another module's `contains` would go through a protocol's table.

    /// True if `pointToPoint` is set.
    package var isPointToPoint: Bool { rawValue & 0x10 != 0 }

    /// True if `loopback` is set.
    package var isLoopback: Bool { rawValue & 0x8 != 0 }
}

/// A link's operational state (IFLA_OPERSTATE, linux/if.h IF_OPER_…).
package struct OperationalState: RawRepresentable, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let unknown = OperationalState(rawValue: 0)
    package static let notPresent = OperationalState(rawValue: 1)
    package static let down = OperationalState(rawValue: 2)
    package static let lowerLayerDown = OperationalState(rawValue: 3)
    package static let testing = OperationalState(rawValue: 4)
    package static let dormant = OperationalState(rawValue: 5)
    package static let up = OperationalState(rawValue: 6)
}

/// A link's hardware type (ifi_type, linux/if_arp.h ARPHRD_…).
package struct HardwareType: RawRepresentable, Hashable, Sendable {
    package let rawValue: UInt16

    package init(rawValue: UInt16) { self.rawValue = rawValue }

    package static let ethernet = HardwareType(rawValue: 1)
    package static let ppp = HardwareType(rawValue: 512)
    package static let rawIP = HardwareType(rawValue: 519)
    package static let tunnel = HardwareType(rawValue: 768)
    package static let tunnel6 = HardwareType(rawValue: 769)
    package static let loopback = HardwareType(rawValue: 772)
    package static let sit = HardwareType(rawValue: 776)
    /// A wireless monitor, such as mac80211_hwsim's hwsim0: never a path.
    package static let wirelessMonitor = HardwareType(rawValue: 803)
    package static let none = HardwareType(rawValue: 0xfffe)
}

/// Which driver made a virtual link (IFLA_INFO_KIND); nil on a link means a device of hardware.
package struct DriverKind: RawRepresentable, Hashable, Sendable {
    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }

    package static let wwan = DriverKind(rawValue: "wwan")
    package static let rmnet = DriverKind(rawValue: "rmnet")
    package static let tun = DriverKind(rawValue: "tun")
    package static let vlan = DriverKind(rawValue: "vlan")
    package static let macvlan = DriverKind(rawValue: "macvlan")
    package static let bond = DriverKind(rawValue: "bond")

    /// The kinds whose links carry packets inside packets, or over a dialled line.
    package static let tunnels: Set<DriverKind> = Set(
        [
            "tun", "wireguard", "ppp", "ipip", "sit", "gre", "gretap", "ip6gre", "vti", "vti6", "xfrm", "ip6tnl",
        ].map(DriverKind.init(rawValue:)))

    /// The kinds that are another link under a new name: they have the kind of the link below.
    package static let transparent: Set<DriverKind> = Set(
        ["vlan", "macvlan", "macvtap", "ipvlan", "ipvtap", "bond", "team"].map(DriverKind.init(rawValue:)))
}
