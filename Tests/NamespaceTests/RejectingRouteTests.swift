import Reachability
import Testing

extension Namespaces {
    /// Routes and rules that say no, and routing by policy.
    @Suite struct RejectingRouteTests {
        private func wired() throws -> NetworkNamespace {
            let net = try NetworkNamespace()
            try net.addLink("eth0", "10.0.0.2/24", "2001:db8:1::2/64", gateway: "10.0.0.1")
            try net.ip("route add default via 2001:db8:1::1")
            return net
        }

        private static let kinds: [(String, ReachabilityReason)] = [
            ("blackhole", .blackhole), ("unreachable", .unreachableRoute), ("prohibit", .prohibited),
        ]

        @Test(arguments: kinds)
        func aRejectingRouteIsNotReachableForItsOwnReason(kind: String, reason: ReachabilityReason) throws {
            let net = try wired()
            let v4 = try net.watch("198.51.100.1")
            let v6 = try net.watch("2001:db8:5::1")
            try net.ip("route add \(kind) 198.51.100.0/24", "route add \(kind) 2001:db8:5::/48")
            try net.settle()
            for watch in [v4, v6] {
                #expect(watch.last?.reason == reason, "\(watch.target)")
                #expect(watch.last?.status == .notReachable)
            }
            try net.ip("route del 198.51.100.0/24", "route del 2001:db8:5::/48")
            try net.settle()
            #expect(v4.recorder.reports.map(\.flags.rawValue) == [2, 0, 2])
            #expect(v6.recorder.reports.map(\.flags.rawValue) == [2, 0, 2])
        }

        @Test func aThrowRouteSendsTheQuestionOnToTheNextTable() throws {
            let net = try wired()
            try net.ip("rule add priority 100 lookup 100", "route add throw 198.51.100.0/24 table 100")
            try net.ip("route add blackhole 203.0.113.0/24 table 100")
            #expect(try net.flags(of: "198.51.100.1") == 2)
            #expect(try net.report(of: "203.0.113.1").reason == .blackhole)
            try net.ip("route del default", "route del default via 2001:db8:1::1")
            #expect(try net.report(of: "198.51.100.1").reason == .noRoute)
        }

        @Test func aRuleThatProhibitsIsFollowed() throws {
            let net = try wired()
            let watch = try net.watch("198.51.100.1")
            try net.ip("rule add to 198.51.100.0/24 prohibit")
            try net.settle()
            #expect(watch.last?.reason == .prohibited)
            try net.ip("rule del to 198.51.100.0/24 prohibit")
            try net.settle()
            #expect(watch.recorder.reports.map(\.flags.rawValue) == [2, 0, 2])
        }

        @Test(arguments: kinds)
        func aDefaultThatRejectsIsNone(kind: String, reason: ReachabilityReason) throws {
            let net = try NetworkNamespace()
            try net.addLink("eth0", "10.0.0.2/24")
            try net.ip("route add \(kind) default")
            #expect(try net.report(of: "default").reason == reason)
            #expect(try net.flags(of: "10.0.0.9") == 0x20002)
        }

        /// As wg-quick does it: packets without the tunnel's own mark go into the tunnel.
        @Test func aDefaultInATableOfItsOwnIsFoundByItsRule() throws {
            let net = try wired()
            let tun = try net.addTun("wg0", "10.8.0.2/24")
            let watch = try net.watch()
            #expect(watch.last?.interface?.name == "eth0")
            try net.ip("route add default dev wg0 table 51820")
            try net.settle()
            #expect(watch.count == 1, "no rule leads to the table yet")
            try net.ip("rule add not fwmark 51820 lookup 51820", "rule add lookup main suppress_prefixlength 0")
            try net.settle()
            #expect(watch.last?.interface?.name == "wg0")
            #expect(watch.last?.flags.rawValue == 3)
            #expect(watch.last?.underlying?.name == "eth0", "the default that the tunnel hides")
            #expect(try net.flags(of: "10.0.0.9") == 0x20002, "more exact routes of the main table count first")
            try net.ip("rule del not fwmark 51820 lookup 51820")
            try net.settle()
            #expect(watch.last?.reason == nil, "the rest of the rules leaves IPv6's default, or main's")
            #expect(try watch.isTrueNow())
            withExtendedLifetime(tun) {}
        }

        @Test func rulesByOwnSourceMatterToPairs() throws {
            let net = try wired()
            try net.addLink("eth1", "10.1.0.2/24")
            try net.ip("route add default via 10.1.0.1 table 7", "rule add from 10.1.0.2 lookup 7")
            let report = try net.report(of: "10.1.0.2,192.0.2.1")
            #expect(report.flags == .reachable)
            #expect(report.interface?.name == "eth1")
            #expect(try net.report(of: "10.0.0.2,192.0.2.1").interface?.name == "eth0")
        }
    }
}
