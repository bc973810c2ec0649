internal import InternetProtocol
public import Reachability
internal import Rtnetlink

/// A range of addresses in a script: `10.0.0.0/8`, `::/0`, or one address.
public struct ScriptedPrefix: Hashable, Sendable, ExpressibleByStringLiteral {
    let prefix: AddressPrefix

    /// All of IPv4.
    public static let defaultIPv4: ScriptedPrefix = "0.0.0.0/0"
    /// All of IPv6.
    public static let defaultIPv6: ScriptedPrefix = "::/0"

    /// A prefix from its text; nil if it is none.
    public init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let address = IPAddress(parts[0]) else { return nil }
        var length = address.family.bitWidth
        if parts.count > 1 {
            guard let number = Int(parts[1]), number >= 0, number <= length else { return nil }
            length = number
        }
        prefix = AddressPrefix(address, length: length)
    }

    /// A prefix from a literal. One that is no prefix gives a range that nobody asks about, `255.255.255.255/32`.
    public init(stringLiteral text: String) {
        self = ScriptedPrefix(text) ?? ScriptedPrefix(AddressPrefix(IPAddress(v4: .max), length: 32))
    }

    private init(_ prefix: AddressPrefix) { self.prefix = prefix }
}

/// What a route of a script does with packets.
public enum ScriptedRoute: Hashable, Sendable {
    /// They leave by the interface, through a gateway if one is given.
    case leaving(by: String, gateway: String? = nil, metric: Int = 0, lifetime: Duration? = nil)
    /// They do not: `unreachableRoute`, `blackhole` or `prohibited`; anything else counts as `unreachableRoute`.
    case rejecting(ReachabilityReason)
}
