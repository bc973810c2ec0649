import InternetProtocol
import Reachability
import Rtnetlink
import Testing

/// Rules.md, "One address": what the kernel answers, and the flags it means.
@Suite struct OneAddressTests {
    /// A host whose kernel gives one answer to everything.
    private func host(_ answer: RouteAnswer, _ change: (inout Link) -> Void = { _ in }) -> FakeHost {
        var host = FakeHost.wired
        host.override = { _ in answer }
        host.change("eth0", change)
        return host
    }

    private func route(_ type: RouteType = .unicast, _ change: (inout Route) -> Void = { _ in }) -> RouteAnswer {
        var route = Route(
            type: type, destination: AddressPrefix(ip("203.0.113.9"), length: 32), egress: InterfaceIndex(2),
            source: ip("192.0.2.2"))
        change(&route)
        return .success(route)
    }

    private func flags(_ host: FakeHost, to target: String = "203.0.113.9") -> UInt32 {
        host.report(to: target).flags.rawValue
    }

    @Test func whatStaysOnTheHostIsLocalAndDirect() {
        #expect(flags(host(route(.local))) == 0x30002)
        #expect(flags(host(route(.anycast))) == 0x30002)
        #expect(flags(host(route { $0.egress = InterfaceIndex(1) })) == 0x30002, "egress loopback")
    }

    @Test func whatStaysOnTheHostNeedsNoRunningLink() {
        let down = host(route(.local)) { $0.flags = [.up] }
        #expect(flags(down) == 0x30002 && down.report(to: "203.0.113.9").reason == nil)
    }

    @Test func aNeighbourIsDirect() {
        #expect(flags(host(route())) == 0x20002)
    }

    @Test func whatGoesToTheWholeLinkIsDirect() {
        #expect(flags(host(route(.broadcast))) == 0x20002)
        #expect(flags(host(route(.broadcast)) { $0.flags.insert(.pointToPoint) }) == 0x20002)
    }

    /// The address says that it is many hosts', not the route's type, which may be another route's.
    @Test func multicastIsDirectByItsAddress() {
        let gateway: (inout Route) -> Void = { $0.gateway = ip("192.0.2.1") }
        #expect(flags(host(route(.multicast, gateway))) == 0x2)
        let host = host(route(.unicast, gateway))
        #expect(host.report(to: "224.0.0.9").flags.rawValue == 0x20002)
    }

    @Test func whatGoesThroughSomethingElseIsNotDirect() {
        #expect(flags(host(route { $0.gateway = ip("192.0.2.1") })) == 0x2)
        #expect(flags(host(route { $0.gateway = ip("fe80::1") })) == 0x2, "a gateway of the other family")
        #expect(flags(host(route { $0.isEncapsulated = true })) == 0x2)
        #expect(flags(host(route()) { $0.flags.insert(.pointToPoint) }) == 0x2)
    }

    @Test(
        arguments: [
            (.noRoute, .noRoute), (.unreachable, .unreachableRoute), (.prohibited, .prohibited),
            (.blackhole, .blackhole), (.noInterface, .noRoute),
        ] as [(RouteFailure, ReachabilityReason)])
    func anErrorIsNotReachable(failure: RouteFailure, reason: ReachabilityReason) {
        let report = host(.failure(failure)).report(to: "203.0.113.9")
        #expect(report == Report(reason: reason))
        #expect(report.status == .notReachable)
    }

    @Test(
        arguments: [
            (1, .notPermitted), (12, .kernelUnavailable), (24, .kernelUnavailable), (105, .kernelUnavailable),
        ] as [(Int32, ReachabilityReason)])
    func aKernelThatDoesNotAnswerLeavesItUnknown(code: Int32, reason: ReachabilityReason) {
        let report = host(.failure(.notAnswered(code))).report(to: "203.0.113.9")
        #expect(report.reason == reason && report.flags == [] && report.status == .unknown)
    }

    @Test(arguments: [LinkFlags([]), [.up], [.running], [.up, .lowerUp, .dormant]])
    func aLinkThatDoesNotRunIsDownAndIsNamed(linkFlags: LinkFlags) {
        let report = host(route { $0.gateway = ip("192.0.2.1") }) { $0.flags = linkFlags }.report(to: "203.0.113.9")
        #expect(report.flags == [] && report.reason == .linkDown)
        #expect(report.interface?.name == "eth0" && report.interface?.type == .wiredEthernet)
        #expect(report.gateway == ip("192.0.2.1") && report.source == ip("192.0.2.2"))
    }

    @Test func whetherALinkRunsIsAskedAfresh() {
        var host = host(route())
        host.freshFlags[InterfaceIndex(2)] = .some([.up])
        #expect(host.report(to: "203.0.113.9").reason == .linkDown)
        host.freshFlags[InterfaceIndex(2)] = .some(nil)
        #expect(host.report(to: "203.0.113.9").reason == .linkDown, "gone meanwhile")
    }

    @Test func aLinkThatIsNotKnownYetIsAskedFor() {
        var host = host(route { $0.egress = InterfaceIndex(99) })
        #expect(host.report(to: "203.0.113.9") == Report(reason: .noRoute), "gone meanwhile")
        host.unknownLinks[InterfaceIndex(99)] = LinkEntry(Link(index: InterfaceIndex(99), name: "new0"))
        host.freshFlags[InterfaceIndex(99)] = .some([.up, .running])
        #expect(host.report(to: "203.0.113.9").interface?.name == "new0")
        #expect(self.host(route { $0.egress = nil }).report(to: "203.0.113.9").reason == .noRoute)
    }

    @Test func iPv4NeedsASource() {
        let report = host(route { $0.source = nil }).report(to: "203.0.113.9")
        #expect(report.reason == .noSourceAddress && report.flags == [] && report.interface?.name == "eth0")
    }

    /// Target, chosen source, whether it is reachable.
    @Test(
        arguments: [
            ("2a00::9", "fe80::2", false), ("2a00::9", nil, false), ("2a00::9", "2001:db8::2", true),
            ("2a00::9", "fd00::2", true), ("fd00::9", "fe80::2", false), ("ff05::9", "fe80::2", true),
        ] as [(String, String?, Bool)])
    func globalIPv6NeedsASourceThatIsNotLinkLocal(target: String, source: String?, isReachable: Bool) {
        let host = host(route { $0.source = source.map { ip($0) } })
        #expect(host.report(to: target).reason == (isReachable ? nil : .noSourceAddress))
    }

    @Test func aRouteThatExpiresIsLookedAtAgain() {
        var host = FakeHost.wired
        host.route("2a00::/16", via: "2001:db8::1", dev: "eth0") { $0.lifetime = .seconds(30) }
        host.route("2a01::/16", via: "2001:db8::1", dev: "eth0") { $0.lifetime = .seconds(20) }
        func lifetime(_ targets: [String]) -> Duration? {
            var evaluation = Evaluation(RecordingOracle(host))
            _ = evaluation.report(.name(.addresses(targets.map { ip($0) })))
            return evaluation.oracle.lifetime
        }
        #expect(lifetime(["2a00::9"]) == .seconds(30))
        #expect(lifetime(["2001:db8::9"]) == nil)
    }

    /// As Linux 6.18 answers: a packet's answer is a copy of the route that does not expire; the entry tells.
    @Test func theExpiryIsAskedOfTheEntryWhereThePacketsAnswerHasNone() {
        var host = FakeHost.wired
        host.route("2a00::/16", via: "2001:db8::1", dev: "eth0") { $0.lifetime = .seconds(30) }
        host.override = { [host] question in
            var host = host
            host.override = { _ in nil }
            guard question.match == .packet, case .success(var route) = host.route(question) else { return nil }
            route.lifetime = nil
            return .success(route)
        }
        var evaluation = Evaluation(RecordingOracle(host))
        #expect(evaluation.report(.address(ip("2a00::9"), scope: nil)).reason == nil)
        #expect(evaluation.oracle.lifetime == .seconds(30))
        #expect(evaluation.oracle.asked == [RouteQuestion(ip("2a00::9"))])
    }

    // MARK: - Kinds of link

    @Test(arguments: ["tun", "ppp", "wireguard", "gre"]) func aTunnelIsTransient(kind: String) {
        #expect(flags(host(route()) { $0.beTunnel(kind) }) == 0x3)
        #expect(flags(host(route { $0.gateway = ip("192.0.2.1") }) { $0.beTunnel(kind) }) == 0x3)
    }

    @Test func aModemIsTransientAndCellular() {
        #expect(flags(host(route { $0.gateway = ip("192.0.2.1") }) { $0.beCellular() }) == 0x40003)
        #expect(flags(host(route()) { $0.beCellular() }) == 0x60003, "a neighbour on an Ethernet-like modem link")
    }

    @Test func whatModemManagerClaimsIsCellular() {
        var host = host(route()) {
            $0.name = "ppp0"
            $0.beTunnel("ppp")
        }
        #expect(flags(host) == 0x3)
        host.view.modems = ["ppp0"]
        #expect(flags(host) == 0x40003)
    }

    // MARK: - 169.254/16 and mapped addresses

    @Test func linkLocalIPv4IsDirectThroughAGatewayToo() {
        let gateway = route { $0.gateway = ip("192.0.2.1") }
        for target in ["169.254.0.0", "169.254.9.9"] {
            #expect(flags(host(gateway), to: target) == 0x20002)
            #expect(flags(host(gateway) { $0.flags.insert(.pointToPoint) }, to: target) == 0x2)
            #expect(flags(host(gateway) { $0.beTunnel() }, to: target) == 0x3)
            #expect(flags(host(gateway) { $0.beCellular() }, to: target) == 0x40003)
            #expect(flags(host(.failure(.noRoute)), to: target) == 0)
        }
        #expect(flags(host(gateway), to: "169.253.9.9") == 0x2)
    }

    @Test func aMappedAddressIsAskedForAsIPv4() {
        let host = FakeHost.online
        #expect(host.questions(host.address("::ffff:203.0.113.9")) == [RouteQuestion(ip("203.0.113.9"))])
        #expect(host.report(to: "::ffff:203.0.113.9") == host.report(to: "203.0.113.9"))
        #expect(host.report(to: "::ffff:0.0.0.0") == host.defaultReport)
    }

    @Test func theReportNamesTheWay() {
        let report = FakeHost.online.report(to: "203.0.113.9")
        #expect(report.interface?.name == "eth0" && report.interface?.index == 2)
        #expect(report.gateway == ip("192.0.2.1") && report.source == ip("192.0.2.2") && report.underlying == nil)
        #expect(report.reason == nil && report.status == .viaWiFi && !report.lacksUnderlyingPath)
    }
}
