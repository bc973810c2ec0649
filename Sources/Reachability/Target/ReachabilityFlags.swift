/// What is known about the way to a target: SCNetworkReachabilityFlags, with Apple's values.
///
/// On Linux the kernel's route lookup decides; `connectionRequired`, `connectionOnTraffic`, `interventionRequired` and
/// `connectionOnDemand` are never set by it, since rtnetlink shows no connection that waits to be made. They are here
/// because code that reads flags tests them. Source: SCNetworkReachability.h; Rules.md, "Flags".
public struct ReachabilityFlags: OptionSet, Hashable, Sendable {
    /// The bits, with the numbers of SCNetworkReachabilityFlags.
    public let rawValue: UInt32

    /// Flags from their bits; unknown bits are kept.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Reached over something that comes and goes: a tunnel, PPP or a cellular link.
    public static let transientConnection = ReachabilityFlags(rawValue: 1 << 0)
    /// A packet for the target can leave this host now, or be delivered inside it. Says nothing of its arrival.
    public static let reachable = ReachabilityFlags(rawValue: 1 << 1)
    /// Reachable only after a connection is brought up first.
    public static let connectionRequired = ReachabilityFlags(rawValue: 1 << 2)
    /// Any traffic for the target brings the connection up.
    public static let connectionOnTraffic = ReachabilityFlags(rawValue: 1 << 3)
    /// A person has to act before the connection comes up.
    public static let interventionRequired = ReachabilityFlags(rawValue: 1 << 4)
    /// The connection is brought up on demand by some programming interfaces.
    public static let connectionOnDemand = ReachabilityFlags(rawValue: 1 << 5)
    /// The target is an address of this host.
    public static let isLocalAddress = ReachabilityFlags(rawValue: 1 << 16)
    /// The target is reached without a gateway.
    public static let isDirect = ReachabilityFlags(rawValue: 1 << 17)
    /// Reached over a cellular link.
    public static let isWWAN = ReachabilityFlags(rawValue: 1 << 18)

    /// What an address of this host has: reachable, local and direct.
    static let local = ReachabilityFlags(rawValue: 0x30002)

    /// The older name of `connectionOnTraffic`.
    public static let connectionAutomatic = connectionOnTraffic

    /// True if the target can be reached without a person's help: reachable, and no connection has to be made first
    /// unless that happens by itself.
    ///
    /// The rule of AFNetworking and Alamofire (Rules.md, "Status").
    public var isUsable: Bool {
        guard contains(.reachable) else { return false }
        guard contains(.connectionRequired) else { return true }
        let comesUpByItself = contains(.connectionOnDemand) || contains(.connectionOnTraffic)
        return comesUpByItself && !contains(.interventionRequired)
    }
}

extension ReachabilityFlags: CustomStringConvertible {
    /// Each flag with its name here and its label in scutil's flags line, in that line's order.
    private static let known: [(flag: ReachabilityFlags, name: String, label: String)] = [
        (.reachable, "reachable", "Reachable"),
        (.transientConnection, "transientConnection", "Transient Connection"),
        (.connectionRequired, "connectionRequired", "Connection Required"),
        (.connectionOnTraffic, "connectionOnTraffic", "Automatic Connection On Traffic"),
        (.connectionOnDemand, "connectionOnDemand", "Automatic Connection On Demand"),
        (.interventionRequired, "interventionRequired", "Intervention Required"),
        (.isLocalAddress, "isLocalAddress", "Local Address"),
        (.isDirect, "isDirect", "Directly Reachable Address"),
        (.isWWAN, "isWWAN", "WWAN"),
    ]

    /// The names of the flags that are set, as this type spells them.
    public var names: [String] {
        Self.known.filter { contains($0.flag) }.map(\.name)
    }

    /// The flags as scutil prints them: labels joined by commas, unknown bits as a number, `Not Reachable` for none.
    ///
    /// Differs from scutil in that the line is never cut to 100 bytes (Rules.md, "Flags").
    public var description: String {
        let set = Self.known.filter { contains($0.flag) }
        let rest = set.reduce(self) { $0.subtracting($1.flag) }
        var parts = set.map(\.label)
        if !rest.isEmpty {
            let digits = String(rest.rawValue, radix: 16)
            parts.append("0x" + String(repeating: "0", count: 8 - digits.count) + digits)
        }
        return parts.isEmpty ? "Not Reachable" : parts.joined(separator: ",")
    }
}
