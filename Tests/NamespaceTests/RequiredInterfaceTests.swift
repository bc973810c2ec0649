import Reachability
import Testing

extension Namespaces {
    /// Targets that may be reached by one interface alone (Rules.md, "Asking the kernel").
    @Suite struct RequiredInterfaceTests {
        private func twoLinks() throws -> NetworkNamespace {
            let net = try NetworkNamespace()
            try net.addLink("eth0", "10.0.0.2/24", gateway: "10.0.0.1")
            try net.addLink("eth1", "10.1.0.2/24")
            return net
        }

        /// Asked with an interface and no matching route, the kernel makes up an on-link one; that is no way there.
        @Test(arguments: [("192.0.2.1%eth0", 2), ("10.0.0.9%eth0", 0x20002), ("10.1.0.9%eth1", 0x20002)])
        func aRouteByTheInterfaceCounts(target: String, flags: UInt32) throws {
            #expect(try twoLinks().flags(of: target) == flags)
        }

        @Test(arguments: ["192.0.2.1%eth1", "10.0.0.9%eth1", "0.0.0.0%eth1"])
        func aRouteByAnotherInterfaceDoesNot(target: String) throws {
            let report = try twoLinks().report(of: target)
            #expect(report.flags == [])
            #expect(report.reason == .noRoute)
        }

        @Test(arguments: ["224.0.0.1%eth1", "255.255.255.255%eth1"])
        func multicastAndBroadcastNeedNoRouteOfTheirOwn(target: String) throws {
            #expect(try twoLinks().flags(of: target) == 0x20002)
        }

        @Test func theDefaultRouteOfOneInterfaceIsFollowed() throws {
            let net = try twoLinks()
            let watch = try net.watch(ReachabilityTarget.default.requiring(interface: "eth1"))
            #expect(watch.last?.reason == .noRoute)
            try net.ip("route add default via 10.1.0.1 dev eth1 metric 900")
            try net.settle()
            #expect(watch.last?.flags == .reachable)
            #expect(watch.last?.interface?.name == "eth1")
            try net.ip("route del default via 10.1.0.1 dev eth1 metric 900")
            try net.settle()
            #expect(watch.last?.reason == .noRoute)
        }

        /// By whichever name it was given: the link keeps an alternative one when it gets another name.
        @Test func anAlternativeNameIsFollowedToWhoHasIt() throws {
            let net = try twoLinks()
            let name = "a-name-longer-than-any-first-name"
            try net.ip("link property add dev eth0 altname \(name)")
            let watch = try net.watch("192.0.2.1%\(name)")
            #expect(watch.last?.interface?.name == "eth0")
            try net.ip("link set eth0 name lan0")
            try net.settle()
            #expect(watch.last?.interface?.name == "lan0")
            try net.ip("link property del dev lan0 altname \(name)")
            try net.settle()
            #expect(watch.last?.reason == .noRoute)
            try net.ip("link property add dev eth1 altname \(name)", "route add default via 10.1.0.1 dev eth1 metric 9")
            try net.settle()
            #expect(watch.last?.interface?.name == "eth1")
        }

        /// That a link which is down loses a name, the kernel does not tell; who has it now is told.
        @Test func anAlternativeNameThatMovesFromALinkThatIsDownIsFollowed() throws {
            let net = try twoLinks()
            try net.ip("link property add dev eth0 altname uplink", "link set eth0 down")
            let watch = try net.watch("10.1.0.9%uplink")
            #expect(watch.last?.reason == .noRoute)
            try net.ip("link property del dev eth0 altname uplink", "link property add dev eth1 altname uplink")
            #expect(try watch.isTrueNow())
            #expect(watch.last?.interface?.name == "eth1")
        }

        /// A device that is plugged in again has another number.
        @Test(arguments: ["fe80::9%eth0", "10.0.0.9%eth0"])
        func aLinkThatComesAgainUnderItsNameIsTheOneThatWasMeant(target: String) throws {
            let net = try twoLinks()
            let watch = try net.watch(target)
            #expect(watch.last?.flags == [.reachable, .isDirect])
            try net.ip("link del eth0")
            try net.settle()
            #expect(watch.last?.reason == .noRoute)
            try net.addLink("eth0", "10.0.0.2/24")
            try net.settle()
            #expect(watch.last?.flags == [.reachable, .isDirect])
        }

        /// Why it does not lead there differs, whether the link is up or not.
        @Test func aLinkThatIsThereAndDownIsAnotherReasonThanNone() throws {
            let net = try twoLinks()
            try ChildProcess.run("/usr/bin/env", ["ip", "-6", "rule", "add", "prohibit"], input: "", in: net)
            let watch = try net.watch(ReachabilityTarget.default.requiring(interface: "usb0"))
            #expect(watch.last?.reason == .noRoute)
            try net.ip("link add usb0 type veth peer name usb0p")
            #expect(try watch.isTrueNow())
            #expect(watch.last?.reason == .prohibited)
            try net.ip("link del usb0")
            #expect(try watch.isTrueNow())
            #expect(watch.last?.reason == .noRoute)
        }

        @Test func anInterfaceThatAppearsLaterIsFoundThen() throws {
            let net = try twoLinks()
            let watch = try net.watch(ReachabilityTarget.default.requiring(interface: "usb0"))
            #expect(watch.last?.reason == .noRoute)
            try net.addLink("usb0", "10.2.0.2/24", gateway: "10.2.0.1", metric: 800)
            try net.settle()
            #expect(watch.last?.interface?.name == "usb0")
            try net.ip("link del usb0")
            try net.settle()
            #expect(watch.last?.reason == .noRoute)
            try net.addLink("usb0", "10.2.0.2/24", gateway: "10.2.0.1", metric: 800)
            try net.settle()
            #expect(watch.last?.flags == .reachable)
            #expect(try watch.isTrueNow())
        }

        @Test func anAlternativeNameMeansTheInterface() throws {
            let net = try twoLinks()
            let watch = try net.watch(ReachabilityTarget.default.requiring(interface: "enp0s31f6"))
            #expect(watch.last?.reason == .noRoute)
            try net.ip("link property add dev eth0 altname enp0s31f6")
            try net.settle()
            #expect(watch.last?.interface?.name == "eth0")
            #expect(try net.flags(of: "192.0.2.1%enp0s31f6") == 2)
            try net.ip("link property del dev eth0 altname enp0s31f6")
            try net.settle()
            #expect(watch.last?.reason == .noRoute)
        }
    }
}
