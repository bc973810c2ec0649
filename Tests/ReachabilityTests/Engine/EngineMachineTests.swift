import InternetProtocol
import NameResolution
import Rtnetlink
import Testing
import Timing

@testable import Reachability

@Suite struct EngineMachineTests {
    private let reachable = Report(flags: .reachable)
    private let noRoute = Report(reason: .noRoute)
    private let start = Instant.now

    // MARK: - Subscribers

    @Test func thefirstReportIsToldAsInitial() {
        var driver = MachineDriver()
        driver.subscribe(1, to: .to("10.0.0.1"))
        #expect(driver.takeTold() == [1: Update(report: reachable, causes: .initial, generation: 1)])
    }

    @Test func whatIsAskedIsListenedForBeforeItIsBelieved() {
        var driver = MachineDriver()
        driver.subscribe(1, to: .to("10.0.0.1"))
        #expect(driver.rounds.count == 2, "evaluated again after listening, since a change between would be missed")
        #expect(driver.said.first == .listen([ip("10.0.0.1")]))
        _ = driver.takeSaid()
        driver.change(everything: true)
        #expect(driver.rounds.count == 1 && driver.said.isEmpty)
    }

    @Test func whatBothTargetsAskIsListenedFor() {
        var driver = MachineDriver()
        driver.subscribe(1, to: .to("10.0.0.1"))
        driver.subscribe(2, to: .to("10.0.0.2"))
        #expect(driver.said.contains(.listen([ip("10.0.0.1"), ip("10.0.0.2")])))
    }

    @Test func whatNobodyAsksAnyMoreIsLeftOutAtTheNextOccasion() {
        var driver = MachineDriver()
        driver.subscribe(1, to: .to("10.0.0.1"))
        driver.perform(driver.machine.unsubscribe(1))
        _ = driver.takeSaid()
        driver.subscribe(2, to: .to("10.0.0.2"))
        #expect(driver.said.first == .listen([ip("10.0.0.2")]))
    }

    @Test func aSecondSubscriberIsToldAloneWhereNothingDiffers() {
        var driver = MachineDriver()
        driver.subscribe(1, to: .to("10.0.0.1"))
        _ = driver.takeSaid()
        driver.subscribe(2, to: .to("10.0.0.1"))
        #expect(driver.takeTold() == [2: Update(report: reachable, causes: .initial, generation: 1)])
    }

    @Test func aSecondSubscribersLookTellsTheFirstWhatDiffers() {
        var driver = MachineDriver()
        driver.subscribe(1, to: .to("10.0.0.1"))
        _ = driver.takeSaid()
        driver.find = { [noRoute] in (noRoute, MachineDriver.ownQuestion($0), nil) }
        driver.subscribe(2, to: .to("10.0.0.1"))
        let told = driver.takeTold()
        #expect(told[1]?.report == noRoute && told[2] == Update(report: noRoute, causes: .initial, generation: 2))
    }

    @Test func oneTargetIsEvaluatedOnceHoweverManyWatchIt() {
        var driver = MachineDriver()
        for id in 1...1000 as ClosedRange<UInt64> { driver.subscribe(id, to: .to("10.0.0.1")) }
        _ = driver.takeSaid()
        driver.find = { [noRoute] in (noRoute, MachineDriver.ownQuestion($0), nil) }
        driver.change(everything: true)
        #expect(driver.rounds == [[.address(ip("10.0.0.1"), scope: nil)]])
        #expect(driver.takeTold().count == 1000)
    }

    @Test func theLastSubscriberTakesTheTargetAlong() {
        var driver = MachineDriver()
        driver.subscribe(1, to: .to("10.0.0.1"))
        driver.subscribe(2, to: .to("10.0.0.1"))
        driver.perform(driver.machine.unsubscribe(1))
        #expect(!driver.machine.isIdle)
        driver.perform(driver.machine.unsubscribe(2))
        #expect(driver.machine.isIdle)
        _ = driver.takeSaid()
        driver.change(everything: true)
        #expect(driver.rounds.isEmpty && driver.said.isEmpty)
        #expect(driver.machine.unsubscribe(2).isEmpty, "twice")
    }

    @Test func whoLeftIsNotTold() {
        var driver = MachineDriver()
        driver.subscribe(1, to: .to("10.0.0.1"))
        driver.subscribe(2, to: .to("10.0.0.1"))
        driver.perform(driver.machine.unsubscribe(1))
        _ = driver.takeSaid()
        driver.find = { [noRoute] in (noRoute, MachineDriver.ownQuestion($0), nil) }
        driver.change(everything: true)
        #expect(Array(driver.takeTold().keys) == [2])
    }

    @Test func aTargetThatLeftMeanwhileIsForgotten() {
        var machine = EngineMachine()
        guard case .evaluate(let ids)? = machine.subscribe(1, to: .to("10.0.0.1")).first else {
            Issue.record("nothing to evaluate")
            return
        }
        _ = machine.unsubscribe(1)
        let findings = ids.map { EngineMachine.Finding(id: $0, report: noRoute, asked: [], expiry: start) }
        #expect(machine.evaluated(findings).isEmpty && machine.deadline == nil)
        #expect(machine.subject(of: ids[0]) == nil)
    }

    // MARK: - Changes

    @Test func aRouteTouchesThoseAloneWhoAskedAboutItsPrefix() {
        var driver = MachineDriver()
        driver.subscribe(1, to: .to("10.0.0.1"))
        driver.subscribe(2, to: .to("10.9.0.1"))
        driver.subscribe(3, to: .to("2001:db8::1"))
        _ = driver.takeSaid()
        driver.change([("10.9.0.0", 16)])
        #expect(driver.rounds == [[.address(ip("10.9.0.1"), scope: nil)]])
        _ = driver.takeSaid()
        driver.change([("192.168.0.0", 16)])
        #expect(driver.rounds.isEmpty)
        driver.change([("0.0.0.0", 0)])
        #expect(driver.rounds.count == 1 && driver.rounds[0].count == 2)
    }

    @Test func theIndexFollowsWhatIsAsked() {
        var driver = MachineDriver()
        driver.subscribe(1, to: .to("10.0.0.1"))
        driver.change([("10.0.0.0", 8)])
        driver.find = { [reachable] _ in (reachable, [RouteQuestion(ip("172.16.0.1"))], nil) }
        driver.change(everything: true)
        _ = driver.takeSaid()
        driver.change([("10.0.0.0", 8)])
        #expect(driver.rounds.isEmpty)
        driver.change([("172.16.0.0", 12)])
        #expect(driver.rounds.count == 1)
    }

    @Test func anEmptyBatchIsNothing() {
        var driver = MachineDriver()
        driver.subscribe(1, to: .to("10.0.0.1"))
        _ = driver.takeSaid()
        driver.change(causes: [])
        #expect(driver.rounds.isEmpty && driver.said.isEmpty)
    }

    @Test func anEqualReportIsNotToldAgain() {
        var driver = MachineDriver()
        driver.subscribe(1, to: .to("10.0.0.1"))
        _ = driver.takeSaid()
        driver.change(everything: true)
        #expect(driver.takeTold().isEmpty)
    }

    @Test func whatLedToItIsTold() {
        var driver = MachineDriver()
        driver.subscribe(1, to: .to("10.0.0.1"))
        _ = driver.takeSaid()
        driver.find = { [noRoute] in (noRoute, MachineDriver.ownQuestion($0), nil) }
        driver.change(causes: [.link, .address], everything: true)
        #expect(driver.takeTold()[1] == Update(report: noRoute, causes: [.link, .address], generation: 2))
    }

    @Test func whatTouchedNobodyIsNoCauseOfWhatComesLater() {
        var driver = MachineDriver()
        driver.subscribe(1, to: .to("10.0.0.1"))
        driver.change([("192.168.0.0", 16)])
        _ = driver.takeSaid()
        driver.find = { [noRoute] in (noRoute, MachineDriver.ownQuestion($0), nil) }
        driver.change(causes: .address, everything: true)
        #expect(driver.takeTold()[1]?.causes == .address)
    }

    @Test(arguments: [ChangeCauses.overrun, .wake, .services]) func afterALossAllAreLookedAt(causes: ChangeCauses) {
        var driver = MachineDriver()
        driver.subscribe(1, to: .to("10.0.0.1"))
        driver.subscribe(2, to: .default)
        _ = driver.takeSaid()
        driver.find = { [noRoute] in (noRoute, MachineDriver.ownQuestion($0), nil) }
        driver.perform(driver.machine.changedAltogether(causes))
        #expect(driver.rounds.first?.count == 2)
        #expect(driver.takeTold().values.allSatisfy { $0.causes == causes })
    }

    @Test func anInterfaceThatBecomesAnotherKindOfLinkIsNews() {
        var driver = MachineDriver()
        func report(_ type: NetworkInterface.InterfaceType) -> Report {
            var report = Report(flags: .reachable)
            report.interface = NetworkInterface(name: "bond0", index: 4, type: type)
            return report
        }
        driver.find = { (report(.wiredEthernet), MachineDriver.ownQuestion($0), nil) }
        driver.subscribe(1, to: .to("10.0.0.1"))
        _ = driver.takeSaid()
        driver.find = { (report(.wifi), MachineDriver.ownQuestion($0), nil) }
        driver.change(everything: true)
        #expect(driver.takeTold()[1]?.report.interface?.type == .wifi)
        driver.change(everything: true)
        #expect(driver.takeTold().isEmpty)
    }

    // MARK: - Expiry

    /// In its last hundredth of a second a route looks as if it never ended, one that leads nowhere too.
    @Test func anEndThatWasKnownIsLookedAtThoughALaterAnswerShowsNone() {
        var driver = MachineDriver()
        let now = Instant.now
        driver.find = { [noRoute] in (noRoute, MachineDriver.ownQuestion($0), now + .seconds(1)) }
        driver.subscribe(1, to: .to("10.0.0.1"))
        driver.find = { [noRoute] in (noRoute, MachineDriver.ownQuestion($0), nil) }
        driver.change(everything: true)
        #expect(driver.machine.deadline == now + .seconds(1))
        _ = driver.takeSaid()
        driver.find = { (Report(flags: .reachable), MachineDriver.ownQuestion($0), nil) }
        driver.perform(driver.machine.timePassed(now: now + .seconds(1)))
        #expect(driver.takeTold()[1]?.report.flags == .reachable)
    }

    @Test func anAnswerThatRunsOutIsLookedAtAgain() {
        var driver = MachineDriver()
        let end = start + .seconds(30)
        driver.find = { [reachable] in (reachable, MachineDriver.ownQuestion($0), end) }
        driver.subscribe(1, to: .to("2001:db8::1"))
        #expect(driver.machine.deadline == end)
        #expect(driver.machine.timePassed(now: end - .seconds(1)).isEmpty)
        _ = driver.takeSaid()
        driver.find = { [noRoute] in (noRoute, MachineDriver.ownQuestion($0), nil) }
        driver.perform(driver.machine.timePassed(now: end))
        #expect(driver.takeTold() == [1: Update(report: noRoute, causes: .expiry, generation: 2)])
        driver.perform(driver.machine.timePassed(now: end + .milliseconds(100)))
        #expect(driver.machine.deadline == nil)
    }

    /// In its last hundredth of a second a route's lifetime is rounded to zero, which is how "without end" looks.
    @Test func anEndThatIsNotToldAnyMoreIsStillLookedAt() {
        var driver = MachineDriver()
        let end = start + .seconds(30)
        driver.find = { [reachable] in (reachable, MachineDriver.ownQuestion($0), end) }
        driver.subscribe(1, to: .to("2001:db8::1"))
        _ = driver.takeSaid()
        driver.find = { [reachable] in (reachable, MachineDriver.ownQuestion($0), nil) }
        driver.change(everything: true)
        #expect(driver.machine.deadline == end)
        // The kernel may be a little late, so it is asked twice; then the route has no end any more.
        driver.perform(driver.machine.timePassed(now: end))
        #expect(driver.machine.deadline == end + .milliseconds(100))
        driver.perform(driver.machine.timePassed(now: end + .milliseconds(100)))
        #expect(driver.machine.deadline == nil)
        #expect(driver.takeTold().isEmpty)
    }

    @Test func theNearestEndIsTheDeadline() {
        var driver = MachineDriver()
        let start = start
        driver.find = { [reachable] subject in
            let isFirst = subject == .address(ip("2001:db8::1"), scope: nil)
            return (reachable, MachineDriver.ownQuestion(subject), start + .seconds(isFirst ? 30 : 10))
        }
        driver.subscribe(1, to: .to("2001:db8::1"))
        driver.subscribe(2, to: .to("2001:db8::2"))
        #expect(driver.machine.deadline == start + .seconds(10))
        driver.perform(driver.machine.unsubscribe(2))
        #expect(driver.machine.deadline == start + .seconds(30))
        _ = driver.takeSaid()
        driver.find = { [noRoute] in (noRoute, MachineDriver.ownQuestion($0), nil) }
        driver.change(everything: true)
        #expect(driver.machine.deadline == start + .seconds(30), "a look too many rather than one too few")
    }
}
