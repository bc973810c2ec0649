/// A group of rtnetlink messages to listen to (linux/rtnetlink.h RTNLGRP_…).
package struct MulticastGroup: RawRepresentable, Hashable, Sendable {
    package let rawValue: Int32

    package init(rawValue: Int32) { self.rawValue = rawValue }

    package static let link = MulticastGroup(rawValue: 1)
    package static let ipv4Address = MulticastGroup(rawValue: 5)
    package static let ipv4Route = MulticastGroup(rawValue: 7)
    package static let ipv4Rule = MulticastGroup(rawValue: 8)
    package static let ipv6Address = MulticastGroup(rawValue: 9)
    package static let ipv6Route = MulticastGroup(rawValue: 11)
    package static let ipv6Rule = MulticastGroup(rawValue: 19)
    package static let ipv4Netconf = MulticastGroup(rawValue: 24)
    package static let ipv6Netconf = MulticastGroup(rawValue: 25)
    package static let nextHop = MulticastGroup(rawValue: 32)

    /// What the link and address tables are kept from.
    package static let tables: [MulticastGroup] = [.link, .ipv4Address, .ipv6Address]

    /// Everything that can change the answer of a route lookup.
    package static let all: [MulticastGroup] =
        tables + [.ipv4Route, .ipv6Route, .ipv4Rule, .ipv6Rule, .ipv4Netconf, .ipv6Netconf, .nextHop]
}
