import InternetProtocol
import Reachability
import Rtnetlink
import Testing

/// Rules.md, "A pair"; its rows are in `ApplePairTableTests`.
@Suite struct PairTests {
    @Test func theRemotesFlagsHoldIfTheEgressOwnsTheLocalAddress() {
        let host = FakeHost.twoCards
        #expect(host.report(from: "192.0.2.2", to: "203.0.113.9").flags.rawValue == 0x2)
        #expect(host.report(from: "192.0.2.2", to: "192.0.2.9").flags.rawValue == 0x20002)
        #expect(host.report(from: "2001:db8::2", to: "2a00::9").flags.rawValue == 0x2)
        #expect(host.report(from: "198.51.100.2", to: "203.0.113.9") == Report(reason: .notLocal), "it leaves by eth0")
    }

    @Test func theLocalAddressIsTheSourceAsked() {
        let host = FakeHost.online
        let pair = Subject.pair(local: ip("192.0.2.2"), remote: ip("203.0.113.9"), scope: nil)
        #expect(host.questions(pair) == [RouteQuestion(ip("203.0.113.9"), source: ip("192.0.2.2"))])
        #expect(host.report(pair).source == ip("192.0.2.2"))
    }

    @Test func anAddressThatIsNotOursIsNotLocalAndNobodyIsAsked() {
        let host = FakeHost.online
        #expect(host.report(from: "192.0.2.3", to: "203.0.113.9") == Report(reason: .notLocal))
        #expect(host.questions(.pair(local: ip("192.0.2.3"), remote: ip("203.0.113.9"), scope: nil)).isEmpty)
    }

    @Test(arguments: [InterfaceAddress.Flags.tentative, .duplicate]) func anAddressThatIsNotReadyIsNotOurs(
        flags: InterfaceAddress.Flags
    ) {
        var host = FakeHost.online
        host.own("2001:db8::7/64", "eth0", flags: flags)
        #expect(host.report(from: "2001:db8::7", to: "2a00::9") == Report(reason: .notLocal))
    }

    @Test func anEgressOfLoopbackCountsAsOwning() {
        let host = FakeHost.twoCards
        #expect(host.report(from: "192.0.2.2", to: "192.0.2.2").flags.rawValue == 0x30002)
        #expect(host.report(from: "192.0.2.2", to: "198.51.100.2").flags.rawValue == 0x30002)
        #expect(host.report(from: "192.0.2.2", to: "127.0.0.1").flags.rawValue == 0x30002)
    }

    @Test(arguments: ["127.0.0.1", "127.9.9.9"]) func loopbackReachesTheHostAndNothingElse(local: String) {
        let host = FakeHost.online
        #expect(host.report(from: local, to: "127.0.0.1").flags.rawValue == 0x30002)
        #expect(host.report(from: local, to: "192.0.2.2").flags.rawValue == 0x30002)
        #expect(host.report(from: local, to: "192.0.2.9") == Report(reason: .notLocal))
        #expect(host.report(from: local, to: "203.0.113.9") == Report(reason: .notLocal))
        #expect(host.report(from: local, to: "") == Report(reason: .notLocal))
        #expect(host.report(from: local, to: "0.0.0.0") == Report(reason: .notLocal))
    }

    @Test func withLoopbackDownItsAddressesAreNotOurs() {
        var host = FakeHost.online
        host.view.addresses.removeAll(of: InterfaceIndex(1))
        host.change("lo") { $0.flags = [.loopback] }
        #expect(host.report(from: "127.0.0.1", to: "127.0.0.1") == Report(reason: .notLocal))
    }

    @Test func aFailureOfTheRemoteKeepsItsReason() {
        var host = FakeHost.wired
        #expect(host.report(from: "192.0.2.2", to: "203.0.113.9") == Report(reason: .noRoute))
        host.route("0.0.0.0/0", type: .prohibit)
        #expect(host.report(from: "192.0.2.2", to: "203.0.113.9") == Report(reason: .prohibited))
        host.change("eth0") { $0.flags = [.up] }
        #expect(host.report(from: "192.0.2.2", to: "192.0.2.9").reason == .linkDown)
    }

    @Test(arguments: ["", "0.0.0.0"]) func aZeroOrAbsentRemoteIsTheDefaultRouteOfTheOwner(remote: String) {
        let host = FakeHost.twoCards
        let report = host.report(from: "192.0.2.2", to: remote)
        #expect(report.flags.rawValue == 0x2 && report.interface?.name == "eth0" && report.source == ip("192.0.2.2"))
        #expect(host.report(from: "198.51.100.2", to: remote) == Report(reason: .noRoute))
        #expect(host.report(from: "203.0.113.9", to: remote) == Report(reason: .notLocal))
    }

    /// Decided in CHANGELOG: packets from the address can leave in no other family.
    @Test func thenOnlyTheLocalAddressesFamilyCounts() {
        var host = FakeHost.wired
        host.route("::/0", via: "2001:db8::1", dev: "eth0")
        #expect(host.report(from: "192.0.2.2", to: "") == Report(reason: .noRoute))
        #expect(host.report(from: "2001:db8::2", to: "::").flags.rawValue == 0x2)
    }

    @Test(arguments: ["", "0.0.0.0", "::"]) func aZeroOrAbsentLocalIsIgnored(local: String) {
        let host = FakeHost.online
        #expect(host.report(from: local, to: "203.0.113.9") == host.report(to: "203.0.113.9"))
        #expect(host.report(from: local, to: "0.0.0.0") == host.defaultReport)
    }

    @Test func ofSeveralOwnersTheRequiredOneCounts() {
        var host = FakeHost.twoCards
        host.own("192.0.2.2/24", "eth1")
        host.route("0.0.0.0/0", via: "198.51.100.1", dev: "eth1", metric: 50)
        let report = host.report(from: "192.0.2.2", to: "", requiredInterface: "eth1")
        #expect(report.flags.rawValue == 0x2 && report.interface?.name == "eth1")
        #expect(host.report(from: "192.0.2.2", to: "").interface?.name == "eth0")
    }

    @Test func aRequiredInterfaceThatDoesNotOwnItIsNotLocal() {
        let host = FakeHost.twoCards
        #expect(host.report(from: "192.0.2.2", to: "", requiredInterface: "eth1") == Report(reason: .notLocal))
        let direct = host.report(from: "192.0.2.2", to: "198.51.100.9", requiredInterface: "eth1")
        #expect(direct == Report(reason: .notLocal))
    }

    @Test func theScopeSaysWhichLinkALinkLocalAddressIsOf() {
        var host = FakeHost.twoCards
        host.own("fe80::2/64", "eth0")
        host.own("fe80::2/64", "eth1")
        host.own("fe80::3/64", "eth0")
        #expect(host.report(from: "fe80::2%eth1", to: "fe80::9%eth1").interface?.name == "eth1")
        #expect(host.report(from: "fe80::3%eth0", to: "fe80::9%eth0").flags.rawValue == 0x20002)
        #expect(host.report(from: "fe80::3%eth1", to: "fe80::9%eth1") == Report(reason: .notLocal))
        host.route("::/0", via: "fe80::1", dev: "eth1", metric: 50)
        #expect(host.report(from: "fe80::2%eth1", to: "").interface?.name == "eth1")
        #expect(host.report(from: "fe80::3%eth1", to: "") == Report(reason: .notLocal))
    }

    @Test func mappedEndsAreIPv4() {
        let host = FakeHost.online
        let mapped = host.report(from: "::ffff:192.0.2.2", to: "::ffff:203.0.113.9")
        #expect(mapped == host.report(from: "192.0.2.2", to: "203.0.113.9"))
    }
}
