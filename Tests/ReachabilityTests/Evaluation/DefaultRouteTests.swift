import InternetProtocol
import Reachability
import Rtnetlink
import Testing

/// Rules.md, "The default route".
@Suite struct DefaultRouteTests {
    @Test func probesAreWhatTheDesignWants() {
        for probe in ProbeAddresses.all { #expect(probe.isGlobal, "\(probe)") }
        #expect(ProbeAddresses.v4.map { $0.bits >> 31 }.sorted() == [0, 0, 1, 1], "two in each half of IPv4's space")
        #expect(ProbeAddresses.v6.allSatisfy { $0.bits >> 125 == 1 } && ProbeAddresses.v6.count == 2, "2000::/3")
        #expect(ProbeAddresses.all == ProbeAddresses.v4 + ProbeAddresses.v6, "IPv4 first")
        // RFC 5737, RFC 3849, RFC 9637; RFC 2544 and RFC 6598 are of no use outside either.
        let reserved = [
            ("192.0.2.0", 24), ("198.51.100.0", 24), ("203.0.113.0", 24), ("198.18.0.0", 15), ("100.64.0.0", 10),
            ("2001:db8::", 32), ("3fff::", 20), ("2002::", 16),
        ].map { AddressPrefix(ip($0.0), length: $0.1) }
        for probe in ProbeAddresses.all { #expect(!reserved.contains { $0.contains(probe) }, "\(probe)") }
    }

    @Test func theFirstProbeDecides() {
        let host = FakeHost.online
        let probe = ProbeAddresses.v4[0]
        #expect(host.defaultReport.flags.rawValue == 0x2 && host.defaultReport.gateway == ip("192.0.2.1"))
        #expect(host.questions(.defaultRoute) == [RouteQuestion(probe, match: .entry), RouteQuestion(probe)])
    }

    /// With more than two hundred next hops, an entry does not fit into the kernel's answer.
    @Test func anEntryTooLargeToBeShownIsADefault() {
        var host = FakeHost.online
        let tooLong: Int32 = 90  // EMSGSIZE, asm-generic/errno.h
        host.override = { $0.match == .entry ? .failure(RouteFailure(errno: tooLong)) : nil }
        #expect(host.defaultReport.flags.rawValue == 0x2 && host.defaultReport.gateway == ip("192.0.2.1"))
    }

    @Test func withoutAnyAllProbesAreAskedInOrder() {
        let host = FakeHost.wired
        #expect(host.defaultReport == Report(reason: .noRoute))
        let entries = host.questions(.defaultRoute).filter { $0.match == .entry }
        #expect(entries == ProbeAddresses.all.map { RouteQuestion($0, match: .entry) })
    }

    @Test func aDefaultOnTheLinkItselfIsNeverDirect() {
        var host = FakeHost.wired
        host.route("0.0.0.0/0", dev: "eth0")
        #expect(host.defaultReport.flags.rawValue == 0x2)
    }

    @Test(arguments: ["0.0.0.0/0", "0.0.0.0/1", "128.0.0.0/1", "200.0.0.0/8", "::/0", "2000::/3", "2600::/12"])
    func aShortPrefixIsADefault(prefix: String) {
        var host = FakeHost.wired
        host.route(prefix, via: prefix.contains(":") ? "2001:db8::1" : "192.0.2.1", dev: "eth0")
        #expect(host.defaultReport.flags.rawValue == 0x2)
    }

    @Test(arguments: ["200.0.0.0/9", "62.0.0.0/9", "62.0.45.1/32", "2600:1f00::/13", "2a00:1450::2d01/128"])
    func aLongerPrefixIsNone(prefix: String) {
        var host = FakeHost.wired
        host.route(prefix, via: prefix.contains(":") ? "2001:db8::1" : "192.0.2.1", dev: "eth0")
        #expect(host.defaultReport == Report(reason: .noRoute))
    }

    @Test func aSplitDefaultBeatsTheWholeOne() {
        var host = FakeHost.online
        host.addLink("tun0") { $0.beTunnel("tun") }
        host.own("10.8.0.2/24", "tun0")
        host.route("0.0.0.0/1", dev: "tun0")
        host.route("128.0.0.0/1", dev: "tun0")
        #expect(host.defaultReport.flags.rawValue == 0x3 && host.defaultReport.interface?.name == "tun0")
    }

    @Test func aHostRouteToAProbeIsPassedOver() {
        var host = FakeHost.online
        host.addLink("tun0") { $0.beTunnel("tun") }
        host.own("10.8.0.2/24", "tun0")
        host.route("62.0.45.1/32", dev: "tun0")
        #expect(host.defaultReport.interface?.name == "eth0")
        for probe in ProbeAddresses.v4 { host.route("\(probe)/32", dev: "tun0") }
        #expect(host.defaultReport.gateway == ip("2001:db8::1"), "IPv6 decides where no IPv4 probe can")
    }

    @Test func aHostThatOwnsAProbeAsksTheNext() {
        var host = FakeHost.online
        host.own("62.0.45.1/32", "eth0")
        #expect(host.defaultReport.flags.rawValue == 0x2)
        #expect(host.questions(.defaultRoute).last == RouteQuestion(ProbeAddresses.v4[1]))
    }

    @Test func aProbeThatBecomesOursBetweenTwoQuestionsIsNone() {
        var host = FakeHost.wired
        host.route("0.0.0.0/0", via: "192.0.2.1", dev: "eth0")
        host.override = { question in
            guard question.match == .packet else { return nil }
            let own = AddressPrefix(question.destination, length: 32)
            return .success(Route(type: .local, destination: own, egress: InterfaceIndex(1)))
        }
        #expect(host.defaultReport == Report(reason: .noRoute))
    }

    @Test func aDefaultToLoopbackIsNone() {
        var host = FakeHost.wired
        host.route("0.0.0.0/0", dev: "lo")
        #expect(host.defaultReport == Report(reason: .noRoute))
        host.route("::/0", via: "2001:db8::1", dev: "eth0")
        #expect(host.defaultReport.gateway == ip("2001:db8::1"))
    }

    @Test(
        arguments: [
            (.unreachable, .unreachableRoute), (.blackhole, .blackhole), (.prohibit, .prohibited), (.throw, .noRoute),
        ] as [(RouteType, ReachabilityReason)])
    func aRejectingDefaultIsItsReason(type: RouteType, reason: ReachabilityReason) {
        var host = FakeHost.wired
        host.route("0.0.0.0/0", type: type)
        #expect(host.defaultReport == Report(reason: reason))
        host.route("::/0", via: "2001:db8::1", dev: "eth0")
        #expect(host.defaultReport.flags.rawValue == 0x2, "the other family is alive")
    }

    @Test func aDeadIPv4DefaultDoesNotHideALiveIPv6One() {
        var host = FakeHost.online
        host.addLink("eth1") { $0.flags = [.up] }
        host.own("198.51.100.2/24", "eth1")
        host.route("0.0.0.0/1", via: "198.51.100.1", dev: "eth1")
        #expect(host.defaultReport.gateway == ip("2001:db8::1") && host.defaultReport.reason == nil)
    }

    @Test func aDeadLinkIsTheAnswerThoughAWorseRouteLives() {
        var host = FakeHost.wired
        host.addLink("eth1") { $0.flags = [.up] }
        host.own("198.51.100.2/24", "eth1")
        host.route("0.0.0.0/0", via: "198.51.100.1", dev: "eth1", metric: 10)
        host.route("0.0.0.0/0", via: "192.0.2.1", dev: "eth0", metric: 20)
        let report = host.defaultReport
        #expect(report.reason == .linkDown && report.interface?.name == "eth1" && report.gateway == ip("198.51.100.1"))
    }

    @Test func iPv6WithoutAGlobalAddressHasNoSource() {
        var host = FakeHost()
        host.addLink("eth0")
        host.own("fe80::2/64", "eth0")
        host.route("::/0", via: "fe80::1", dev: "eth0")
        let report = host.defaultReport
        #expect(report.reason == .noSourceAddress && report.source == ip("fe80::2") && report.gateway == ip("fe80::1"))
    }

    @Test func aKernelThatDoesNotAnswerIsAFaultUnlessAFamilyIsAlive() {
        var host = FakeHost.wired
        host.override = { _ in .failure(.notAnswered(105)) }
        #expect(host.defaultReport.status == .unknown && host.defaultReport.reason == .kernelUnavailable)
        host.override = { $0.destination.family == .v4 ? .failure(.notAnswered(105)) : nil }
        host.route("::/0", via: "2001:db8::1", dev: "eth0")
        #expect(host.defaultReport.status == .viaWiFi)
    }

    @Test func severalHopsThatAreNotChosenYetAreLookedAtByTheFirst() {
        var host = FakeHost.wired
        host.override = { question in
            guard question.match == .entry, question.destination.family == .v4 else { return nil }
            var route = Route(destination: AddressPrefix(.unspecified(.v4), length: 0))
            route.firstOfSeveral = InterfaceIndex(2)
            return .success(route)
        }
        host.route("0.0.0.0/0", via: "192.0.2.1", dev: "eth0")
        #expect(host.defaultReport.flags.rawValue == 0x2)
    }

    @Test(arguments: [("0.0.0.0", 0x2), ("::", 0x2)] as [(String, UInt32)])
    func zeroAddressesAreTheDefaultRoute(text: String, flags: UInt32) {
        #expect(FakeHost.online.report(to: text) == FakeHost.online.defaultReport)
        #expect(FakeHost.online.report(to: text).flags.rawValue == flags)
    }
}
