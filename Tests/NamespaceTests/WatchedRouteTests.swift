import InternetProtocol
import Reachability
import Testing
import Timing

extension Namespaces {
    /// What is told of routes that come, go, change and run out.
    @Suite struct WatchedRouteTests {
        private func twoLinks() throws -> NetworkNamespace {
            let net = try NetworkNamespace()
            try net.addLink("eth0", "10.0.0.2/24", gateway: "10.0.0.1")
            try net.addLink("eth1", "10.1.0.2/24")
            return net
        }

        @Test(arguments: ["default", "192.0.2.1"])
        func aDefaultThatIsReplacedByAnotherLinksIsToldOnce(target: String) throws {
            let net = try twoLinks()
            let watch = try net.watch(target)
            try net.ip("route replace default via 10.1.0.1 dev eth1")
            try net.settle()
            #expect(watch.recorder.reports.map(\.interface?.name) == ["eth0", "eth1"])
            #expect(watch.recorder.reports.map(\.flags) == [.reachable, .reachable])
        }

        /// Apple tells nothing of it; here it is a change of path, and none of status.
        @Test func anotherGatewayIsAChangeOfPathAlone() throws {
            let net = try twoLinks()
            let watch = try net.watch()
            try net.ip("route replace default via 10.0.0.254 dev eth0")
            try net.settle()
            #expect(watch.recorder.reports.map(\.gateway?.description) == ["10.0.0.1", "10.0.0.254"])
            #expect(watch.recorder.updates.last?.causes.contains(.route) == true)
            #expect(watch.recorder.reports.map(\.status) == [.viaWiFi, .viaWiFi])
        }

        @Test func nothingIsToldWhereNothingChanges() throws {
            let net = try twoLinks()
            let watches = try ["default", "192.0.2.1", "10.0.0.9", "10.0.0.2"].map { try net.watch($0) }
            try net.ip(
                "route add 100.64.0.0/10 via 10.0.0.1", "route del 100.64.0.0/10",
                "route add default via 10.1.0.1 metric 50000",
                "route del default via 10.1.0.1 metric 50000", "addr add 10.3.0.2/24 dev eth1",
                "addr del 10.3.0.2/24 dev eth1",
                "link set eth1 mtu 1400", "link set eth1 alias cable", "rule add to 203.0.113.0/24 prohibit",
                "rule del to 203.0.113.0/24 prohibit", "neigh add 10.0.0.9 lladdr 02:00:00:00:00:09 dev eth0")
            try net.settle()
            for watch in watches { #expect(watch.count == 1, "\(watch.target)") }
        }

        @Test func aMoreExactRouteIsFollowedByWhomItConcernsAlone() throws {
            let net = try twoLinks()
            let inside = try net.watch("198.51.100.9")
            let outside = try net.watch("198.51.101.9")
            try net.ip("route add 198.51.100.0/24 via 10.1.0.1")
            try net.settle()
            #expect(inside.last?.interface?.name == "eth1")
            try net.ip("route del 198.51.100.0/24")
            try net.settle()
            #expect(inside.last?.interface?.name == "eth0")
            #expect(outside.count == 1)
        }

        /// Probe addresses stand for everywhere; a route to one of them alone says nothing about that.
        @Test func aRouteToAProbeAddressIsNoDefaultRoute() throws {
            let net = try NetworkNamespace()
            try net.addLink("eth0", "10.0.0.2/24")
            try net.addLink("eth1", "10.1.0.2/24")
            let watch = try net.watch()
            let probe = ProbeAddresses.v4[0]
            try net.ip("route add \(probe)/32 via 10.0.0.1")
            try net.settle()
            #expect(watch.last?.reason == .noRoute)
            #expect(watch.count == 1)
            try net.ip("route add default via 10.1.0.1")
            try net.settle()
            #expect(watch.last?.interface?.name == "eth1", "the other probes decide")
            for kind in ["blackhole", "unreachable", "prohibit"] {
                try net.ip("route replace \(kind) \(probe)/32")
                try net.settle()
                #expect(watch.last?.flags == .reachable, "\(kind)")
            }
            try net.ip("addr add \(probe)/32 dev eth0")
            try net.settle()
            #expect(watch.last?.interface?.name == "eth1", "the host's own address is no probe")
            #expect(try watch.isTrueNow())
        }

        @Test func twoHalvesOfTheInternetAreADefaultRoute() throws {
            let net = try NetworkNamespace()
            try net.addLink("eth0", "10.0.0.2/24", "2001:db8:1::2/64")
            let watch = try net.watch()
            try net.ip("route add 0.0.0.0/1 via 10.0.0.1", "route add 128.0.0.0/1 via 10.0.0.1")
            try net.settle()
            #expect(watch.last?.flags == .reachable)
            try net.ip("route del 0.0.0.0/1", "route del 128.0.0.0/1", "route add 2000::/3 via 2001:db8:1::1")
            try net.settle()
            #expect(watch.last?.gateway?.description == "2001:db8:1::1")
        }

        @Test func eitherFamilyIsEnough() throws {
            let net = try NetworkNamespace()
            try net.addLink("eth0", "10.0.0.2/24", "2001:db8:1::2/64", gateway: "10.0.0.1")
            let watch = try net.watch()
            try net.ip("route add default via 2001:db8:1::1")
            try net.settle()
            #expect(watch.count == 1, "IPv4 comes first")
            try net.ip("route del default via 10.0.0.1")
            try net.settle()
            #expect(watch.last?.gateway?.description == "2001:db8:1::1")
            try net.ip("route del default via 2001:db8:1::1")
            try net.settle()
            #expect(watch.last?.reason == .noRoute)
        }

        /// The kernel says nothing when it happens: the route is taken away at the next collection only.
        @Test(arguments: ["default", "2001:db8:77::1"])
        func anIPv6DefaultThatRunsOutIsToldWhenItDoes(target: String) throws {
            let net = try NetworkNamespace()
            try net.addLink("eth0", "2001:db8:1::2/64")
            let start = Instant.now
            try net.ip("route add default via 2001:db8:1::1 expires 2")
            let watch = try net.watch(target)
            #expect(watch.last?.flags == .reachable)
            #expect(watch.recorder.wait { $0.reason == .noRoute })
            let time = Instant.now - start
            #expect(time > .seconds(1.9) && time < .seconds(4), "\(time)")
            #expect(watch.recorder.updates.last?.causes.contains(.expiry) == true)
            #expect(watch.count == 2)
        }

        /// In its last hundredth of a second a route looks as if it had no end.
        @Test func anExpiryIsToldThoughItIsLookedAtAtTheLastMoment() throws {
            let net = try NetworkNamespace()
            try net.addLink("eth0", "2001:db8:1::2/64")
            // They run out a few milliseconds after one another.
            let watches = try (1...100).map { number in
                try net.ip("route add 2001:db8:77::\(number)/128 via 2001:db8:1::1 expires 1")
                return try net.watch("2001:db8:77::\(number)")
            }
            #expect(watches[50].recorder.wait(within: .seconds(5)) { $0.reason == .noRoute })
            // Has all targets looked at anew, those about to run out among them.
            try net.ip("addr add 10.9.0.2/24 dev lo")
            for watch in watches {
                #expect(watch.recorder.wait(within: .seconds(1)) { $0.reason == .noRoute }, "\(watch.target)")
            }
        }

        @Test func aRouteWhoseTimeIsRenewedIsNotTold() throws {
            let net = try NetworkNamespace()
            try net.addLink("eth0", "2001:db8:1::2/64")
            try net.ip("route add default via 2001:db8:1::1 expires 1")
            let watch = try net.watch()
            try net.ip("route replace default via 2001:db8:1::1 expires 3")
            let start = Instant.now
            #expect(watch.recorder.wait { $0.reason == .noRoute })
            #expect(Instant.now - start > .seconds(2.5))
            #expect(watch.count == 2)
        }
    }
}
