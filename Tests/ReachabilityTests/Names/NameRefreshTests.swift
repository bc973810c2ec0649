import Reachability
import ReachabilityTesting
import Testing

/// When names are looked up again, and what a lookup that fails does.
@Suite struct NameRefreshTests {
    // MARK: Failures

    @Test(arguments: [ScriptedName.failing, .silent, .noResolver])
    func r89_aTransientFailureDoesNotTakeAReachableNameDown(failure: ScriptedName) throws {
        let lab = NameLab()
        lab.network.setName("api.test", .addresses(["198.51.100.5"], timeToLive: .seconds(30)))
        let api = try lab.start("api.test")
        lab.network.setName("api.test", failure)
        lab.pass(seconds: 120)
        #expect(lab.network.lookups(of: "api.test") > 1)
        #expect(api.changes.count == 1)
        #expect(try api.manager.currentFlags()?.contains(.reachable) == true)
    }

    @Test(arguments: [ScriptedName.notFound, .addresses([])])
    func r89_theServersWordThatTheNameDoesNotExistTakesItDown(answer: ScriptedName) throws {
        let lab = NameLab()
        lab.network.setName("api.test", .addresses(["198.51.100.5"], timeToLive: .seconds(30)))
        let api = try lab.start("api.test")
        lab.network.setName("api.test", answer)
        lab.advance(by: .seconds(30))
        #expect(api.statuses == [.viaWiFi, .notReachable])
        #expect(api.reason == .nameNotFound)
    }

    @Test(arguments: [ScriptedName.failing, .silent, .notFound])
    func r22_aResolverThatFailsOnceAndWorksLaterIsFoundByTheRetryTimer(failure: ScriptedName) throws {
        let lab = NameLab()
        lab.network.setName("api.test", failure)
        let api = try lab.start("api.test")
        lab.pass(seconds: 5)
        #expect(api.statuses == [.notReachable])
        lab.network.setName("api.test", .addresses(["198.51.100.5"]))
        lab.pass(seconds: 60)
        #expect(api.statuses == [.notReachable, .viaWiFi])
    }

    @Test func r90_failuresAreRepeatedAfterOneSecondToOneMinute() throws {
        let lab = NameLab()
        lab.network.setName("api.test", .failing)
        let api = try lab.start("api.test")
        var times: [Int] = [0]
        for second in 1...300 {
            lab.pass(seconds: 1)
            if lab.network.lookups(of: "api.test") > times.count { times.append(second) }
        }
        #expect(times == [0, 1, 3, 7, 15, 31, 63, 123, 183, 243])
        #expect(api.statuses == [.notReachable])
    }

    @Test func r90_aNewPathBeginsTheBackOffAgain() throws {
        let lab = NameLab()
        lab.network.setName("api.test", .failing)
        let api = try lab.start("api.test")
        lab.pass(seconds: 100)
        let before = lab.network.lookups(of: "api.test")
        lab.network.connect("eth0", .wiredEthernet, metric: -1)
        lab.settle()
        #expect(lab.network.lookups(of: "api.test") == before + 1)
        lab.advance(by: .seconds(1))
        #expect(lab.network.lookups(of: "api.test") == before + 2)
        withExtendedLifetime(api) {}
    }

    // MARK: Time to live

    @Test(arguments: [(0, 30), (45, 45), (86_400, 3600)])
    func aNameIsLookedUpAgainWhenItsTimeToLiveIsOver(timeToLive: Int, seconds: Int) throws {
        let lab = NameLab()
        let answer = ScriptedName.addresses(["198.51.100.5"], timeToLive: .seconds(timeToLive))
        lab.network.setName("api.test", answer)
        let api = try lab.start("api.test")
        lab.advance(by: .seconds(seconds) - .milliseconds(1))
        #expect(lab.network.lookups(of: "api.test") == 1)
        lab.advance(by: .milliseconds(1))
        #expect(lab.network.lookups(of: "api.test") == 2)
        #expect(api.changes.count == 1)
    }

    @Test func aNameWithoutTimeToLiveCostsNoLookupASecond() throws {
        let lab = NameLab()
        lab.network.setName("api.test", .addresses(["198.51.100.5"], timeToLive: .zero))
        let api = try lab.start("api.test")
        lab.pass(seconds: 120)
        #expect(lab.network.lookups(of: "api.test") == 5)  // at 0, 30, 60, 90 and 120 s
        withExtendedLifetime(api) {}
    }

    @Test(arguments: ["localhost", "db.test"])
    func aNameThatThisHostKnowsRests(name: String) throws {
        let lab = NameLab()
        lab.network.setName("db.test", .hostsFile(["203.0.113.9"]))
        let own = try lab.start(name)
        lab.pass(seconds: 60)
        lab.advance(by: .seconds(86_400))
        #expect(own.statuses == [.viaWiFi])
        #expect(lab.network.lookups(of: name) == 1)
        #expect(own.changes.count == 1)
    }

    // MARK: The resolver's configuration

    @Test func aNewConfigurationHasNamesLookedUpAtOnce() throws {
        let lab = NameLab()
        lab.network.setName("api.test", .noResolver)
        let api = try lab.start("api.test")
        lab.pass(seconds: 300)
        #expect(api.reason == .noResolver)
        #expect(lab.network.lookups(of: "api.test") == 1)  // only a configuration can help
        lab.network.setName("api.test", .addresses(["198.51.100.5"]))
        lab.network.changeResolverConfiguration()
        lab.settle()
        #expect(api.statuses == [.notReachable, .viaWiFi])
    }

    @Test func aNewConfigurationReplacesALookupThatIsUnderWay() throws {
        let lab = NameLab()
        lab.network.setName("api.test", .silent)
        let api = try lab.start("api.test")
        lab.network.setName("api.test", .addresses(["198.51.100.5"]))
        lab.network.changeResolverConfiguration()
        lab.settle()
        #expect(api.statuses == [.viaWiFi])
    }
}
