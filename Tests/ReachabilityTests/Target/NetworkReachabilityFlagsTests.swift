import Reachability
import ReachabilityTesting
import TargetTesting
import Testing

/// Flags that are read, scheduled or not (Rules.md, "NetworkReachability"; the P rows are those of "A pair").
@Suite struct NetworkReachabilityFlagsTests {
    /// wlan0 has 192.0.2.2 and 2001:db8::2, eth1 192.0.2.3; gateways for both families by wlan0.
    private func lab() -> TargetLab {
        let lab = TargetLab(online: false)
        lab.network.batch { batch in
            batch.addLink("wlan0", .wifi)
            batch.addLink("eth1", .wiredEthernet)
            batch.addRoute(.defaultIPv4, .leaving(by: "wlan0", gateway: "192.0.2.254"))
            batch.addRoute(.defaultIPv6, .leaving(by: "wlan0", gateway: "2001:db8::fe"))
            batch.addRoute("192.0.2.0/24", .leaving(by: "wlan0"))
        }
        return lab
    }

    @Test(
        arguments: [
            ("192.0.2.2", "198.51.100.1", 0x2),  // P1
            ("192.0.2.3", "198.51.100.1", 0),  // P2
            ("192.0.2.77", "198.51.100.1", 0), ("192.0.2.77", "192.0.2.77", 0),  // P3
            ("192.0.2.2", "192.0.2.2", 0x30002),  // P5
            ("192.0.2.2", "", 0x2), ("192.0.2.3", "", 0),  // P6
            ("192.0.2.77", "", 0),  // P7
            ("", "198.51.100.1", 0x2), ("", "192.0.2.200", 0x20002),  // P8
            ("0.0.0.0:20990", "198.51.100.1:80", 0x2),  // P9, as PyObjC asks
            ("127.0.0.1", "127.0.0.2", 0x30002),  // P10
            ("127.0.0.1", "198.51.100.1", 0x2), ("127.0.0.1", "2001:db8:1::1", 0x2),  // P11
            ("192.0.2.2", "0.0.0.0", 0x2),  // P13
            ("192.0.2.2", "2001:db8:1::1", 0),  // P14
            ("127.0.0.1", "", 0),  // P6: nothing leaves the host from there
        ] as [(String, String, UInt32)])
    func pairs(local: String, remote: String, flags: UInt32) throws {
        #expect(try lab().pair(local, remote).flags().rawValue == flags)
    }

    @Test func aPairWithoutARouteIsNotReachable() throws {
        let lab = TargetLab(online: false)
        lab.network.batch { $0.addLink("eth0", .wiredEthernet) }
        #expect(try lab.pair("192.0.2.2", "198.51.100.1").flags() == [])  // P4
    }

    @Test func unscheduledTargetsAreAskedForAfresh() throws {
        let lab = TargetLab(online: false)
        let target = try lab.target("198.51.100.1")
        #expect(try target.flags() == [])
        #expect(try target.interfaceIndex() == nil)
        lab.network.connect("wlan0", .wifi)
        #expect(try target.flags() == [.reachable, .isDirect])
        #expect(try target.interfaceIndex() == 2)
        lab.network.disconnect("wlan0")
        #expect(try target.flags() == [])
    }

    @Test func anUnscheduledNameHasTheFlagsOfTheDefaultRouteAndIsNotLookedUp() throws {
        let lab = TargetLab()
        let target = try lab.target("api.test")
        #expect(try target.flags() == .reachable)
        #expect(try target.interfaceIndex() == 2)
        lab.network.disconnect("wlan0")
        #expect(try target.flags() == [])
        #expect(lab.network.lookups() == 0)
    }

    @Test func whatCannotBeAHostNameIsOptimisticTooUntilScheduled() throws {
        let lab = TargetLab()
        #expect(try lab.target("https://api.test/").flags() == .reachable)
        let watched = try lab.watch("https://api.test/")
        #expect(try watched.target.flags() == [])
        #expect(lab.network.lookups() == 0)
    }

    /// Without any network, and without being scheduled.
    @Test func aNameOfTheHostsFileIsExact() throws {
        let lab = TargetLab(online: false)
        #expect(try lab.target("localhost").flags().rawValue == 0x30002)
        #expect(try lab.target("localhost.").flags().rawValue == 0x30002)
        lab.network.connect("wlan0", .wifi)
        #expect(try lab.target("localhost").flags().rawValue == 0x30002)
    }

    @Test func aNameWithoutLookupKeepsTheFlagsOfTheDefaultRoute() throws {
        let lab = TargetLab()
        lab.network.setName("api.test", .notFound)
        let watched = WatchedTarget(try lab.target(.init(name: "api.test", bypassesResolver: true)))
        #expect(try watched.target.flags() == .reachable)
        try watched.target.setDispatchQueue(lab.queue)
        lab.settle()
        #expect(watched.told == [0x2])
        lab.network.disconnect("wlan0")
        lab.settle()
        #expect(watched.told == [0x2, 0])
        #expect(lab.network.lookups() == 0)
    }

    @Test func aRequiredInterfaceLimitsAddressesAndNames() throws {
        let lab = TargetLab()
        lab.network.batch { $0.addLink("eth1", .wiredEthernet) }
        for name in ["198.51.100.1", "api.test", "0.0.0.0"] {
            #expect(
                try lab.target(.init(name: name, requiredInterface: "wlan0")).flags().contains(.reachable), "\(name)")
            #expect(try lab.target(.init(name: name, requiredInterface: "eth1")).flags() == [], "\(name)")
        }
    }

    @Test func whereTheKernelRefusesThatIsThrown() throws {
        let lab = TargetLab()
        lab.network.refuse(1)
        for name in ["198.51.100.1", "api.test", "0.0.0.0"] {
            let target = try lab.target(name)
            #expect(throws: ReachabilityError.self, "\(name)") { try target.flags() }
            #expect(throws: ReachabilityError.self, "\(name)") { try target.interfaceIndex() }
        }
    }

    @Test func twoTargetsAreEqualOnlyIfTheyAreOne() throws {
        let lab = TargetLab()
        let (a, b) = (try lab.target("api.test"), try lab.target("api.test"))
        #expect(a == a)
        #expect(a != b)
        #expect(Set([a, b, a]).count == 2)
    }
}
