import InternetProtocol
import Rtnetlink
import Testing

@testable import Reachability

/// What carries a tunnel (Rules.md, "Kinds of link"): its link attribute, the route to its far end, or the best
/// default by link.
@Suite struct UnderlayTests {
    /// eth0 and wwan0, each with a default, and a VPN that takes the default route.
    private func host(cellularMetric: UInt32 = 100, _ change: (inout Link) -> Void = { _ in }) -> FakeHost {
        var host = FakeHost.wired
        host.route("0.0.0.0/0", via: "192.0.2.1", dev: "eth0", metric: 50)
        host.addLink("wwan0") { $0.beCellular() }
        host.own("100.64.0.2/30", "wwan0")
        host.route("0.0.0.0/0", via: "100.64.0.1", dev: "wwan0", metric: cellularMetric)
        host.addLink("vpn0") {
            $0.beTunnel()
            change(&$0)
        }
        host.own("10.8.0.2/32", "vpn0")
        host.route("0.0.0.0/1", dev: "vpn0")
        host.route("128.0.0.0/1", dev: "vpn0")
        return host
    }

    private let eth0 = InterfaceIndex(2)
    private let wwan0 = InterfaceIndex(3)
    private let vpn0 = InterfaceIndex(4)

    private func expect(
        _ report: Report, flags: UInt32, over link: String?, location: SourceLocation = #_sourceLocation
    ) {
        #expect(report.flags.rawValue == flags, sourceLocation: location)
        #expect(report.interface?.name == "vpn0" && report.interface?.type == .other, sourceLocation: location)
        #expect(report.underlying?.name == link, sourceLocation: location)
        #expect(report.lacksUnderlyingPath == (link == nil), sourceLocation: location)
    }

    @Test func theBestDefaultByLinkCarriesIt() {
        expect(host().defaultReport, flags: 0x3, over: "eth0")
        expect(host(cellularMetric: 10).defaultReport, flags: 0x40003, over: "wwan0")
        expect(host(cellularMetric: 10).report(to: "203.0.113.9"), flags: 0x40003, over: "wwan0")
    }

    @Test func aLinkThatDoesNotRunCarriesNothing() {
        var host = host()
        host.change("eth0") { $0.flags = [.up] }
        expect(host.defaultReport, flags: 0x40003, over: "wwan0")
        host.change("wwan0") { $0.flags = [.up] }
        expect(host.defaultReport, flags: 0x3, over: nil)
        #expect(host.defaultReport.status == .viaWiFi, "a tunnel counts unless its path is asked for")
    }

    @Test func whetherItRunsIsAskedAfresh() {
        var host = host()
        host.freshFlags[eth0] = .some([.up])
        expect(host.defaultReport, flags: 0x40003, over: "wwan0")
    }

    @Test func anIPv6DefaultCarriesItToo() {
        var host = FakeHost.wired
        host.route("::/0", via: "2001:db8::1", dev: "eth0", metric: 1024)
        host.addLink("vpn0") { $0.beTunnel() }
        host.own("10.8.0.2/32", "vpn0")
        host.route("0.0.0.0/0", dev: "vpn0")
        expect(host.defaultReport, flags: 0x3, over: "eth0")
    }

    @Test(arguments: ["eth0", "wwan0"]) func theLinkAttributeComesFirst(lower: String) {
        let index = lower == "eth0" ? eth0 : wwan0
        let report = host(cellularMetric: lower == "eth0" ? 10 : 100) { $0.lower = index }.defaultReport
        expect(report, flags: lower == "eth0" ? 0x3 : 0x40003, over: lower)
    }

    @Test func aLowerLinkThatIsDownIsNoPath() {
        var host = host { $0.lower = eth0 }
        host.change("eth0") { $0.flags = [.up] }
        #expect(host.defaultReport.underlying?.name == "eth0" && host.defaultReport.lacksUnderlyingPath)
    }

    @Test func aLowerLinkThatIsNotThereIsPassedOver() {
        expect(host { $0.lower = InterfaceIndex(99) }.defaultReport, flags: 0x3, over: "eth0")
    }

    @Test func theRouteToTheFarEndComesNext() {
        var host = host { $0.tunnelRemote = ip("203.0.113.77") }
        host.route("203.0.113.77/32", via: "100.64.0.1", dev: "wwan0")
        expect(host.defaultReport, flags: 0x40003, over: "wwan0")
    }

    @Test func aFarEndWithoutRouteIsNoPath() {
        var host = host { $0.tunnelRemote = ip("203.0.113.77") }
        host.route("203.0.113.77/32", type: .unreachable)
        expect(host.defaultReport, flags: 0x3, over: nil)
    }

    @Test func aFarEndThroughTheTunnelItselfIsNoPath() {
        expect(host { $0.tunnelRemote = ip("203.0.113.77") }.defaultReport, flags: 0x3, over: nil)
    }

    @Test(arguments: ["link", "far end", "default"]) func aTunnelOnATunnelIsCarriedByWhatCarriesThatOne(how: String) {
        var host = host()
        host.addLink("inner0") {
            $0.beTunnel("gre")
            switch how {
            case "link": $0.lower = wwan0
            case "far end": $0.tunnelRemote = ip("203.0.113.88")
            default: break
            }
        }
        host.route("203.0.113.88/32", via: "100.64.0.1", dev: "wwan0")
        let inner = host.index("inner0")
        host.change("vpn0") { $0.lower = inner }
        let isKnown = how != "default"
        expect(host.defaultReport, flags: isKnown ? 0x40003 : 0x3, over: isKnown ? "wwan0" : "eth0")
        host.change("vpn0") {
            $0.lower = nil
            $0.tunnelRemote = ip("203.0.113.99")
        }
        host.route("203.0.113.99/32", dev: "inner0")
        host.own("10.9.0.2/32", "inner0")
        expect(host.defaultReport, flags: isKnown ? 0x40003 : 0x3, over: isKnown ? "wwan0" : "eth0")
    }

    @Test func aLowerTunnelThatIsDownIsNoPath() {
        var host = host()
        host.addLink("inner0") {
            $0.beTunnel("gre")
            $0.lower = eth0
            $0.flags = [.up, .pointToPoint]
        }
        let inner = host.index("inner0")
        host.change("vpn0") { $0.lower = inner }
        #expect(host.defaultReport.lacksUnderlyingPath)
    }

    @Test func tunnelsInACircleEnd() {
        var host = host()
        host.addLink("inner0") {
            $0.beTunnel()
            $0.lower = vpn0
        }
        let inner = host.index("inner0")
        host.change("vpn0") { $0.lower = inner }
        #expect(host.defaultReport.flags.rawValue == 0x3)
    }

    @Test func aVLANOnAModemUnderATunnelIsCellular() {
        var host = host(cellularMetric: 10)
        host.addLink("lan7") {
            $0.driver = .vlan
            $0.lower = wwan0
        }
        let vlan = host.index("lan7")
        host.change("vpn0") { $0.lower = vlan }
        expect(host.defaultReport, flags: 0x40003, over: "lan7")
    }

    @Test func otherLinksHaveNoUnderlay() {
        let report = FakeHost.online.defaultReport
        #expect(report.underlying == nil && !report.lacksUnderlyingPath)
    }

    @Test func whereThePathIsAskedForATunnelWithoutOneIsNoWay() {
        var host = host()
        for name in ["eth0", "wwan0"] { host.change(name) { $0.flags = [.up] } }
        let report = host.defaultReport.requiringUnderlyingPath
        #expect(report.flags == [] && report.reason == .noRoute && report.status == .notReachable)
        #expect(self.host().defaultReport.requiringUnderlyingPath == self.host().defaultReport)
    }
}
