import InternetProtocol
import Reachability
import Rtnetlink
import Testing

/// Link-local IPv6 and the interface that it needs.
@Suite struct LinkLocalTests {
    private var host: FakeHost {
        var host = FakeHost.twoCards
        host.own("fe80::2/64", "eth0")
        return host
    }

    @Test func withItsScopeItIsANeighbour() {
        let report = host.report(to: "fe80::9%eth0")
        #expect(report.flags.rawValue == 0x20002 && report.interface?.name == "eth0")
    }

    @Test func aLinkWithoutLinkLocalAddressHasNoNeighbours() {
        #expect(host.report(to: "fe80::9%eth1") == Report(reason: .noRoute))
    }

    @Test func aScopeThatNamesNoLinkLeadsNowhere() {
        #expect(host.report(.address(ip("fe80::9"), scope: InterfaceIndex(99))) == Report(reason: .noRoute))
    }

    @Test func withoutScopeTheOnlyCandidateIsMeant() {
        #expect(host.report(to: "fe80::9") == host.report(to: "fe80::9%eth0"))
        #expect(host.report(to: "ff02::1").interface?.name == "eth0")
    }

    @Test func withoutScopeSeveralCandidatesLeadNowhere() {
        var host = host
        host.own("fe80::3/64", "eth1")
        #expect(host.report(to: "fe80::9") == Report(reason: .noRoute))
        #expect(host.questions(host.address("fe80::9")).isEmpty)
    }

    @Test func withoutCandidatesItLeadsNowhere() {
        #expect(FakeHost.online.report(to: "fe80::9") == Report(reason: .noRoute))
    }

    /// What does not make a second candidate.
    @Test(arguments: ["down", "no carrier", "tunnel", "monitor", "tentative", "loopback"])
    func someLinksAreNoCandidates(what: String) {
        var host = host
        host.own("fe80::3/64", "eth1", flags: what == "tentative" ? [.tentative] : [.permanent])
        host.change("eth1") {
            switch what {
            case "down": $0.flags = []
            case "no carrier": $0.flags = [.up]
            case "tunnel": $0.beTunnel()
            case "monitor": $0.hardwareType = .wirelessMonitor
            case "loopback": $0.flags.insert(.loopback)
            default: break
            }
        }
        #expect(host.report(to: "fe80::9").interface?.name == "eth0")
    }

    @Test func aScopeMattersToLinkLocalAddressesAlone() {
        let host = host
        #expect(host.report(to: "2a00::9%eth1") == host.report(to: "2a00::9"))
        #expect(host.report(to: "ff05::1%eth0").reason == host.report(to: "ff05::1").reason)
    }

    @Test func scopeAndRequiredInterfaceMustBeTheSame() {
        #expect(host.report(to: "fe80::9%eth0", requiredInterface: "eth0").flags.rawValue == 0x20002)
        #expect(host.report(to: "fe80::9", requiredInterface: "eth0").flags.rawValue == 0x20002)
        #expect(host.report(to: "fe80::9%eth0", requiredInterface: "eth1") == Report(reason: .noRoute))
    }
}
