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
