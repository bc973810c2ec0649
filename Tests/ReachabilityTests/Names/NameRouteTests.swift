import Reachability
import ReachabilityTesting
import TestSupport
import Testing

/// What becomes of a name when routes change.
@Suite struct NameRouteTests {
    private func labWithName() throws -> (NameLab, WatchedManager) {
        let lab = NameLab()
        lab.network.setName("api.test", .addresses(["198.51.100.5"]))
        return (lab, try lab.start("api.test"))
    }

    @Test func knownAddressesFollowTheDefaultRouteWithoutAServer() throws {
        let (lab, api) = try labWithName()
        lab.network.setName("api.test", .silent)
        lab.network.disconnect("wlan0")
        lab.settle()
        #expect(api.statuses == [.viaWiFi, .notReachable])
        lab.network.connect("wwan0", .cellular)
        lab.settle()
        #expect(api.statuses == [.viaWiFi, .notReachable, .viaWWAN])
    }

    @Test func knownAddressesFollowTheirOwnRouteWithoutALookup() throws {
        let (lab, api) = try labWithName()
        lab.network.addRoute("198.51.100.5/32", .rejecting(.prohibited))
        lab.settle()
        #expect(api.reason == .prohibited)
        lab.network.removeRoutes("198.51.100.5/32")
        lab.settle()
        #expect(api.statuses == [.viaWiFi, .notReachable, .viaWiFi])
        #expect(lab.network.lookups(of: "api.test") == 1)
    }

    @Test func aNewDefaultPathHasNamesLookedUpAgain() throws {
        let (lab, api) = try labWithName()
        lab.advance(by: .seconds(10))
        lab.network.setName("api.test", .notFound)
        lab.network.connect("eth0", .wiredEthernet, metric: -1)
        lab.settle()
        #expect(lab.network.lookups(of: "api.test") == 2)
        #expect(api.reason == .nameNotFound)
    }

    /// Each address is asked about only where those before it cannot be used, so what matters grows and shrinks.
    @Test func addressesThatMatterAgainAreFollowedAgain() throws {
        let lab = NameLab(online: false)
        lab.network.batch { $0.addLink("eth0", .wiredEthernet) }
        lab.network.addRoute("198.51.100.2/32", .leaving(by: "eth0"))
        lab.network.setName("api.test", .addresses(["198.51.100.1", "198.51.100.2", "198.51.100.3"]))
        let api = try lab.start("api.test")
        lab.network.addRoute("198.51.100.1/32", .leaving(by: "eth0"))
        lab.settle()
        lab.network.batch {
            $0.removeRoutes("198.51.100.1/32")
            $0.removeRoutes("198.51.100.2/32")
        }
        lab.settle()
        #expect(api.statuses == [.viaWiFi, .notReachable])
        lab.network.addRoute("198.51.100.3/32", .leaving(by: "eth0"))
        lab.settle()
        #expect(api.statuses == [.viaWiFi, .notReachable, .viaWiFi])
    }

    @Test func r13_aLinkUpWhoseFirstLookupFailsGoesUpOnce() throws {
        let (lab, api) = try labWithName()
        lab.network.disconnect("wlan0")
        lab.pass(seconds: 10)
        lab.network.setName("api.test", .failing)
        lab.network.connect("wlan0", .wifi)
        lab.settle()
        lab.network.setName("api.test", .addresses(["198.51.100.5"]))
        lab.pass(seconds: 2)
        #expect(api.statuses == [.viaWiFi, .notReachable, .viaWiFi])
    }

    @Test func r13_aNameThatWasNeverKnownGoesUpOnceToo() throws {
        let lab = NameLab(online: false)
        lab.network.setName("api.test", .failing)
        let api = try lab.start("api.test")
        lab.pass(seconds: 10)
        lab.network.connect("wlan0", .wifi)
        lab.settle()
        lab.network.setName("api.test", .addresses(["198.51.100.5"]))
        lab.pass(seconds: 2)
        #expect(api.statuses == [.notReachable, .viaWiFi])
    }

    @Test(arguments: [1, 2] as [UInt64])
    func r20_afterAThousandFlapsTheLastEventIsTheTruth(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let (lab, api) = try labWithName()
        for _ in 0..<1000 {
            switch Int.random(in: 0..<8, using: &random) {
            case 0, 1: lab.network.connect("wlan0", .wifi)
            case 2, 3: lab.network.disconnect("wlan0")
            case 4: lab.network.setCarrier("wlan0", Bool.random(using: &random))
            case 5: lab.network.connect("wwan0", .cellular, metric: 1)
            case 6: lab.network.disconnect("wwan0")
            default: lab.network.overrun()
            }
            if Int.random(in: 0..<10, using: &random) == 0 { lab.advance(by: .milliseconds(300)) }
        }
        lab.advance(by: .seconds(5))
        #expect(try api.manager.currentFlags().map { ReachabilityStatus($0) } == api.status)
        #expect(api.statuses.last == api.status)
        #expect(zip(api.statuses, api.statuses.dropFirst()).allSatisfy { $0 != $1 })
        // Nothing is stuck: both ways are still seen.
        lab.network.disconnect("wlan0")
        lab.network.disconnect("wwan0")
        lab.settle()
        #expect(api.status == .notReachable)
        lab.network.connect("wlan0", .wifi)
        lab.settle()
        #expect(api.status == .viaWiFi)
    }

    @Test func r21_aNameThatCouldNotBeAskedForComesBackWithinTwoSecondsOfItsPath() throws {
        let lab = NameLab(online: false)
        lab.network.setName("api.test", .silent)
        let api = try lab.start("api.test")
        lab.pass(seconds: 6)
        #expect(api.status == .notReachable)
        lab.network.connect("wlan0", .wifi)
        lab.network.setName("api.test", .addresses(["198.51.100.5"]))
        lab.pass(seconds: 2)
        #expect(api.statuses == [.notReachable, .viaWiFi])
    }

    @Test func r21_aNameWhoseRefreshFailedOfflineComesBackWithItsPath() throws {
        let (lab, api) = try labWithName()
        lab.network.disconnect("wlan0")
        lab.network.setName("api.test", .failing)
        lab.pass(seconds: 400)
        lab.network.connect("wlan0", .wifi)
        lab.settle()
        #expect(api.statuses == [.viaWiFi, .notReachable, .viaWiFi])
    }

    @Test(arguments: ["localhost", "LOCALHOST.", "db.localhost", "127.0.0.1", "::1", "127.1"])
    func r40_thisHostIsReachableWithoutAnyLink(name: String) throws {
        let lab = NameLab(online: false)
        let own = try lab.start(name)
        #expect(own.statuses == [.viaWiFi])
        #expect(try own.manager.currentFlags() == [.reachable, .isLocalAddress, .isDirect])
        lab.network.connect("wlan0", .wifi)
        lab.network.setCarrier("wlan0", false)
        lab.settle()
        #expect(own.changes.count == 1)
    }

    @Test func aRequiredInterfaceHoldsForEachAddressOfAName() throws {
        let lab = NameLab()
        lab.network.setName("api.test", .addresses(["198.51.100.5"]))
        let api = lab.start(try .domain("api.test").requiring(interface: "eth0"))
        #expect(api.reason == .noRoute)
        lab.network.connect("eth0", .wiredEthernet, metric: 5)
        lab.settle()
        #expect(api.statuses == [.notReachable, .viaWiFi])
        #expect(api.interface == "eth0")
        #expect(try api.manager.currentFlags()?.contains(.reachable) == true)
    }
}
