/// One change of a target's reachability, as `observe(_:)` and `changes` tell it.
public struct ReachabilityChange: Hashable, Sendable {
    /// The status before; equal to `new` where only the path changed.
    public let old: ReachabilityStatus
    /// The status now.
    public let new: ReachabilityStatus
    /// The flags now.
    public let flags: ReachabilityFlags
    /// The way that packets for the target leave now. It knows no name servers; see `NetworkPath.dnsServers`.
    public let path: NetworkPath
    /// Why the target is not reachable, or nothing is known; nil if it is reachable.
    public let reason: ReachabilityReason?

    /// True if the status differs. False for the first announcement after a start that repeats the status of before,
    /// and for a change of path alone.
    public var isStatusChange: Bool { old != new }

    init(old: ReachabilityStatus, new: ReachabilityStatus, report: Report, causes: ChangeCauses, generation: UInt64) {
        self.old = old
        self.new = new
        flags = report.flags
        path = NetworkPath(report, causes: causes, generation: generation)
        reason = report.reason
    }
}
