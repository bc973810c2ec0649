internal import Reachability

/// What is known about the way to a target: `Reachability.ReachabilityFlags`, where each flag is explained.
public struct SCNetworkReachabilityFlags: OptionSet, Hashable, Sendable {
    /// The bits, with Apple's numbers.
    public let rawValue: UInt32

    /// Flags from their bits; unknown bits are kept.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    init(_ flags: ReachabilityFlags) { self.init(rawValue: flags.rawValue) }

    /// Reached over something that comes and goes.
    public static let transientConnection = SCNetworkReachabilityFlags(.transientConnection)
    /// A packet for the target can leave this host, or be delivered inside it.
    public static let reachable = SCNetworkReachabilityFlags(.reachable)
    /// A connection has to be made first. Never set on Linux.
    public static let connectionRequired = SCNetworkReachabilityFlags(.connectionRequired)
    /// Traffic makes that connection. Never set on Linux.
    public static let connectionOnTraffic = SCNetworkReachabilityFlags(.connectionOnTraffic)
    /// A person has to act first. Never set on Linux.
    public static let interventionRequired = SCNetworkReachabilityFlags(.interventionRequired)
    /// Some programming interfaces make that connection. Never set on Linux.
    public static let connectionOnDemand = SCNetworkReachabilityFlags(.connectionOnDemand)
    /// The target is an address of this host.
    public static let isLocalAddress = SCNetworkReachabilityFlags(.isLocalAddress)
    /// The target is reached without a gateway.
    public static let isDirect = SCNetworkReachabilityFlags(.isDirect)
    /// Reached over a cellular link.
    public static let isWWAN = SCNetworkReachabilityFlags(.isWWAN)
    /// The older name of `connectionOnTraffic`.
    public static let connectionAutomatic = SCNetworkReachabilityFlags(.connectionAutomatic)
}

// C's names.

/// `SCNetworkReachabilityFlags.transientConnection`.
public let kSCNetworkReachabilityFlagsTransientConnection = SCNetworkReachabilityFlags.transientConnection
/// `SCNetworkReachabilityFlags.reachable`.
public let kSCNetworkReachabilityFlagsReachable = SCNetworkReachabilityFlags.reachable
/// `SCNetworkReachabilityFlags.connectionRequired`.
public let kSCNetworkReachabilityFlagsConnectionRequired = SCNetworkReachabilityFlags.connectionRequired
/// `SCNetworkReachabilityFlags.connectionOnTraffic`.
public let kSCNetworkReachabilityFlagsConnectionOnTraffic = SCNetworkReachabilityFlags.connectionOnTraffic
/// `SCNetworkReachabilityFlags.interventionRequired`.
public let kSCNetworkReachabilityFlagsInterventionRequired = SCNetworkReachabilityFlags.interventionRequired
/// `SCNetworkReachabilityFlags.connectionOnDemand`.
public let kSCNetworkReachabilityFlagsConnectionOnDemand = SCNetworkReachabilityFlags.connectionOnDemand
/// `SCNetworkReachabilityFlags.isLocalAddress`.
public let kSCNetworkReachabilityFlagsIsLocalAddress = SCNetworkReachabilityFlags.isLocalAddress
/// `SCNetworkReachabilityFlags.isDirect`.
public let kSCNetworkReachabilityFlagsIsDirect = SCNetworkReachabilityFlags.isDirect
/// `SCNetworkReachabilityFlags.isWWAN`.
public let kSCNetworkReachabilityFlagsIsWWAN = SCNetworkReachabilityFlags.isWWAN
/// `SCNetworkReachabilityFlags.connectionAutomatic`.
public let kSCNetworkReachabilityFlagsConnectionAutomatic = SCNetworkReachabilityFlags.connectionAutomatic
