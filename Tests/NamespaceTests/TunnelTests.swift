import Reachability
import Testing

extension Namespaces {
    /// Tunnels, modems and what is under them (Rules.md, "Kinds of link").
    @Suite struct TunnelTests {
        /// A wired network whose default route leaves by a tunnel.
        private func tunnelled() throws -> (NetworkNamespace, TunDevice) {
            let net = try NetworkNamespace()
            try net.addLink("eth0", "10.0.0.2/24", gateway: "10.0.0.1", metric: 600)
            let tun = try net.addTun("tun0", "10.8.0.2 peer 10.8.0.1")
            try net.ip("route add default dev tun0 metric 50")
            return (net, tun)
        }

        @Test(arguments: ["192.0.2.1", "default", "10.8.0.1"])
        func whatLeavesByATunnelIsTransientAndNeverDirect(target: String) throws {
            let (net, tun) = try tunnelled()
            let report = try net.report(of: target)
            #expect(report.flags.rawValue == 3)
            #expect(report.interface?.name == "tun0")
            #expect(report.interface?.type == .other)
            #expect(report.underlying?.name == "eth0")
            withExtendedLifetime(tun) {}
        }

        @Test func linkLocalIPv4IsNotDirectThroughATunnel() throws {
            let (net, tun) = try tunnelled()
            #expect(try net.flags(of: "169.254.0.0") == 3)
            withExtendedLifetime(tun) {}
        }

        @Test func theHostsOwnTunnelAddressIsLocal() throws {
            let (net, tun) = try tunnelled()
            #expect(try net.flags(of: "10.8.0.2") == 0x30002)
            withExtendedLifetime(tun) {}
        }

        @Test func aTunnelOnADeadLinkLacksWhatIsUnderIt() throws {
            let (net, tun) = try tunnelled()
            let watch = try net.watch()
            #expect(watch.last?.lacksUnderlyingPath == false)
            try net.ip("link set eth0 down")
            try net.settle()
            #expect(watch.last?.lacksUnderlyingPath == true)
            #expect(watch.last?.flags.rawValue == 3, "the kernel still sends it into the tunnel")
            withExtendedLifetime(tun) {}
        }

        @Test func aTunnelThatGoesLeavesTheWayUnderIt() throws {
            let net = try NetworkNamespace()
            try net.addLink("eth0", "10.0.0.2/24", gateway: "10.0.0.1", metric: 600)
            var tun: TunDevice? = try net.addTun("tun0", "10.8.0.2 peer 10.8.0.1")
            try net.ip("route add default dev tun0 metric 50")
            let watch = try net.watch()
            #expect(watch.last?.interface?.name == "tun0")
            withExtendedLifetime(tun) { tun = nil }
            // The device goes some time after the descriptor that held it.
            #expect(watch.recorder.wait { $0.flags == .reachable && $0.interface?.name == "eth0" })
            #expect(try watch.isTrueNow())
        }

        // linux/if_arp.h: RAWIP is what modems without Ethernet framing show, PPP what is dialled.
        @Test(
            arguments: [("wwan0", 519, 0x40003), ("ppp0", 512, 3), ("tun0", 0xfffe, 3)] as [(String, UInt16, UInt32)])
        func theHardwareTypeTellsAModemFromATunnel(name: String, hardwareType: UInt16, flags: UInt32) throws {
            let net = try NetworkNamespace()
            let tun = try net.addTun(name, "10.64.0.2/30", hardwareType: hardwareType)
            try net.ip("route add default dev \(name)")
            #expect(try net.flags(of: "default") == flags)
            #expect(try net.flags(of: "192.0.2.1") == flags)
            withExtendedLifetime(tun) {}
        }

        @Test func aTunnelOverAModemIsCellular() throws {
            let net = try NetworkNamespace()
            let modem = try net.addTun("wwan0", "10.64.0.2/30", hardwareType: 519)
            let tun = try net.addTun("tun0", "10.8.0.2/24")
            try net.ip("route add default dev wwan0 metric 700", "route add default dev tun0 metric 50")
            let report = try net.report(of: "default")
            #expect(report.flags.rawValue == 0x40003)
            #expect(report.interface?.name == "tun0")
            #expect(report.status == .viaWWAN)
            withExtendedLifetime((modem, tun)) {}
        }
    }
}
