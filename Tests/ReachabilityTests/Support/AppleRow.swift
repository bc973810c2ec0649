import Reachability
import Testing

/// A situation and a target that programs from Apple's systems know, with the flags they get here.
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
