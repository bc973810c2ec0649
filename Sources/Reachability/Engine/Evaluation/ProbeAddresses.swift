package import InternetProtocol
internal import Rtnetlink

/// The addresses that stand for "everywhere" when the default route is asked for. Nothing is ever sent to them.
///
/// Two for each half of IPv4, since a default may be the pair 0/1 and 128/1, and two of IPv6's 2000::/3. Each is
/// global unicast, allocated, in no documentation prefix (hosts blackhole those), no public resolver (those get host
/// routes), and in a block that a regional registry hands out in small pieces, so that no organisation has a route to
/// the whole of it.
package enum ProbeAddresses {
    /// In the order in which they are asked, IPv4 first as on Apple's systems.
    package static let all: [IPAddress] = v4 + v6

    package static let v4: [IPAddress] = [
        IPAddress(v4: 0x3e00_2d01),  // 62.0.45.1: 62/8, RIPE NCC
        IPAddress(v4: 0x2900_2d01),  // 41.0.45.1: 41/8, AFRINIC
        IPAddress(v4: 0xc800_2d01),  // 200.0.45.1: 200/8, LACNIC
        IPAddress(v4: 0xca00_2d01),  // 202.0.45.1: 202/8, APNIC
    ]

    package static let v6: [IPAddress] = [
        IPAddress(family: .v6, bits: 0x2a00_1450_0000_0000_0000_0000_0000_2d01),  // 2a00::/12, RIPE NCC
        IPAddress(family: .v6, bits: 0x2600_1f00_0000_0000_0000_0000_0000_2d01),  // 2600::/12, ARIN
    ]

    package static func of(_ family: IPAddress.Family) -> [IPAddress] {
        switch family {
        case .v4: v4
        case .v6: v6
        }
    }

    /// The longest prefix that still counts as a default: 0/0, 0/1 and the like, and for IPv6 2000::/3.
    package static func longestDefault(_ family: IPAddress.Family) -> Int {
        switch family {
        case .v4: 8
        case .v6: 12
        }
    }
}

extension Route {
    /// True for an entry that leads to another host and is short enough to be a default.
    var isDefault: Bool {
        isUnicast && destination.length <= ProbeAddresses.longestDefault(destination.address.family)
    }
}
