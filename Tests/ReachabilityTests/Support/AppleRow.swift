import Reachability
import Testing

/// A row of `reference/scnetworkreachability.md` 2.6 or 2.7: situation, target, flags of column L.
struct AppleRow: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let flags: UInt32
    let reason: ReachabilityReason?
    let report: @Sendable () -> Report

    init(
        _ row: String, _ flags: UInt32, _ reason: ReachabilityReason? = nil, _ report: @escaping @Sendable () -> Report
    ) {
        testDescription = row
        self.flags = flags
        self.reason = reason
        self.report = report
    }
}
