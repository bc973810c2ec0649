/// Why a target is not reachable, or why nothing can be said of it.
///
/// Where several lookups failed (two families, several addresses of a name) it is the reason of the one that came
/// furthest.
public enum ReachabilityReason: String, Hashable, Sendable, CaseIterable {
    /// No route leads to the target (ENETUNREACH).
    case noRoute
    /// The kernel's route leads through a link that is not running: no carrier, dormant, or down.
    case linkDown
    /// An `unreachable` route or rule stands in the way (EHOSTUNREACH).
    case unreachableRoute
    /// A `blackhole` route or rule stands in the way (EINVAL).
    case blackhole
    /// A `prohibit` route or rule stands in the way (EACCES).
    case prohibited
    /// The host has no address to send from: none at all for IPv4, none but link-local for a global IPv6 target.
    case noSourceAddress
    /// The local address of a pair does not belong to this host, or not to the interface that packets leave by.
    case notLocal
    /// The name does not exist, or has no address of either family.
    case nameNotFound
    /// No name server answered in time.
    case resolverTimeout
    /// The name servers answered with an error, or with nothing that can be read.
    case resolverFailed
    /// No name server is configured.
    case noResolver
    /// The kernel does not let this process ask. The status is `unknown`.
    case notPermitted
    /// The kernel cannot be asked: netlink refused, descriptors or memory exhausted. The status is `unknown`.
    case kernelUnavailable

    /// True if nothing is known because asking failed: the status that goes with it is `unknown`.
    public var isFault: Bool { self == .notPermitted || self == .kernelUnavailable }

    /// How far a lookup came before it failed for this reason; of several the furthest is reported.
    var progress: Int {
        switch self {
        case .linkDown, .noSourceAddress: 3
        case .prohibited, .blackhole, .unreachableRoute: 2
        case .notPermitted, .kernelUnavailable: 1  // before noRoute: it is not known that there is none
        default: 0
        }
    }
}

extension ReachabilityReason: CustomStringConvertible {
    /// One short sentence for people, without a full stop.
    public var description: String {
        switch self {
        case .noRoute: "no route leads there"
        case .linkDown: "the link that packets leave by is down"
        case .unreachableRoute: "a route or rule declares it unreachable"
        case .blackhole: "a route or rule throws its packets away"
        case .prohibited: "a route or rule prohibits it"
        case .noSourceAddress: "this host has no address to send from"
        case .notLocal: "the local address does not belong to the interface that packets leave by"
        case .nameNotFound: "the name does not exist"
        case .resolverTimeout: "no name server answered in time"
        case .resolverFailed: "the name servers failed to answer"
        case .noResolver: "no name server is configured"
        case .notPermitted: "the kernel does not allow this process to ask"
        case .kernelUnavailable: "the kernel cannot be asked"
        }
    }
}
