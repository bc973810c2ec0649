import Reachability
import Testing

extension Namespaces {
    /// Carrier and links that are set down.
    @Suite struct LinkStateTests {
        private func wired() throws -> NetworkNamespace {
            let net = try NetworkNamespace()
            try net.addLink("eth0", "10.0.0.2/24", gateway: "10.0.0.1")
            return net
        }

        @Test(arguments: [("192.0.2.1", 2), ("10.0.0.9", 0x20002), ("default", 2)])
        func carrierThatGoesAndComesIsToldOnceEach(target: String, flags: UInt32) throws {
            let net = try wired()
            let watch = try net.watch(target)
            try net.setCarrier("eth0", false)
            #expect(watch.recorder.wait { $0.reason == .linkDown })
            #expect(watch.last?.interface?.name == "eth0")
            #expect(try watch.isTrueNow())
            try net.setCarrier("eth0", true)
            #expect(watch.recorder.wait { $0.flags.rawValue == flags })
            #expect(try watch.isTrueNow())
            #expect(watch.recorder.reports.map(\.flags.rawValue) == [flags, 0, flags])
        }

        @Test func aLinkThatIsSetDownTakesItsRoutesWithoutAWord() throws {
            let net = try wired()
            let watches = try ["192.0.2.1", "10.0.0.9", "default"].map { try net.watch($0) }
            try net.ip("link set eth0 down")
            try net.settle()
            for watch in watches {
                #expect(watch.last?.reason == .noRoute, "\(watch.target)")
                #expect(watch.count == 2)
            }
        }

        @Test func theHostsOwnIPv4AddressStaysLocalOnALinkThatIsDownAndIPv6Goes() throws {
            let net = try wired()
            try net.addAddress("2001:db8:1::2/64", to: "eth0")
            let v4 = try net.watch("10.0.0.2")
            let v6 = try net.watch("2001:db8:1::2")
            #expect(v4.last?.flags.rawValue == 0x30002)
            #expect(v6.last?.flags.rawValue == 0x30002)
            try net.ip("link set eth0 down")
            try net.settle()
            #expect(v4.last?.flags.rawValue == 0x30002, "the kernel keeps local routes of IPv4 (8.3)")
            #expect(v6.last?.flags.rawValue == 0)
        }

        @Test func aDormantLinkCarriesNothing() throws {
            let net = try wired()
            let watch = try net.watch()
            try net.ip("link set eth0 mode dormant", "link set eth0p down")
            #expect(watch.recorder.wait { $0.reason == .linkDown })
            try net.ip("link set eth0p up")
            #expect(try watch.becomesTrue())
            #expect(watch.last?.reason == .linkDown, "there is carrier, and no authorisation")
            try net.ip("link set eth0 mode default", "link set eth0 state up")
            #expect(watch.recorder.wait { $0.flags == .reachable })
        }

        @Test func ofTwoDefaultsTheKernelsChoiceCountsThoughItIsDead() throws {
            let net = try NetworkNamespace()
            try net.addLink("eth0", "10.0.0.2/24", gateway: "10.0.0.1", metric: 100)
            try net.addLink("eth1", "10.1.0.2/24", gateway: "10.1.0.1", metric: 200)
            let watch = try net.watch("192.0.2.1")
            #expect(watch.last?.interface?.name == "eth0")
            try net.setCarrier("eth0", false)
            #expect(watch.recorder.wait { $0.reason == .linkDown && $0.interface?.name == "eth0" })
        }

        /// Only a netconf message tells of this setting, and the kernel chooses another route then.
        @Test(arguments: [("ipv4", "10.0.0.", "10.1.0."), ("ipv6", "2001:db8:1::", "2001:db8:2::")])
        func passingOverDeadRoutesIsFollowedAsItIsSwitchedOnAndOff(family: String, first: String, second: String) throws
        {
            let length = family == "ipv4" ? 24 : 64
            let net = try NetworkNamespace()
            try net.addLink("eth0", "\(first)2/\(length)", gateway: "\(first)1", metric: 100)
            try net.addLink("eth1", "\(second)2/\(length)", gateway: "\(second)1", metric: 200)
            let watch = try net.watch()
            try net.setCarrier("eth0", false)
            #expect(watch.recorder.wait { $0.reason == .linkDown })
            for _ in 0..<3 {
                try net.set("net/\(family)/conf/eth0/ignore_routes_with_linkdown", to: "1")
                try net.settle()
                #expect(watch.last?.flags == .reachable)
                #expect(watch.last?.interface?.name == "eth1")
                try net.set("net/\(family)/conf/eth0/ignore_routes_with_linkdown", to: "0")
                try net.settle()
                #expect(watch.last?.reason == .linkDown)
            }
        }
    }
}
