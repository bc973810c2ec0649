import InternetProtocol
import Reachability
import Rtnetlink
import Testing

/// The D rows: single addresses.
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
        AppleRow("D1", 0x2) { host { iPv4(&$0) }.report(to: "0.0.0.0") },
        AppleRow("D2", 0x2) { host { iPv6(&$0) }.report(to: "0.0.0.0") },
        AppleRow("D3", 0, .noRoute) { host { _ in }.report(to: "0.0.0.0") },
        AppleRow("D4", 0x3) { tunnel("wireguard").report(to: "0.0.0.0") },
        AppleRow("D5", 0x2) { host { iPv6(&$0) }.report(to: "::") },
        AppleRow("D6", 0x2) { host { iPv4(&$0) }.report(to: "::") },
    ]

    private static let locals = [
        AppleRow("D7", 0x30002) { FakeHost.online.report(to: "127.0.0.1") },
        AppleRow("D7, any of 127/8", 0x30002) { FakeHost.online.report(to: "127.9.9.9") },
        AppleRow("D8", 0x30002) { FakeHost.online.report(to: "::1") },
        AppleRow("D9", 0x30002) { FakeHost().report(to: "127.0.0.1") },
        AppleRow("D10", 0x30002) { FakeHost.wired.report(to: "192.0.2.2") },
        AppleRow("D10, IPv6", 0x30002) { FakeHost.wired.report(to: "2001:db8::2") },
        AppleRow("D10, without carrier", 0x30002) {
            host { $0.change("eth0") { $0.flags = [.up] } }.report(to: "192.0.2.2")
        },
    ]

    private static let neighbours = [
        AppleRow("D11", 0x20002) { FakeHost.wired.report(to: "192.0.2.9") },
        AppleRow("D12", 0x2) { FakeHost.online.report(to: "203.0.113.9") },
        // Section 8.5 leaves the choice; DESIGN 3 takes "transient" for every tunnel.
        AppleRow("D13", 0x3) { tunnel("tun").report(to: "10.8.0.1") },
        AppleRow("D13, point-to-point but no tunnel", 0x2) {
            tunnel("", isDefault: false) { $0.hardwareType = .ethernet }.report(to: "10.8.0.1")
        },
        AppleRow("D14", 0x3) { tunnel("wireguard").report(to: "62.0.0.9") },
        AppleRow("D15", 0x3) { tunnel("ppp") { $0.hardwareType = .ppp }.report(to: "62.0.0.9") },
        AppleRow("D19", 0x20002) { host { $0.own("169.254.7.7/16", "eth0") }.report(to: "169.254.9.9") },
        AppleRow("D19, the zero host", 0x20002) { host { $0.own("169.254.7.7/16", "eth0") }.report(to: "169.254.0.0") },
        AppleRow("D20", 0x20002) { FakeHost.online.report(to: "169.254.9.9") },
        AppleRow("D20, the zero host", 0x20002) { FakeHost.online.report(to: "169.254.0.0") },
        AppleRow("D21", 0x40003) { cellular().report(to: "169.254.9.9") },
        AppleRow("D23", 0x20002) { FakeHost.online.report(to: "224.0.0.251") },
        AppleRow("D24", 0x20002) { FakeHost.online.report(to: "255.255.255.255") },
        AppleRow("D25", 0x20002) { FakeHost.wired.report(to: "192.0.2.255") },
        AppleRow("D26", 0x20002) { FakeHost.wired.report(to: "ff02::1%eth0") },
        AppleRow("D31", 0x40003) { cellular().report(to: "203.0.113.9") },
    ]

    private static let failures = [
        // No rtnetlink message shows a connection that waits to be made, so there is no 0x7, 0xf or 0x1f here.
        AppleRow("D16", 0, .noRoute) { FakeHost.wired.report(to: "10.8.0.1") },
        AppleRow("D17", 0, .noRoute) { FakeHost.wired.report(to: "10.8.0.1") },
        AppleRow("D18", 0, .noRoute) { FakeHost.wired.report(to: "10.8.0.1") },
        AppleRow("D22", 0, .noRoute) { FakeHost().report(to: "169.254.9.9") },
        AppleRow("D27", 0, .noRoute) { FakeHost.wired.report(to: "203.0.113.9") },
        AppleRow("D28, unreachable", 0, .unreachableRoute) {
            host(.online) { $0.route("203.0.113.0/24", type: .unreachable) }.report(to: "203.0.113.9")
        },
        AppleRow("D28, blackhole", 0, .blackhole) {
            host(.online) { $0.route("203.0.113.0/24", type: .blackhole) }.report(to: "203.0.113.9")
        },
        AppleRow("D28, prohibit", 0, .prohibited) {
            host(.online) { $0.route("203.0.113.0/24", type: .prohibit) }.report(to: "203.0.113.9")
        },
        AppleRow("D29", 0, .noRoute) {
            host(.online) { $0.change("eth0") { $0.flags = [] } }.report(to: "203.0.113.9")
        },
        AppleRow("D30", 0, .linkDown) {
            host(.online) { $0.change("eth0") { $0.flags = [.up] } }.report(to: "203.0.113.9")
        },
        AppleRow("D30, a neighbour", 0, .linkDown) {
            host { $0.change("eth0") { $0.flags = [.up] } }.report(to: "192.0.2.9")
        },
        AppleRow("D32", 0, .linkDown) { cellular([.up, .dormant]).report(to: "203.0.113.9") },
        AppleRow("D40", 0, .noRoute) { host { iPv6(&$0) }.report(to: "203.0.113.9") },
        // Optional in column L; DESIGN knows no NAT64.
        AppleRow("D41", 0, .noRoute) { host { iPv6(&$0) }.report(to: "203.0.113.9") },
        AppleRow("D42, EACCES", 0, .prohibited) {
            host { $0.override = { _ in .failure(RouteFailure(errno: 13)) } }.report(to: "203.0.113.9")
        },
        // Flags 0 as in column L; by DESIGN 3 the status is unknown, since nobody was asked.
        AppleRow("D42, EPERM", 0, .notPermitted) {
            host { $0.override = { _ in .failure(RouteFailure(errno: 1)) } }.report(to: "203.0.113.9")
        },
    ]

    private static let scoped = [
        AppleRow("D33", 0x20002) { host { $0.own("fe80::2/64", "eth0") }.report(to: "fe80::9%eth0") },
        AppleRow("D34", 0x30002) { host { $0.own("fe80::2/64", "eth0") }.report(to: "fe80::2%eth0") },
        AppleRow("D35, one candidate", 0x20002) { host { $0.own("fe80::2/64", "eth0") }.report(to: "fe80::9") },
        AppleRow("D35, two candidates", 0, .noRoute) {
            host(.twoCards) {
                $0.own("fe80::2/64", "eth0")
                $0.own("fe80::3/64", "eth1")
            }.report(to: "fe80::9")
        },
        AppleRow("D36", 0, .noRoute) {
            host {
                $0.own("fe80::2/64", "eth0")
                $0.change("eth0") { $0.flags = [] }
            }.report(to: "fe80::9%eth0")
        },
        AppleRow("D37, through a gateway", 0x2) { FakeHost.online.report(to: "::ffff:203.0.113.9") },
        AppleRow("D37, a neighbour", 0x20002) { FakeHost.online.report(to: "::ffff:192.0.2.9") },
        AppleRow("D37, loopback", 0x30002) { FakeHost.online.report(to: "::ffff:127.0.0.1") },
        AppleRow("D38", 0x2) { FakeHost.twoCards.report(to: "203.0.113.9", requiredInterface: "eth0") },
        AppleRow("D39", 0, .noRoute) { FakeHost.twoCards.report(to: "203.0.113.9", requiredInterface: "eth1") },
    ]
}
