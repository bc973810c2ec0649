import InternetProtocol
import Reachability
import Testing

extension Namespaces {
    /// Addresses on and behind a wired link.
    @Suite struct AddressTests {
        /// A link with a network of its own and no default route.
        private func wired(gateway: String? = nil) throws -> NetworkNamespace {
            let net = try NetworkNamespace()
            try net.addLink("eth0", "10.0.0.2/24", gateway: gateway)
            return net
        }

        @Test(arguments: [("10.0.0.2", 0x30002), ("10.0.0.9", 0x20002), ("192.0.2.1", 0), ("default", 0)])
        func withoutADefaultOnlyTheLinksOwnNetworkIsReachable(target: String, flags: UInt32) throws {
            #expect(try wired().flags(of: target) == flags)
        }

        @Test(arguments: ["192.0.2.1", "default", "0.0.0.0", "::"])
        func aDefaultRouteReachesEverywhereAndNeverDirectly(target: String) throws {
            let report = try wired(gateway: "10.0.0.1").report(of: target)
            #expect(report.flags == .reachable)
            #expect(report.interface?.name == "eth0")
            #expect(report.gateway?.description == "10.0.0.1")
            #expect(report.source?.description == "10.0.0.2")
        }

        @Test(arguments: ["169.254.0.0", "169.254.7.7"])
        func linkLocalIPv4IsDirectByWayOfTheDefaultRoute(target: String) throws {
            #expect(try wired(gateway: "10.0.0.1").flags(of: target) == 0x20002)
        }

        @Test(arguments: ["10.0.0.255", "255.255.255.255", "224.0.0.1"])
        func broadcastAndMulticastAreDirect(target: String) throws {
            #expect(try wired(gateway: "10.0.0.1").flags(of: target) == 0x20002)
        }

        /// Of two routes by one next hop the kernel answers with the type of the one that was asked for first.
        @Test(arguments: [["224.0.0.9", "172.16.0.1"], ["172.16.0.1", "224.0.0.9"]])
        func whatWasAskedBeforeMakesNoDifference(targets: [String]) throws {
            let net = try wired(gateway: "10.0.0.1")
            try net.ip("route add 224.0.0.0/4 via 10.0.0.1", "route add 172.16.0.0/12 via 10.0.0.1")
            for target in targets {
                #expect(try net.flags(of: target) == (target.hasPrefix("224") ? 0x20002 : 0x2), "\(target)")
            }
        }

        @Test func scopedLinkLocalIPv6IsDirectAndTheHostsOwnIsLocal() throws {
            let net = try NetworkNamespace()
            try net.addLink("eth0", "fe80::7/64")
            #expect(try net.flags(of: "fe80::1%eth0") == 0x20002)
            #expect(try net.flags(of: "fe80::7%eth0") == 0x30002)
            #expect(try net.flags(of: "ff02::1%eth0") == 0x20002)
            // Nobody listens there, and the far end has an address of its own on its own link.
            try net.ip("link add eth1 type veth peer name eth1p")
            #expect(try net.flags(of: "fe80::1%eth1") == 0, "the scope's link is down")
        }

        @Test func anUnscopedLinkLocalAddressNeedsTheOneLinkThatCanBeMeant() throws {
            let net = try NetworkNamespace()
            #expect(try net.flags(of: "fe80::1") == 0)
            let tun = try net.addTun("tun0", "10.8.0.2/24")
            try net.addLink("eth0", "fe80::7/64")
            let watch = try net.watch("fe80::1")
            #expect(watch.recorder.wait { $0.flags.rawValue == 0x20002 && $0.interface?.name == "eth0" })
            try net.addLink("eth1", "fe80::8/64")
            #expect(try watch.becomesTrue())
            #expect(watch.last?.reason == .noRoute, "two links could be meant")
            withExtendedLifetime(tun) {}
        }

        @Test func aScopeThatNamesNoLinkIsRefused() throws {
            let net = try NetworkNamespace()
            #expect(throws: ReachabilityTargetError.self) { try net.report(of: "fe80::1%nosuch") }
        }

        @Test func aMappedAddressIsTheIPv4AddressWithin() throws {
            let net = try wired(gateway: "10.0.0.1")
            #expect(try net.flags(of: "::ffff:10.0.0.9") == 0x20002)
            #expect(try net.flags(of: "::ffff:10.0.0.2") == 0x30002)
            #expect(try net.flags(of: "::ffff:192.0.2.1") == 2)
        }

        @Test func ipv4NeedsASource() throws {
            let net = try NetworkNamespace()
            try net.addLink("eth0")
            try net.ip("route add default dev eth0")
            for target in ["192.0.2.1", "default"] {
                let report = try net.report(of: target)
                #expect(report.reason == .noSourceAddress)
                #expect(report.interface?.name == "eth0")
            }
        }

        @Test func globalIPv6NeedsAGlobalSource() throws {
            let net = try NetworkNamespace()
            try net.addLink("eth0", "fe80::7/64", gateway: "fe80::1")
            #expect(try net.report(of: "2001:db8::1").reason == .noSourceAddress)
            #expect(try net.report(of: "default").reason == .noSourceAddress)
            let watch = try net.watch()
            try net.addAddress("2001:db8:1::2/64", to: "eth0")
            try net.settle()
            #expect(watch.last?.flags == .reachable)
            #expect(try net.flags(of: "2001:db8::1") == 2)
            #expect(try net.flags(of: "2001:db8:1::9") == 0x20002)
        }
    }
}
