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
