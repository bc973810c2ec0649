/// The kernel could not be asked.
public struct ReachabilityError: Error, Hashable, Sendable, CustomStringConvertible {
    /// `kernelUnavailable` or `notPermitted`.
    public let reason: ReachabilityReason
    /// What failed, with its errno where there is one.
    public let description: String
}
