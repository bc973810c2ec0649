import Reachability
import ReachabilityTesting
import Testing

/// How many lookups a name costs, whoever watches it and whatever happens.
@Suite struct NameLookupCountTests {
    @Test func r90_aThousandManagersOfOneNameCauseOneLookup() throws {
        let lab = NameLab()
        lab.network.setName("api.test", .addresses(["198.51.100.5"]))
        let managers = try (0..<1000).map { _ in WatchedManager(try lab.manager("API.test.")) }
        for watched in managers { watched.manager.startMonitoring() }
        lab.settle()
        #expect(managers.allSatisfy { $0.statuses == [.viaWiFi] })
        #expect(lab.network.lookups() == 1)
        lab.network.disconnect("wlan0")
        lab.settle()
        #expect(managers.allSatisfy { $0.statuses == [.viaWiFi, .notReachable] })
    }

    @Test(arguments: [ScriptedName.addresses(["198.51.100.5"]), .failing, .silent, .notFound])
    func r90_sixtyPathChangesInASecondCauseAHandfulOfLookups(answer: ScriptedName) throws {
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
        #expect(lab.network.lookups(of: "api.test") <= 8)
        withExtendedLifetime(api) {}
    }

    @Test func r90_stopsAndStartsWhileAQuestionIsOpenAskNoOther() throws {
        let lab = NameLab()
        lab.network.setName("api.test", .silent)
        let other = lab.start(.default)  // keeps the engine at work
        let api = try lab.start("api.test")
        for _ in 0..<50 {
            api.manager.stopMonitoring()
            lab.settle()
            api.manager.startMonitoring()
            lab.settle()
        }
        #expect(lab.network.lookups(of: "api.test") == 1)
        lab.network.setName("api.test", .addresses(["198.51.100.5"]))
        lab.pass(seconds: 10)
        #expect(api.statuses == [.viaWiFi])
        withExtendedLifetime(other) {}
    }

    @Test func aStartAfterAnAnswerThatNobodyWantedAsksAgain() throws {
        let lab = NameLab()
        lab.network.setName("api.test", .silent)
        let other = lab.start(.default)
        let api = try lab.start("api.test")
        lab.pass(seconds: 6)
        api.manager.stopMonitoring()
        lab.network.setName("api.test", .addresses(["198.51.100.5"]))
        lab.pass(seconds: 60)
        #expect(lab.network.lookups(of: "api.test") == 1)
        api.manager.startMonitoring()
        lab.settle()
        #expect(lab.network.lookups(of: "api.test") == 2)
        #expect(api.statuses == [.notReachable, .viaWiFi])
        withExtendedLifetime(other) {}
    }

    @Test(arguments: [true, false])
    func aChangeWhileNobodyWatchesLeavesNoOldQuestionBehind(isConfiguration: Bool) throws {
        let lab = NameLab()
        lab.network.setName("api.test", .silent)
        let other = lab.start(.default)
        let api = try lab.start("api.test")
        api.manager.stopMonitoring()
        lab.settle()
        if isConfiguration { lab.network.changeResolverConfiguration() } else { lab.network.disconnect("wlan0") }
        lab.settle()
        #expect(lab.network.lookups(of: "api.test") == 1)
        lab.network.setName("api.test", .addresses(["198.51.100.5"]))
        lab.network.connect("wlan0", .wifi)
        api.manager.startMonitoring()
        lab.pass(seconds: 2)
        #expect(lab.network.lookups(of: "api.test") == 2)
        #expect(api.statuses == [.viaWiFi])
        withExtendedLifetime(other) {}
    }

    @Test func aNameThatNobodyWatchesAnyMoreIsNotLookedUp() throws {
        let lab = NameLab()
        lab.network.setName("api.test", .addresses(["198.51.100.5"], timeToLive: .seconds(30)))
        let api = try lab.start("api.test")
        let other = lab.start(.default)
        api.manager.stopMonitoring()
        lab.pass(seconds: 120)
        #expect(lab.network.lookups(of: "api.test") == 1)
        withExtendedLifetime(other) {}
    }
}
