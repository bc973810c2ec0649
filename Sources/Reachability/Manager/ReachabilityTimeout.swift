/// A wait for reachability took longer than it was given.
public struct ReachabilityTimeout: Error, Hashable, Sendable, CustomStringConvertible {
    /// How long it waited.
    public let timeout: Duration
    /// What was known at the end.
    public let status: ReachabilityStatus

    /// One sentence for people, without a full stop.
    public var description: String {
        status == .unknown ? "nothing was known within \(timeout)" : "not reachable within \(timeout)"
    }
}
