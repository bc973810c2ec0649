import InternetProtocol
import Reachability
import Testing

extension Namespaces {
    /// Links that get another name, go, come back under an old name, or move away, while they are watched.
    @Suite struct LinkIdentityTests {
        private func wired() throws -> NetworkNamespace {
            let net = try NetworkNamespace()
            try net.addLink("eth0", "10.0.0.2/24", gateway: "10.0.0.1")
            return net
        }

        @Test func aRenamedLinkIsReportedByItsNewName() throws {
            let net = try wired()
            let watch = try net.watch()
            let index = watch.last?.interface?.index
            // Kernels before 6.2 rename no link that is up, so it is set down for it, which keeps the address.
            try net.ip("link set eth0 down", "link set eth0 name eth7", "link set eth7 up")
            try net.ip("route add default via 10.0.0.1 dev eth7")
            #expect(watch.recorder.wait { $0.interface?.name == "eth7" && $0.flags == .reachable })
            #expect(watch.last?.interface?.index == index)
            #expect(try watch.becomesTrue())
        }

        @Test func aLinkRenamedWhileUpIsReportedByItsNewName() throws {
            let net = try wired()
            let watch = try net.watch("192.0.2.1")
            let scoped = try net.watch(ReachabilityTarget.default.requiring(interface: "eth7"))
            #expect(scoped.last?.reason == .noRoute)
            net.tryIP(["link set eth0 name eth7"])
            try net.settle()
            // Where the kernel refused, nothing has changed; where it did as told, both know.
            let isRenamed = try net.freshReport(of: watch.target).interface?.name == "eth7"
            #expect(watch.last?.interface?.name == (isRenamed ? "eth7" : "eth0"))
            #expect((scoped.last?.flags == .reachable) == isRenamed)
        }

        @Test func namesThatAreSwappedAreNotMixedUp() throws {
            let net = try wired()
            try net.addLink("eth1", "10.1.0.2/24", gateway: "10.1.0.1", metric: 900)
            let first = try net.watch(ReachabilityTarget.default.requiring(interface: "eth0"))
            let second = try net.watch(ReachabilityTarget.default.requiring(interface: "eth1"))
            #expect(first.last?.gateway?.description == "10.0.0.1")
            try net.ip(
                "link set eth0 down", "link set eth1 down", "link set eth0 name tmp", "link set eth1 name eth0",
                "link set tmp name eth1", "link set eth0 up", "link set eth1 up",
                "route add default via 10.0.0.1 dev eth1", "route add default via 10.1.0.1 dev eth0 metric 900")
            #expect(first.recorder.wait { $0.gateway?.description == "10.1.0.1" && $0.reason == nil })
            #expect(second.recorder.wait { $0.gateway?.description == "10.0.0.1" && $0.reason == nil })
            #expect(try first.becomesTrue())
            #expect(try second.becomesTrue())
        }

        @Test func aLinkThatIsDownIsStillKnownByItsName() throws {
            let net = try wired()
            let old = try net.watch("10.0.0.2%eth0")
            let new = try net.watch(
                ReachabilityTarget.address(SocketAddress("10.0.0.2")).requiring(interface: "eth7"))
            try net.ip("link set eth0 down")
            for watch in [old, new] { #expect(try watch.isTrueNow()) }
            try net.ip("link set eth0 name eth7")
            for watch in [old, new] { #expect(try watch.isTrueNow(), "\(watch.target)") }
            try net.ip("link set eth7 name eth0")
            for watch in [old, new] { #expect(try watch.isTrueNow(), "\(watch.target)") }
        }

        @Test func aLinkThatIsDeletedWhileItIsDownTakesItsAddress() throws {
            let net = try wired()
            let local = try net.watch("10.0.0.2")
            let pair = try net.watch("10.0.0.2,10.0.0.2")
            try net.ip("link set eth0 down")
            try net.settle()
            #expect(local.last?.flags.rawValue == 0x30002)
            try net.ip("link del eth0")
            try net.settle()
            #expect(local.last?.reason == .noRoute)
            #expect(pair.last?.reason == .notLocal)
        }

        @Test func aLinkThatIsDeletedAndMadeAnewIsAnotherOne() throws {
            let net = try wired()
            let watch = try net.watch()
            let local = try net.watch("10.0.0.2")
            let index = watch.last?.interface?.index
            try net.ip("link del eth0")
            try net.settle()
            #expect(watch.last?.reason == .noRoute)
            #expect(local.last?.reason == .noRoute, "the address went with its link")
            try net.addLink("eth0", "10.0.0.2/24", gateway: "10.0.0.1")
            try net.settle()
            #expect(watch.last?.interface?.name == "eth0")
            #expect(watch.last?.interface?.index != index)
            #expect(local.last?.flags.rawValue == 0x30002)
        }

        @Test func aNameThatGoesToAnotherKindOfLinkHasThatKind() throws {
            let net = try wired()
            let watch = try net.watch()
            try net.ip("link del eth0")
            let tun = try net.addTun("eth0", "10.0.0.2/24")
            try net.ip("route add default via 10.0.0.1 dev eth0")
            try net.settle()
            #expect(watch.last?.flags.rawValue == 3)
            #expect(watch.last?.interface?.type == .other)
            withExtendedLifetime(tun) {}
        }

        @Test func aLinkThatMovesToAnotherNamespaceIsGoneHereAndThere() throws {
            let net = try wired()
            let other = try NetworkNamespace()
            let here = try net.watch()
            let there = try other.watch()
            #expect(there.last?.reason == .noRoute)
            try net.ip("link set eth0 netns \(other.threadID())")
            try net.settle()
            #expect(here.last?.reason == .noRoute)
            try other.ip("link set eth0 up", "addr add 10.0.0.2/24 dev eth0", "route add default via 10.0.0.1 dev eth0")
            #expect(there.recorder.wait { $0.flags == .reachable })
            #expect(try there.becomesTrue())
            #expect(here.count == 2)
        }

        @Test func aBridgeFollowsItsPorts() throws {
            let net = try wired()
            try net.ip("link add br0 type bridge", "link set br0 up", "addr flush dev eth0", "link set eth0 master br0")
            try net.ip("addr add 10.0.0.2/24 dev br0", "route add default via 10.0.0.1 dev br0")
            let watch = try net.watch()
            #expect(watch.recorder.wait { $0.flags == .reachable && $0.interface?.name == "br0" })
            try net.setCarrier("eth0", false)
            #expect(watch.recorder.wait { $0.reason == .linkDown }, "a bridge without a running port has no carrier")
            try net.setCarrier("eth0", true)
            #expect(watch.recorder.wait { $0.flags == .reachable })
            #expect(try watch.becomesTrue())
        }
    }
}
