import InternetProtocol
import Reachability
import Rtnetlink
import Testing

/// Single addresses (Rules.md, "One address").
@Suite struct AppleAddressTableTests {
    @Test(arguments: defaults + locals + neighbours + failures + scoped) func row(row: AppleRow) {
        let report = row.report()
        #expect(report.flags.rawValue == row.flags && report.reason == row.reason, "\(report)")
        #expect(report.status.isReachable == (row.flags != 0))
    }

    private static func host(_ host: FakeHost = .wired, _ change: (inout FakeHost) -> Void) -> FakeHost {
        var host = host
        change(&host)
        return host
    }

    private static func iPv4(_ host: inout FakeHost) { host.route("0.0.0.0/0", via: "192.0.2.1", dev: "eth0") }
    private static func iPv6(_ host: inout FakeHost) { host.route("::/0", via: "2001:db8::1", dev: "eth0") }

    /// A tunnel of a kind with an address, a peer, and the default route if wanted.
    private static func tunnel(_ kind: String, isDefault: Bool = true, _ change: (inout Link) -> Void = { _ in })
        -> FakeHost
    {
        host {
            iPv4(&$0)
            $0.addLink("t0") {
                $0.beTunnel(kind)
                change(&$0)
            }
            $0.own("10.8.0.2/32", "t0")
            $0.route("10.8.0.1/32", dev: "t0")
            if isDefault { $0.route("0.0.0.0/1", dev: "t0") }
        }
    }

    /// A modem's link with the default route, and no other.
    private static func cellular(_ flags: LinkFlags = [.up, .running]) -> FakeHost {
        host(FakeHost()) {
            $0.addLink("wwan0") {
                $0.beCellular()
                $0.flags = flags
            }
            $0.own("100.64.0.2/30", "wwan0")
            $0.route("0.0.0.0/0", via: "100.64.0.1", dev: "wwan0")
        }
    }

    private static let defaults = [
        AppleRow("0.0.0.0, an IPv4 default", 0x2) { host { iPv4(&$0) }.report(to: "0.0.0.0") },
        AppleRow("0.0.0.0, an IPv6 default alone", 0x2) { host { iPv6(&$0) }.report(to: "0.0.0.0") },
        AppleRow("0.0.0.0, no default", 0, .noRoute) { host { _ in }.report(to: "0.0.0.0") },
        AppleRow("0.0.0.0, a default over a VPN", 0x3) { tunnel("wireguard").report(to: "0.0.0.0") },
        AppleRow("::, an IPv6 default", 0x2) { host { iPv6(&$0) }.report(to: "::") },
        AppleRow("::, an IPv4 default alone", 0x2) { host { iPv4(&$0) }.report(to: "::") },
    ]

    private static let locals = [
        AppleRow("127.0.0.1", 0x30002) { FakeHost.online.report(to: "127.0.0.1") },
        AppleRow("any of 127/8", 0x30002) { FakeHost.online.report(to: "127.9.9.9") },
        AppleRow("::1", 0x30002) { FakeHost.online.report(to: "::1") },
        AppleRow("127.0.0.1 without a network", 0x30002) { FakeHost().report(to: "127.0.0.1") },
        AppleRow("an own address", 0x30002) { FakeHost.wired.report(to: "192.0.2.2") },
        AppleRow("an own address, IPv6", 0x30002) { FakeHost.wired.report(to: "2001:db8::2") },
        AppleRow("an own address, without carrier", 0x30002) {
            host { $0.change("eth0") { $0.flags = [.up] } }.report(to: "192.0.2.2")
        },
    ]

    private static let neighbours = [
        AppleRow("a neighbour", 0x20002) { FakeHost.wired.report(to: "192.0.2.9") },
        AppleRow("through a gateway", 0x2) { FakeHost.online.report(to: "203.0.113.9") },
        // Every tunnel is transient, one that is no VPN service too.
        AppleRow("a tunnel's peer", 0x3) { tunnel("tun").report(to: "10.8.0.1") },
        AppleRow("a tunnel's peer, point-to-point but no tunnel", 0x2) {
            tunnel("", isDefault: false) { $0.hardwareType = .ethernet }.report(to: "10.8.0.1")
        },
        AppleRow("through a VPN", 0x3) { tunnel("wireguard").report(to: "62.0.0.9") },
        AppleRow("through PPP", 0x3) { tunnel("ppp") { $0.hardwareType = .ppp }.report(to: "62.0.0.9") },
        AppleRow("169.254/16 with a route of its own", 0x20002) {
            host { $0.own("169.254.7.7/16", "eth0") }.report(to: "169.254.9.9")
        },
        AppleRow("169.254/16 with a route of its own, the zero host", 0x20002) {
            host { $0.own("169.254.7.7/16", "eth0") }.report(to: "169.254.0.0")
        },
        AppleRow("169.254/16 through the default gateway", 0x20002) { FakeHost.online.report(to: "169.254.9.9") },
        AppleRow("169.254/16 through the default gateway, the zero host", 0x20002) {
            FakeHost.online.report(to: "169.254.0.0")
        },
        AppleRow("169.254/16 over a modem alone", 0x40003) { cellular().report(to: "169.254.9.9") },
        AppleRow("multicast", 0x20002) { FakeHost.online.report(to: "224.0.0.251") },
        AppleRow("limited broadcast", 0x20002) { FakeHost.online.report(to: "255.255.255.255") },
        AppleRow("a subnet's broadcast", 0x20002) { FakeHost.wired.report(to: "192.0.2.255") },
        AppleRow("IPv6 multicast with a scope", 0x20002) { FakeHost.wired.report(to: "ff02::1%eth0") },
        AppleRow("over a modem", 0x40003) { cellular().report(to: "203.0.113.9") },
    ]

    private static let failures = [
        // No rtnetlink message shows a connection that waits to be made, so there is no 0x7, 0xf or 0x1f here.
        AppleRow("a VPN that is down", 0, .noRoute) { FakeHost.wired.report(to: "10.8.0.1") },
        AppleRow("a VPN that waits for traffic", 0, .noRoute) { FakeHost.wired.report(to: "10.8.0.1") },
        AppleRow("a VPN that failed", 0, .noRoute) { FakeHost.wired.report(to: "10.8.0.1") },
        AppleRow("169.254/16 without a network", 0, .noRoute) { FakeHost().report(to: "169.254.9.9") },
        AppleRow("no route", 0, .noRoute) { FakeHost.wired.report(to: "203.0.113.9") },
        AppleRow("a rejecting route, unreachable", 0, .unreachableRoute) {
            host(.online) { $0.route("203.0.113.0/24", type: .unreachable) }.report(to: "203.0.113.9")
        },
        AppleRow("a rejecting route, blackhole", 0, .blackhole) {
            host(.online) { $0.route("203.0.113.0/24", type: .blackhole) }.report(to: "203.0.113.9")
        },
        AppleRow("a rejecting route, prohibit", 0, .prohibited) {
            host(.online) { $0.route("203.0.113.0/24", type: .prohibit) }.report(to: "203.0.113.9")
        },
        AppleRow("a link that is set down", 0, .noRoute) {
            host(.online) { $0.change("eth0") { $0.flags = [] } }.report(to: "203.0.113.9")
        },
        AppleRow("a link without carrier", 0, .linkDown) {
            host(.online) { $0.change("eth0") { $0.flags = [.up] } }.report(to: "203.0.113.9")
        },
        AppleRow("a neighbour by a link without carrier", 0, .linkDown) {
            host { $0.change("eth0") { $0.flags = [.up] } }.report(to: "192.0.2.9")
        },
        AppleRow("a modem that is not connected", 0, .linkDown) {
            cellular([.up, .dormant]).report(to: "203.0.113.9")
        },
        AppleRow("IPv4 on a network of IPv6", 0, .noRoute) { host { iPv6(&$0) }.report(to: "203.0.113.9") },
        // There is no NAT64.
        AppleRow("IPv4 on a network of IPv6, watched", 0, .noRoute) { host { iPv6(&$0) }.report(to: "203.0.113.9") },
        AppleRow("a policy that forbids, EACCES", 0, .prohibited) {
            host { $0.override = { _ in .failure(RouteFailure(errno: 13)) } }.report(to: "203.0.113.9")
        },
        // The status is unknown, since nobody was asked.
        AppleRow("a policy that forbids, EPERM", 0, .notPermitted) {
            host { $0.override = { _ in .failure(RouteFailure(errno: 1)) } }.report(to: "203.0.113.9")
        },
    ]

    private static let scoped = [
        AppleRow("a link-local neighbour", 0x20002) {
            host { $0.own("fe80::2/64", "eth0") }.report(to: "fe80::9%eth0")
        },
        AppleRow("an own link-local address", 0x30002) {
            host { $0.own("fe80::2/64", "eth0") }.report(to: "fe80::2%eth0")
        },
        AppleRow("link-local without a scope, one candidate", 0x20002) {
            host { $0.own("fe80::2/64", "eth0") }.report(to: "fe80::9")
        },
        AppleRow("link-local without a scope, two candidates", 0, .noRoute) {
            host(.twoCards) {
                $0.own("fe80::2/64", "eth0")
                $0.own("fe80::3/64", "eth1")
            }.report(to: "fe80::9")
        },
        AppleRow("link-local on a link that is set down", 0, .noRoute) {
            host {
                $0.own("fe80::2/64", "eth0")
                $0.change("eth0") { $0.flags = [] }
            }.report(to: "fe80::9%eth0")
        },
        AppleRow("an IPv4-mapped address, through a gateway", 0x2) { FakeHost.online.report(to: "::ffff:203.0.113.9") },
        AppleRow("an IPv4-mapped address, a neighbour", 0x20002) { FakeHost.online.report(to: "::ffff:192.0.2.9") },
        AppleRow("an IPv4-mapped address, loopback", 0x30002) { FakeHost.online.report(to: "::ffff:127.0.0.1") },
        AppleRow("a required interface with a route", 0x2) {
            FakeHost.twoCards.report(to: "203.0.113.9", requiredInterface: "eth0")
        },
        AppleRow("a required interface without a route", 0, .noRoute) {
            FakeHost.twoCards.report(to: "203.0.113.9", requiredInterface: "eth1")
        },
    ]
}
