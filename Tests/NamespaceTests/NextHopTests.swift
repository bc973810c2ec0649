import InternetProtocol
import Reachability
import Testing

extension Namespaces {
    /// Routes with several next hops, next-hop objects, next hops of the other family, and encapsulation.
    @Suite struct NextHopTests {
        private func twoLinks() throws -> NetworkNamespace {
            let net = try NetworkNamespace()
            try net.addLink("eth0", "10.0.0.2/24", "2001:db8:1::2/64")
            try net.addLink("eth1", "10.1.0.2/24", "2001:db8:2::2/64")
            return net
        }

        @Test func aDefaultOverTwoLinksNeedsOneOfThem() throws {
            let net = try twoLinks()
            try net.ip("route add default nexthop via 10.0.0.1 dev eth0 nexthop via 10.1.0.1 dev eth1")
            let watch = try net.watch()
            #expect(watch.last?.flags == .reachable)
            try net.ip("link set eth0 down")
            try net.settle()
            #expect(watch.last?.interface?.name == "eth1")
            #expect(watch.last?.flags == .reachable)
            try net.ip("link set eth1 down")
            try net.settle()
            #expect(watch.last?.reason == .noRoute)
        }

        /// The kernel cannot show an entry of so many in one answer, and says so (EMSGSIZE).
        @Test(arguments: ["default", "192.0.2.1%eth0", "2001:db8:9::1%eth0"])
        func aRouteOfHundredsOfNextHopsIsOne(target: String) throws {
            let net = try twoLinks()
            let hops = (3..<250).flatMap { ["nexthop", "via", "10.0.0.\($0)", "dev", "eth0"] }
            // A batch takes no line of so many words.
            try ChildProcess.run("/usr/bin/env", ["ip", "route", "add", "default"] + hops, input: "", in: net)
            try net.ip((1...300).map { "route append default via 2001:db8:1::\(String($0 + 8, radix: 16)) dev eth0" })
            #expect(try net.report(of: target).flags == .reachable)
            let path = try net.watch(.path)
            #expect(path.last?.path?.supportsIPv4 == true && path.last?.path?.supportsIPv6 == true)
        }

        /// A busy bucket of a resilient group moves once its time is over, and a message of its own tells.
        @Test func aBucketThatMovesIsFollowed() throws {
            let net = try twoLinks()
            try net.ip(
                "nexthop add id 1 via 10.0.0.1 dev eth0", "nexthop add id 2 via 10.1.0.1 dev eth1",
                "nexthop add id 10 group 1,100/2 type resilient buckets 8 idle_timer 1",
                "route add default nhid 10")
            let watch = try net.watch()
            #expect(watch.last?.interface?.name == "eth0")
            try net.ip("nexthop replace id 10 group 1/2,100 type resilient buckets 8 idle_timer 1")
            #expect(watch.recorder.wait { $0.interface?.name == "eth1" })
            #expect(try watch.isTrueNow())
        }

        @Test func anIPv6DefaultOverTwoLinksNeedsOneOfThem() throws {
            let net = try twoLinks()
            try net.ip(
                "route add 2000::/3 nexthop via 2001:db8:1::1 dev eth0 nexthop via 2001:db8:2::1 dev eth1")
            let watch = try net.watch()
            #expect(watch.last?.flags == .reachable)
            try net.ip("link set eth0 down")
            try net.settle()
            #expect(watch.last?.interface?.name == "eth1")
            try net.ip("link set eth1 down")
            try net.settle()
            #expect(watch.last?.reason == .noRoute)
        }

        /// A route by an object changes with it, and only a next-hop message tells.
        @Test(arguments: ["default", "192.0.2.1"])
        func aNextHopObjectIsFollowedAsItChangesAndGoes(target: String) throws {
            let net = try twoLinks()
            try net.ip("nexthop add id 1 via 10.0.0.1 dev eth0", "route add default nhid 1")
            let watch = try net.watch(target)
            #expect(watch.last?.gateway?.description == "10.0.0.1")
            try net.ip("nexthop replace id 1 via 10.1.0.1 dev eth1")
            try net.settle()
            #expect(watch.last?.interface?.name == "eth1")
            try net.ip("nexthop replace id 1 blackhole")
            try net.settle()
            #expect(watch.last?.reason == .blackhole)
            try net.ip("nexthop replace id 1 via 10.0.0.1 dev eth0")
            try net.settle()
            #expect(watch.last?.flags == .reachable)
            try net.ip("nexthop del id 1")
            try net.settle()
            #expect(watch.last?.reason == .noRoute)
        }

        @Test func anIPv6NextHopObjectIsFollowedToo() throws {
            let net = try twoLinks()
            try net.ip("nexthop add id 1 via 2001:db8:1::1 dev eth0", "route add 2000::/3 nhid 1")
            let watch = try net.watch()
            #expect(watch.last?.gateway?.description == "2001:db8:1::1")
            try net.ip("nexthop replace id 1 via 2001:db8:2::1 dev eth1")
            try net.settle()
            #expect(watch.last?.interface?.name == "eth1")
            try net.ip("nexthop del id 1")
            try net.settle()
            #expect(watch.last?.reason == .noRoute)
        }

        @Test func aGroupOfNextHopsShrinksAndGoes() throws {
            let net = try twoLinks()
            try net.ip(
                "nexthop add id 1 via 10.0.0.1 dev eth0", "nexthop add id 2 via 10.1.0.1 dev eth1",
                "nexthop add id 9 group 1/2",
                "route add default nhid 9")
            let watch = try net.watch()
            #expect(watch.last?.flags == .reachable)
            try net.ip("nexthop del id 1")
            try net.settle()
            #expect(watch.last?.interface?.name == "eth1")
            try net.ip("nexthop del id 2")
            try net.settle()
            #expect(watch.last?.reason == .noRoute)
        }

        @Test func aNextHopOfTheOtherFamilyIsAGateway() throws {
            let net = try twoLinks()
            try net.ip("route add 0.0.0.0/0 via inet6 fe80::1 dev eth0")
            let report = try net.report(of: "default")
            #expect(report.flags == .reachable)
            #expect(report.gateway?.description == "fe80::1")
            #expect(try net.flags(of: "192.0.2.1") == 2, "not direct")
        }

        @Test func aDefaultWithoutAGatewayIsDirectForAddresses() throws {
            let net = try twoLinks()
            try net.ip("route add default dev eth0")
            #expect(try net.flags(of: "default") == 2)
            #expect(try net.flags(of: "192.0.2.1") == 0x20002)
            try net.ip("route replace default via 192.0.2.254 dev eth0 onlink")
            #expect(try net.flags(of: "192.0.2.1") == 2)
        }

        @Test(
            .enabled(if: Encapsulation.isThere, "the kernel has no light-weight tunnels"),
            arguments: Encapsulation.routes)
        func anEncapsulatedRouteIsNotDirect(target: String, route: String) throws {
            let net = try twoLinks()
            try net.ip("route add \(route)")
            let report = try net.report(of: target)
            #expect(report.flags == .reachable)
            #expect(report.gateway == nil)
            #expect(report.interface?.name == "eth0")
        }
    }
}

private enum Encapsulation {
    static let routes = [
        ("203.0.113.1", "203.0.113.0/24 encap ip id 5 dst 10.0.0.1 dev eth0"),
        ("2001:db8:8::1", "2001:db8:8::/48 encap ip6 id 5 dst 2001:db8:1::9 dev eth0"),
        ("2001:db8:5::1", "2001:db8:5::/48 encap seg6 mode encap segs 2001:db8:1::9 dev eth0"),
    ]

    static let isThere: Bool = {
        guard let net = try? NetworkNamespace() else { return false }
        guard (try? net.addLink("eth0", "10.0.0.2/24", "2001:db8:1::2/64")) != nil else { return false }
        return (try? net.ip(routes.map { "route add \($0.1)" })) != nil
    }()
}
