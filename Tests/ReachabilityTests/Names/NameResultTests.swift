import Reachability
import ReachabilityTesting
import Testing

/// What a manager of a name says, from the first result on.
@Suite struct NameResultTests {
    // MARK: The first result

    @Test func aNameIsUnknownAndUntoldUntilTheFirstResult() throws {
        let lab = NameLab()
        lab.network.setName("api.test", .silent)
        let api = try lab.start("api.test")
        lab.advance(by: .milliseconds(4999))
        #expect(api.status == .unknown && api.changes.isEmpty)
    }

    @Test func theFirstResultComesWithinFiveSeconds() throws {
        let lab = NameLab()
        lab.network.setName("api.test", .silent)
        let api = try lab.start("api.test")
        lab.advance(by: .seconds(5))
        #expect(api.statuses == [.notReachable])
        #expect(api.reason == .resolverTimeout)
    }

    @Test func anAnswerAfterTheLimitStillCounts() throws {
        let lab = NameLab()
        lab.network.setName("api.test", .silent)
        let api = try lab.start("api.test")
        lab.advance(by: .seconds(5))
        lab.network.setName("api.test", .addresses(["198.51.100.5"]))
        lab.advance(by: .seconds(5))  // the lookup that was silent ends, and the server speaks again
        #expect(api.statuses == [.notReachable, .viaWiFi])
        #expect(lab.network.lookups(of: "api.test") == 1)
    }

    @Test func everyStartTellsTheFirstResultOnce() throws {
        let lab = NameLab()
        lab.network.setName("api.test", .addresses(["198.51.100.5"]))
        let api = try lab.start("api.test")
        let late = try lab.start("api.test")
        #expect(api.statuses == [.viaWiFi] && late.statuses == [.viaWiFi])
        #expect(lab.network.lookups(of: "api.test") == 1)
    }

    @Test func aRestartTellsAgainAndLooksNothingUp() throws {
        let lab = NameLab()
        lab.network.setName("api.test", .addresses(["198.51.100.5"]))
        let api = try lab.start("api.test")
        lab.network.setName("api.test", .silent)
        api.manager.startMonitoring()
        lab.settle()
        #expect(api.statuses == [.viaWiFi, .viaWiFi])
        #expect(lab.network.lookups(of: "api.test") == 1)
    }

    // MARK: Reasons

    @Test(
        arguments: [
            (.notFound, .nameNotFound), (.addresses([]), .nameNotFound), (.failing, .resolverFailed),
            (.silent, .resolverTimeout), (.noResolver, .noResolver), (.addresses(["203.0.113.5"]), .noRoute),
        ] as [(ScriptedName, ReachabilityReason)])
    func r44_everyWayToFailHasItsReason(answer: ScriptedName, reason: ReachabilityReason) throws {
        let lab = NameLab(online: false)
        lab.network.setName("api.test", answer)
        let api = try lab.start("api.test")
        lab.advance(by: .seconds(5))
        #expect(api.statuses == [.notReachable])
        #expect(api.reason == reason)
    }

    @Test func r44_aNameThatResolvesWithoutARouteIsNotANameThatDoesNotExist() throws {
        let lab = NameLab()
        lab.network.setName("api.test", .addresses(["198.51.100.5"]))
        let api = try lab.start("api.test")
        lab.network.disconnect("wlan0")
        lab.settle()
        #expect(api.reason == .noRoute)
        lab.network.setName("api.test", .notFound)
        lab.network.changeResolverConfiguration()
        lab.settle()
        #expect(api.reason == .nameNotFound)
        #expect(api.statuses == [.viaWiFi, .notReachable])
    }

    @Test func r34_aNameThatDoesNotExistIsNotReachable() throws {
        let lab = NameLab()
        let gone = try lab.start("no-such-host.test")
        #expect(gone.statuses == [.notReachable])
        #expect(gone.reason == .nameNotFound)
    }

    // MARK: The best address

    @Test func oneUsableAddressIsEnough() throws {
        let lab = NameLab(online: false)
        lab.network.batch {
            $0.addLink("eth0", .wiredEthernet)
            $0.addRoute("198.51.100.0/24", .leaving(by: "eth0"))
        }
        lab.network.setName("api.test", .addresses(["203.0.113.5", "198.51.100.5", "2001:db8:1::5"]))
        let api = try lab.start("api.test")
        #expect(api.statuses == [.viaWiFi])
        #expect(api.interface == "eth0")
    }

    @Test(arguments: [(["198.51.100.5", "203.0.113.5"], "eth0"), (["203.0.113.5", "198.51.100.5"], "wwan0")])
    func theFirstOfEquallyGoodAddressesCounts(addresses: [String], interface: String) throws {
        let lab = NameLab(online: false)
        lab.network.batch {
            $0.addLink("eth0", .wiredEthernet)
            $0.addLink("wwan0", .cellular)
            $0.addRoute("198.51.100.0/24", .leaving(by: "eth0"))
            $0.addRoute("203.0.113.0/24", .leaving(by: "wwan0"))
        }
        lab.network.setName("api.test", .addresses(addresses))
        let api = try lab.start("api.test")
        #expect(api.interface == interface)
        #expect(api.status == (interface == "eth0" ? .viaWiFi : .viaWWAN))
    }

    @Test func theReasonIsThatOfTheAddressThatCameFurthest() throws {
        let lab = NameLab(online: false)
        lab.network.batch {
            $0.addLink("eth0", .wiredEthernet)
            $0.setCarrier("eth0", false)
            $0.addRoute("192.0.2.0/24", .rejecting(.blackhole))
            $0.addRoute("198.51.100.0/24", .leaving(by: "eth0"))
        }
        lab.network.setName("api.test", .addresses(["203.0.113.5", "192.0.2.77", "198.51.100.5"]))
        let api = try lab.start("api.test")
        #expect(api.reason == .linkDown)
        #expect(api.interface == "eth0")
    }

    @Test func rotatedAddressesAreNoEvent() throws {
        let lab = NameLab()
        lab.network.setName("api.test", .addresses(["198.51.100.5", "198.51.100.6"], timeToLive: .seconds(30)))
        let api = try lab.start("api.test")
        lab.network.setName("api.test", .addresses(["198.51.100.6", "198.51.100.5"], timeToLive: .seconds(30)))
        lab.advance(by: .seconds(30))
        #expect(lab.network.lookups(of: "api.test") == 2)
        #expect(api.changes.count == 1)
        lab.network.setName("api.test", .addresses(["198.51.100.6", "198.51.100.7"], timeToLive: .seconds(30)))
        lab.advance(by: .seconds(30))
        #expect(api.changes.count == 2)  // so rotation was looked at, and found to be none
    }
}
