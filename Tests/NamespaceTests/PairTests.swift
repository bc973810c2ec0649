import InternetProtocol
import Reachability
import Testing

extension Namespaces {
    /// A local and a remote address (Rules.md, "A pair", with its rows).
    @Suite struct PairTests {
        /// One address with a peer for each of its callers, as a concentrator has it.
        @Test func anAddressStaysAsLongAsOneOfItsPeersDoes() throws {
            let net = try NetworkNamespace()
            try net.addLink("eth0")
            try net.ip(
                "addr add 10.9.0.1 peer 10.9.0.2/32 dev eth0", "addr add 10.9.0.1 peer 10.9.0.3/32 dev eth0")
            let watch = try net.watch("10.9.0.1,10.9.0.2")
            #expect(watch.last?.reason == nil)
            try net.ip("addr del 10.9.0.1 peer 10.9.0.3/32 dev eth0")
            #expect(try watch.isTrueNow())
            #expect(watch.last?.reason == nil)
            try net.ip("addr del 10.9.0.1 peer 10.9.0.2/32 dev eth0")
            try net.settle()
            #expect(watch.last?.reason != nil)
        }

        /// The default route leaves by eth0; eth1 has a network and no way out of it.
        private func twoLinks() throws -> NetworkNamespace {
            let net = try NetworkNamespace()
            try net.addLink("eth0", "10.0.0.2/24", "2001:db8:1::2/64", gateway: "10.0.0.1")
            try net.addLink("eth1", "10.1.0.2/24", "2001:db8:2::2/64")
            return net
        }

        private static let reachable: [(String, UInt32)] = [
            ("10.0.0.2,192.0.2.1", 2),  // P1
            ("10.0.0.2,10.0.0.9", 0x20002),
            ("10.1.0.2,10.1.0.9", 0x20002),
            ("10.0.0.2,10.0.0.2", 0x30002),  // P5
            ("10.0.0.2,10.1.0.2", 0x30002),  // an own address to an own address
            ("10.0.0.2,", 2),  // P6
            (",192.0.2.1", 2),  // P8
            ("0.0.0.0,192.0.2.1", 2),  // P9
            ("127.0.0.1,127.9.9.9", 0x30002),  // P10
            ("::1,::1", 0x30002),
            ("127.0.0.1,10.0.0.2", 0x30002),
            ("10.0.0.2,0.0.0.0", 2),  // P13
            ("2001:db8:1::2,2001:db8:1::9", 0x20002),
            ("::,2001:db8:1::9", 0x20002),
        ]

        @Test(arguments: reachable)
        func aPairWhoseLocalAddressFitsHasTheRemotesFlags(target: String, flags: UInt32) throws {
            #expect(try twoLinks().flags(of: target) == flags)
        }

        private static let notLocal: [String] = [
            "10.1.0.2,192.0.2.1",  // P2: packets leave by the other link
            "10.1.0.2,10.0.0.9",
            "10.9.9.9,192.0.2.1",  // P3
            "10.9.9.9,",  // P7
            "127.0.0.1,192.0.2.1",  // P11
            "::1,2001:db8:1::9",
            "2001:db8:2::2,2001:db8:1::9",
            "2001:db8:9::9,2001:db8:1::9",
        ]

        @Test(arguments: notLocal)
        func aPairWhoseLocalAddressDoesNotFitIsNotLocal(target: String) throws {
            let report = try twoLinks().report(of: target)
            #expect(report.flags == [])
            #expect(report.reason == .notLocal)
        }

        @Test(arguments: ["10.1.0.2,", "10.1.0.2,0.0.0.0", "2001:db8:1::2,2001:db8:9::1", "2001:db8:1::2,"])
        func aPairWithoutARouteHasNone(target: String) throws {
            #expect(try twoLinks().report(of: target).reason == .noRoute)  // P4, P6, P13
        }

        @Test(arguments: [",", "10.0.0.2,2001:db8:1::9"])
        func anEmptyAndAMixedPairAreRefused(target: String) throws {
            let net = try twoLinks()
            #expect(throws: ReachabilityTargetError.self) { try net.report(of: target) }  // P12, P14
        }

        @Test func aPairFollowsItsLocalAddress() throws {
            let net = try twoLinks()
            let watch = try net.watch("10.0.0.3,192.0.2.1")
            #expect(watch.last?.reason == .notLocal)
            try net.ip("addr add 10.0.0.3/24 dev eth0")
            try net.settle()
            #expect(watch.last?.flags.rawValue == 2)
            #expect(watch.last?.source?.description == "10.0.0.3")
            try net.ip("addr del 10.0.0.3/24 dev eth0", "addr add 10.0.0.3/24 dev eth1")
            try net.settle()
            #expect(watch.last?.reason == .notLocal)
            #expect(watch.last?.interface == nil)
        }
    }
}
