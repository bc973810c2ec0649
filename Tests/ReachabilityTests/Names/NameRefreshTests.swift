import Reachability
import ReachabilityTesting
import Testing

/// When names are looked up again, and what a look-up that fails does.
@Suite struct NameRefreshTests {
    // MARK: Failures

    @Test(arguments: [ScriptedName.failing, .silent, .noResolver])
    func r89_aTransientFailureDoesNotTakeAReachableNameDown(failure: ScriptedName) throws {
        let lab = NameLab()
        lab.network.setName("api.test", .addresses(["198.51.100.5"], timeToLive: .seconds(30)))
        let api = try lab.start("api.test")
        lab.network.setName("api.test", failure)
        lab.pass(seconds: 120)
        #expect(lab.network.lookUps(of: "api.test") > 1)
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
            if lab.network.lookUps(of: "api.test") > times.count { times.append(second) }
        }
        #expect(times == [0, 1, 3, 7, 15, 31, 63, 123, 183, 243])
        #expect(api.statuses == [.notReachable])
    }

    @Test func r90_aNewPathBeginsTheBackOffAgain() throws {
        let lab = NameLab()
        lab.network.setName("api.test", .failing)
        let api = try lab.start("api.test")
        lab.pass(seconds: 100)
        let before = lab.network.lookUps(of: "api.test")
        lab.network.connect("eth0", .wiredEthernet, metric: -1)
        lab.settle()
        #expect(lab.network.lookUps(of: "api.test") == before + 1)
        lab.advance(by: .seconds(1))
        #expect(lab.network.lookUps(of: "api.test") == before + 2)
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
        #expect(lab.network.lookUps(of: "api.test") == 1)
        lab.advance(by: .milliseconds(1))
        #expect(lab.network.lookUps(of: "api.test") == 2)
        #expect(api.changes.count == 1)
    }

    @Test func aNameWithoutTimeToLiveCostsNoLookUpASecond() throws {
        let lab = NameLab()
        lab.network.setName("api.test", .addresses(["198.51.100.5"], timeToLive: .zero))
        let api = try lab.start("api.test")
        lab.pass(seconds: 120)
        #expect(lab.network.lookUps(of: "api.test") == 5)  // at 0, 30, 60, 90 and 120 s
        withExtendedLifetime(api) {}
    }

    @Test func aNameThatThisHostKnowsRests() throws {
        let lab = NameLab()
        let own = try lab.start("localhost")
        lab.pass(seconds: 60)
        lab.advance(by: .seconds(86_400))
        #expect(lab.network.lookUps(of: "localhost") == 1)
        #expect(own.changes.count == 1)
    }

    // MARK: The resolver's configuration

    @Test func aNewConfigurationHasNamesLookedUpAtOnce() throws {
        let lab = NameLab()
        lab.network.setName("api.test", .noResolver)
        let api = try lab.start("api.test")
        lab.pass(seconds: 300)
        #expect(api.reason == .noResolver)
        #expect(lab.network.lookUps(of: "api.test") == 1)  // only a configuration can help
        lab.network.setName("api.test", .addresses(["198.51.100.5"]))
        lab.network.changeResolverConfiguration()
        lab.settle()
        #expect(api.statuses == [.notReachable, .viaWiFi])
    }

    @Test func aNewConfigurationReplacesALookUpThatIsUnderWay() throws {
        let lab = NameLab()
        lab.network.setName("api.test", .silent)
        let api = try lab.start("api.test")
        lab.network.setName("api.test", .addresses(["198.51.100.5"]))
        lab.network.changeResolverConfiguration()
        lab.settle()
        #expect(api.statuses == [.viaWiFi])
    }

    // MARK: How many

    @Test func r90_aThousandManagersOfOneNameCauseOneLookUp() throws {
        let lab = NameLab()
        lab.network.setName("api.test", .addresses(["198.51.100.5"]))
        let managers = try (0..<1000).map { _ in WatchedManager(try lab.manager("API.test.")) }
        for watched in managers { watched.manager.startMonitoring() }
        lab.settle()
        #expect(managers.allSatisfy { $0.statuses == [.viaWiFi] })
        #expect(lab.network.lookUps() == 1)
        lab.network.disconnect("wlan0")
        lab.settle()
        #expect(managers.allSatisfy { $0.statuses == [.viaWiFi, .notReachable] })
    }

    @Test(arguments: [ScriptedName.addresses(["198.51.100.5"]), .failing, .silent, .notFound])
    func r90_sixtyPathChangesInASecondCauseAHandfulOfLookUps(answer: ScriptedName) throws {
        let lab = NameLab()
        lab.network.setName("api.test", answer)
        let api = try lab.start("api.test")
        for number in 0..<60 {
            if number.isMultiple(of: 2) {
                lab.network.connect("eth0", .wiredEthernet, metric: -1)
            } else {
                lab.network.disconnect("eth0")
            }
            lab.advance(by: .milliseconds(16))
        }
        #expect(lab.network.lookUps(of: "api.test") <= 8)
        withExtendedLifetime(api) {}
    }

    @Test func aNameThatNobodyWatchesAnyMoreIsNotLookedUp() throws {
        let lab = NameLab()
        lab.network.setName("api.test", .addresses(["198.51.100.5"], timeToLive: .seconds(30)))
        let api = try lab.start("api.test")
        let other = lab.start(.default)
        api.manager.stopMonitoring()
        lab.pass(seconds: 120)
        #expect(lab.network.lookUps(of: "api.test") == 1)
        withExtendedLifetime(other) {}
    }
}
