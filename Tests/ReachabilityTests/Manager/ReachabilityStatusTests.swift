import Reachability
import Testing

@Suite struct ReachabilityStatusTests {
    @Test(
        arguments: [
            (.unknown, "Unknown", false, false), (.notReachable, "Not Reachable", false, true),
            (.viaWWAN, "Reachable via WWAN", true, false), (.viaWiFi, "Reachable via WiFi", true, false),
        ] as [(ReachabilityStatus, String, Bool, Bool)])
    func itHasAFNetworkingsTextAndIsReachableOrNot(
        status: ReachabilityStatus, text: String, isReachable: Bool, isUnreachable: Bool
    ) {
        #expect(status.description == text)
        #expect(status.isReachable == isReachable && status.isKnownToBeUnreachable == isUnreachable)
    }

    @Test func flagsAreNeverUnknown() {
        for bits in 0..<512 as Range<UInt32> {
            // Bits 0 to 5 and 16 to 18.
            let flags = ReachabilityFlags(rawValue: bits & 0x3f | (bits >> 6) << 16)
            let status = ReachabilityStatus(flags)
            #expect(status != .unknown && status.isReachable == flags.isUsable)
            #expect(status == .viaWWAN || !(flags.isUsable && flags.contains(.isWWAN)))
        }
    }

    @Test func aReportIsUnknownOnlyWhereNobodyCouldBeAsked() {
        for reason in ReachabilityReason.allCases {
            #expect(Report(reason: reason).status == (reason.isFault ? .unknown : .notReachable))
        }
        #expect(Report.notKnownYet.status == .unknown && Report(flags: .reachable).status == .viaWiFi)
    }
}
