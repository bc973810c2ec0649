/// What a manager says of its target, in AFNetworking's four states and with its numbers.
///
/// The numbers are contract: programs store them and compare them with zero.
public enum ReachabilityStatus: Int, Hashable, Sendable, CaseIterable {
    /// Nothing is known yet, or the kernel cannot be asked.
    case unknown = -1
    /// No packet for the target can leave this host.
    case notReachable = 0
    /// Reachable over a cellular link.
    case viaWWAN = 1
    /// Reachable, and not over a cellular link. Wired links count here too; `NetworkPath` tells them apart.
    case viaWiFi = 2

    /// The status that flags mean. Never `unknown`: flags are known or there are none.
    public init(_ flags: ReachabilityFlags) {
        self = !flags.isUsable ? .notReachable : flags.contains(.isWWAN) ? .viaWWAN : .viaWiFi
    }

    /// True for `viaWWAN` and `viaWiFi`.
    public var isReachable: Bool { rawValue > 0 }

    /// True only for `notReachable`: false while nothing is known, unlike `!isReachable`.
    public var isKnownToBeUnreachable: Bool { self == .notReachable }
}

extension ReachabilityStatus: CustomStringConvertible {
    /// AFNetworking's text: `Unknown`, `Not Reachable`, `Reachable via WWAN`, `Reachable via WiFi`.
    public var description: String {
        switch self {
        case .unknown: "Unknown"
        case .notReachable: "Not Reachable"
        case .viaWWAN: "Reachable via WWAN"
        case .viaWiFi: "Reachable via WiFi"
        }
    }
}
