import InternetProtocol
import Reachability
import Rtnetlink
import Testing

/// The rows of Rules.md, "A pair". P12 and P14 end at creation: `ReachabilityTargetTests`.
@Suite struct ApplePairTableTests {
    @Test(arguments: [
        AppleRow("P1", 0x2) { FakeHost.twoCards.report(from: "192.0.2.2", to: "203.0.113.9") },
        AppleRow("P2", 0, .notLocal) { FakeHost.twoCards.report(from: "198.51.100.2", to: "203.0.113.9") },
        AppleRow("P3", 0, .notLocal) { FakeHost.twoCards.report(from: "203.0.113.1", to: "203.0.113.9") },
        AppleRow("P4", 0, .noRoute) { FakeHost.wired.report(from: "192.0.2.2", to: "203.0.113.9") },
        AppleRow("P5", 0x30002) { FakeHost.wired.report(from: "192.0.2.2", to: "192.0.2.2") },
        AppleRow("P6", 0x2) { FakeHost.twoCards.report(from: "192.0.2.2", to: "") },
        AppleRow("P6, of an interface without default", 0, .noRoute) {
            FakeHost.twoCards.report(from: "198.51.100.2", to: "")
        },
        AppleRow("P7", 0, .notLocal) { FakeHost.twoCards.report(from: "203.0.113.1", to: "") },
        AppleRow("P8", 0x2) { FakeHost.twoCards.report(from: "", to: "203.0.113.9") },
        AppleRow("P9", 0x2) { FakeHost.twoCards.report(from: "0.0.0.0", to: "203.0.113.9") },
        AppleRow("P9, without a default", 0x20002) { FakeHost.wired.report(from: "0.0.0.0", to: "192.0.2.9") },
        AppleRow("P10", 0x30002) { FakeHost.wired.report(from: "127.0.0.1", to: "127.0.0.9") },
        // macOS drops the local end; here it stays, as no packet with it leaves.
        AppleRow("P11", 0, .notLocal) { FakeHost.online.report(from: "127.0.0.1", to: "203.0.113.9") },
        AppleRow("P13", 0x2) { FakeHost.twoCards.report(from: "192.0.2.2", to: "0.0.0.0") },
        AppleRow("P13, IPv6", 0x2) { FakeHost.twoCards.report(from: "2001:db8::2", to: "::") },
    ])
    func row(row: AppleRow) {
        let report = row.report()
        #expect(report.flags.rawValue == row.flags && report.reason == row.reason, "\(report)")
    }
}
