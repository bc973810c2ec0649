import InternetProtocol
import NameResolution
import Rtnetlink
import Testing

@testable import Reachability

/// Names: looked up once, evaluated against every route change without a look-up.
@Suite struct EngineNameTests {
    private let name: HostName
    private let target: ReachabilityTarget

    init() throws {
        name = try HostName("example.org")
        target = try .domain("example.org")
    }

    /// Finds what a real evaluation over a host with a default route would.
    private var driver: MachineDriver {
        var driver = MachineDriver()
        driver.find = { subject in
            var evaluation = Evaluation(RecordingOracle(FakeHost.online))
            return (evaluation.report(subject), evaluation.oracle.asked, nil)
        }
        return driver
    }

    @Test func theFirstWatcherHasItLookedUpAndIsToldNothingYet() {
        var driver = driver
        driver.subscribe(1, to: target)
        #expect(driver.said.filter { $0 == .watchName(name) }.count == 1)
        #expect(driver.machine.watchedNames == [name])
        #expect(driver.takeTold().isEmpty)
    }

    @Test func theFirstAnswerIsToldAsInitial() {
        var driver = driver
        driver.subscribe(1, to: target)
        _ = driver.takeSaid()
        driver.perform(driver.machine.answered(name, .addresses([ip("203.0.113.9")])))
        let update = driver.takeTold()[1]
        #expect(update?.causes == .initial && update?.report.status == .viaWiFi)
        #expect(update?.report.addresses == [ip("203.0.113.9")])
    }

    @Test func aFailureIsAnAnswer() {
        var driver = driver
        driver.subscribe(1, to: target)
        driver.perform(driver.machine.answered(name, .failed(.nameNotFound)))
        #expect(driver.takeTold()[1]?.report.reason == .nameNotFound)
    }

    @Test func oneLookupServesAllWhoWatchTheName() {
        var driver = driver
        driver.subscribe(1, to: target)
        driver.subscribe(2, to: target)
        driver.subscribe(3, to: target.requiring(interface: "eth0"))
        #expect(driver.said.filter { $0 == .watchName(name) }.count == 1)
        _ = driver.takeSaid()
        driver.perform(driver.machine.answered(name, .addresses([ip("203.0.113.9")])))
        #expect(Set(driver.takeTold().keys) == [1, 2, 3])
        for id in [1, 2] as [UInt64] { driver.perform(driver.machine.unsubscribe(id)) }
        #expect(!driver.said.contains(.forgetName(name)))
        driver.perform(driver.machine.unsubscribe(3))
        #expect(driver.said.contains(.forgetName(name)) && driver.machine.isIdle)
    }

    @Test func whoComesLaterIsToldWhatIsKnown() {
        var driver = driver
        driver.subscribe(1, to: target)
        driver.perform(driver.machine.answered(name, .addresses([ip("203.0.113.9")])))
        _ = driver.takeSaid()
        driver.subscribe(2, to: target)
        #expect(driver.takeTold()[2]?.report.status == .viaWiFi)
    }

    @Test func aRouteChangeEvaluatesKnownAddressesWithoutALookup() {
        var driver = driver
        driver.subscribe(1, to: target)
        driver.perform(driver.machine.answered(name, .addresses([ip("203.0.113.9")])))
        _ = driver.takeSaid()
        driver.find = { (Report(reason: .noRoute), MachineDriver.ownQuestion($0), nil) }
        driver.change([("203.0.113.0", 24)])
        #expect(driver.said.count == 1 && driver.takeTold()[1]?.report.reason == .noRoute)
    }

    @Test func anotherDefaultPathHasNamesLookedUpAgain() {
        var driver = driver
        driver.subscribe(1, to: target)
        #expect(!driver.said.contains(.defaultPathChanged), "the first path is no change")
        _ = driver.takeSaid()
        driver.find = { (Report(reason: .noRoute), MachineDriver.ownQuestion($0), nil) }
        driver.change(causes: .link, everything: true)
        #expect(driver.said.filter { $0 == .defaultPathChanged }.count == 1)
        _ = driver.takeSaid()
        driver.change(causes: .link, everything: true)
        #expect(!driver.said.contains(.defaultPathChanged))
    }

    @Test func withoutNamesTheDefaultPathIsNobodysBusiness() {
        var driver = driver
        driver.subscribe(1, to: target)
        driver.perform(driver.machine.unsubscribe(1))
        #expect(driver.machine.isIdle && driver.machine.watchedNames.isEmpty)
        _ = driver.takeSaid()
        driver.subscribe(2, to: .to("10.0.0.1"))
        driver.change(everything: true)
        #expect(driver.rounds.allSatisfy { !$0.contains(.defaultRoute) })
    }

    @Test func whoWatchesTheDefaultRouteTooIsToldOnceAndRight() {
        var driver = driver
        driver.subscribe(1, to: target)
        _ = driver.takeSaid()
        driver.subscribe(2, to: .default)
        let told = driver.takeTold()
        #expect(Array(told.keys) == [2] && told[2]?.causes == .initial)
    }

    @Test func anAnswerAboutAForgottenNameIsPassedOver() {
        var driver = driver
        driver.subscribe(1, to: target)
        driver.perform(driver.machine.unsubscribe(1))
        #expect(driver.machine.answered(name, .addresses([ip("203.0.113.9")])).isEmpty)
    }

    @Test func aFaultIsToldToWatchersOfNamesToo() {
        var driver = driver
        driver.perform(driver.machine.becameUnavailable(.kernelUnavailable))
        driver.subscribe(1, to: target)
        #expect(driver.said.contains(.watchName(name)))
        #expect(driver.takeTold()[1]?.report.status == .unknown)
    }
}
