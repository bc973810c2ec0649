import InternetProtocol
import Reachability
import Rtnetlink
import Testing

/// A target by one interface alone, and the traps of asking with RTA_OIF.
@Suite struct RequiredInterfaceTests {
    @Test func aRouteOfTheInterfaceHolds() {
        let host = FakeHost.twoCards
        #expect(host.report(to: "203.0.113.9", requiredInterface: "eth0").flags.rawValue == 0x2)
        #expect(host.report(to: "198.51.100.9", requiredInterface: "eth1").flags.rawValue == 0x20002)
        #expect(host.report(to: "198.51.100.2", requiredInterface: "eth1").flags.rawValue == 0x30002)
    }

    /// The kernel answers "on-link" where no route of the interface matches, unless asked for the entry.
    @Test(arguments: ["203.0.113.9", "192.0.2.9", "2a00::9"]) func withoutOneItDoesNot(target: String) {
        #expect(FakeHost.twoCards.report(to: target, requiredInterface: "eth1") == Report(reason: .noRoute))
    }

    @Test func theEntryIsAskedForBeforeThePacket() {
        let host = FakeHost.twoCards
        let eth0 = host.index("eth0")
        let target = ip("203.0.113.9")
        #expect(
            host.questions(host.address("203.0.113.9"), requiredInterface: "eth0") == [
                RouteQuestion(target, interface: eth0, match: .entry), RouteQuestion(target, interface: eth0),
            ])
    }

    @Test func anUnreachableRouteIsToldFromNone() {
        var host = FakeHost.twoCards
        host.route("203.0.113.0/24", type: .unreachable)
        let report = host.report(to: "203.0.113.9", requiredInterface: "eth1")
        #expect(report == Report(reason: .unreachableRoute))
    }

    @Test(arguments: [(RouteType.blackhole, ReachabilityReason.blackhole), (.prohibit, .prohibited)])
    func otherRejectingRoutesSayWhatTheyAre(type: RouteType, reason: ReachabilityReason) {
        var host = FakeHost.twoCards
        host.route("203.0.113.0/24", type: type)
        #expect(host.report(to: "203.0.113.9", requiredInterface: "eth1") == Report(reason: reason))
    }

    /// They have no entry of their own, so that one is not asked for.
    @Test(arguments: ["255.255.255.255", "224.0.0.251", "239.1.2.3"])
    func broadcastAndMulticastGoOutByTheInterface(target: String) {
        let host = FakeHost.twoCards
        let report = host.report(to: target, requiredInterface: "eth1")
        #expect(report.flags.rawValue == 0x20002 && report.interface?.name == "eth1")
        #expect(host.questions(host.address(target), requiredInterface: "eth1").allSatisfy { $0.match == .packet })
    }

    @Test func multicastByAnInterfaceThatIsDownLeadsNowhere() {
        var host = FakeHost.twoCards
        host.change("eth1") { $0.flags = [] }
        #expect(host.report(to: "224.0.0.251", requiredInterface: "eth1") == Report(reason: .noRoute))
    }

    @Test func anInterfaceThatIsNotThereLeadsNowhereAndNobodyIsAsked() {
        let host = FakeHost.online
        for subject in [host.address("203.0.113.9"), .defaultRoute, .pair(local: nil, remote: ip("::1"), scope: nil)] {
            #expect(host.report(subject, requiredInterface: "wlan7") == Report(reason: .noRoute))
            #expect(host.questions(subject, requiredInterface: "wlan7").isEmpty)
        }
    }

    @Test func anInterfaceWithoutCarrierIsDown() {
        var host = FakeHost.twoCards
        host.change("eth1") { $0.flags = [.up] }
        let report = host.report(to: "198.51.100.9", requiredInterface: "eth1")
        #expect(report.reason == .linkDown && report.interface?.name == "eth1")
    }

    @Test func theZeroAddressIsTheDefaultRouteByTheInterface() {
        let host = FakeHost.twoCards
        #expect(host.report(to: "0.0.0.0", requiredInterface: "eth0").flags.rawValue == 0x2)
        #expect(host.report(to: "0.0.0.0", requiredInterface: "eth1") == Report(reason: .noRoute))
        #expect(host.report(.defaultRoute, requiredInterface: "eth1") == Report(reason: .noRoute))
    }

    @Test func aNamesAddressesAreBoundByItToo() {
        let host = FakeHost.twoCards
        let name = Subject.name(.addresses([ip("203.0.113.9"), ip("198.51.100.9")]))
        #expect(host.report(name, requiredInterface: "eth1").flags.rawValue == 0x20002)
    }
}
