import InternetProtocol
import TestSupport
import Testing

@testable import NameResolution

/// The rules of NameMachine, one a test, on a clock that is set by hand.
@Suite struct NameMachineTests {
    private let a = IPAddress(v4: 0x0a00_0001)
    private let b = IPAddress(v4: 0x0a00_0002)
    private let failure = LookupOutcome.failed(code: 11, text: "refused")

    // MARK: The first result

    @Test func aNameIsUnknownUntilTheFirstResult() {
        var name = NameMachineHarness()
        #expect(name.start() == ["look up 1"])
        #expect(name.machine.knowledge == .unknown)
        #expect(name.answer(.addresses([a, b], timeToLive: nil)) == ["publish \(a) \(b)"])
    }

    @Test func theFirstResultComesWithinTheLimitAndTheLookupGoesOn() {
        var name = NameMachineHarness(firstResultLimit: .seconds(3))
        _ = name.start()
        #expect(name.deadline == .seconds(3))
        #expect(name.wait(.milliseconds(2900)) == [])
        #expect(name.wait(.milliseconds(100)) == ["publish failed timeout"])
        #expect(name.deadline == nil)  // the lookup under way is all that is left
        #expect(name.answer(.addresses([a], timeToLive: nil)) == ["publish \(a)"])
    }

    @Test func theLimitIsFiveSecondsByDefault() {
        var name = NameMachineHarness()
        _ = name.start()
        #expect(name.deadline == .seconds(5))
    }

    @Test(arguments: [
        (LookupOutcome.timeout, "publish failed timeout"), (.failed(code: 3, text: ""), "publish failed failed"),
        (.noResolver, "publish failed noResolver"), (.notFound, "publish not found"),
        (.addresses([], timeToLive: nil), "publish not found"),
    ])
    func r44_whatFailsSaysWhy(outcome: LookupOutcome, action: String) {
        var name = NameMachineHarness()
        _ = name.start()
        #expect(name.answer(outcome) == [action])
    }

    @Test func aSecondStartDoesNothing() {
        var name = NameMachineHarness()
        _ = name.start()
        #expect(name.start() == [])
    }

    @Test func nothingHappensBeforeTheStart() {
        var name = NameMachineHarness()
        #expect(name.pathChanged() == [] && name.configurationChanged() == [] && name.deadline == nil)
    }

    @Test func addressesOfOneFamilyAreBetterThanNothing() {
        var name = NameMachineHarness()
        _ = name.start()
        #expect(name.findEarly([a]) == ["publish \(a)"])
        #expect(name.deadline == nil)
        #expect(name.answer(.addresses([a, b], timeToLive: nil)) == ["publish \(a) \(b)"])
        _ = name.pathChanged()
        _ = name.wait(.seconds(1))
        #expect(name.findEarly([a]) == [])  // not better than what is known
    }

    // MARK: What is kept

    @Test(arguments: [LookupOutcome.timeout, .failed(code: 11, text: ""), .noResolver])
    func r89_oneFailedLookupDoesNotEndKnownAddresses(outcome: LookupOutcome) {
        var name = known([a])
        _ = name.pathChanged()
        _ = name.wait(.seconds(1))
        #expect(name.answer(outcome) == [])
        #expect(name.machine.knowledge == .addresses([a]))
    }

    @Test func r89_aFailureOfOneFamilyDoesNotEndTheKnownAddressesOfThatFamily() {
        let six = IPAddress(family: .v6, bits: 1)
        var name = known([a, six])
        _ = name.configurationChanged()
        #expect(name.answer(.partial([b], timeToLive: .seconds(300), missing: .v6)) == ["publish \(b) \(six)"])
        _ = name.configurationChanged()
        #expect(name.answer(.partial([six], timeToLive: .seconds(300), missing: .v4)) == [])
        _ = name.configurationChanged()
        #expect(name.answer(.addresses([six], timeToLive: .seconds(300))) == ["publish \(six)"])
    }

    @Test func theFamilyThatFailedIsAskedForAgainLessAndLess() {
        var name = NameMachineHarness()
        _ = name.start()
        for seconds in [1, 2, 4, 8, 16, 32, 45, 45] {
            _ = name.answer(.partial([a], timeToLive: .seconds(45), missing: .v6))
            #expect(name.deadline == name.elapsed + .seconds(seconds))
            #expect(name.waitForDeadline().count == 1)
        }
        #expect(name.machine.knowledge == .addresses([a]))
    }

    @Test func r34_notFoundEndsKnownAddresses() {
        var name = known([a])
        _ = name.pathChanged()
        _ = name.wait(.seconds(1))
        #expect(name.answer(.notFound) == ["publish not found"])
    }

    @Test func aFailureDoesNotReplaceNotFoundButAMissingServerDoes() {
        var name = NameMachineHarness()
        _ = name.start()
        _ = name.answer(.notFound)
        _ = name.wait(.seconds(1))
        #expect(name.answer(.timeout) == [])
        _ = name.configurationChanged()
        #expect(name.answer(.noResolver) == ["publish failed noResolver"])
    }

    @Test func r13_aFailureBetweenTwoSuccessesPublishesNothing() {
        var name = known([a])
        _ = name.wait(.seconds(10))
        #expect(name.pathChanged() == ["look up 2"])
        #expect(name.answer(failure) == [])
        #expect(name.wait(.seconds(1)) == ["look up 3"])
        #expect(name.answer(.addresses([a], timeToLive: nil)) == [])
    }

    @Test func rotationPublishesNothing() {
        var name = known([a, b])
        _ = name.configurationChanged()
        #expect(name.answer(.addresses([b, a], timeToLive: nil)) == [])
        #expect(name.machine.knowledge == .addresses([a, b]))
        _ = name.configurationChanged()
        #expect(name.answer(.addresses([b], timeToLive: nil)) == ["publish \(b)"])
    }

    // MARK: One lookup at a time

    @Test func r15_theAnswerOfAnEndedLookupIsDropped() {
        var name = NameMachineHarness()
        _ = name.start()
        let first = name.attempt
        #expect(name.configurationChanged() == ["cancel 1", "look up 2"])
        #expect(name.answer(.addresses([a], timeToLive: nil), for: first) == [])
        #expect(name.findEarly([a], for: first) == [])
        #expect(name.answer(.addresses([b], timeToLive: nil)) == ["publish \(b)"])
        #expect(name.answer(.notFound) == [])  // told twice
    }

    @Test func r90_oneMoreFollowsALookupDuringWhichThePathChanged() {
        var name = NameMachineHarness()
        _ = name.start()
        for _ in 0..<20 { #expect(name.pathChanged() == []) }
        #expect(name.answer(.addresses([a], timeToLive: nil), after: .milliseconds(300)) == ["publish \(a)"])
        #expect(name.deadline == .seconds(1))  // a second after the lookup before
        #expect(name.wait(.milliseconds(700)) == ["look up 2"])
        #expect(name.answer(.addresses([a], timeToLive: nil)) == [])
        #expect(name.deadline == nil)
    }

    @Test func aLateAnswerIsFollowedAtOnce() {
        var name = NameMachineHarness()
        _ = name.start()
        _ = name.pathChanged()
        #expect(
            name.answer(.addresses([a], timeToLive: nil), after: .milliseconds(1500)) == ["publish \(a)", "look up 2"])
    }

    @Test func r21_aLookupIntoThePathThatIsGoneIsNotWaitedForLong() {
        var name = NameMachineHarness()
        _ = name.start()
        _ = name.wait(.milliseconds(500))
        #expect(name.pathChanged() == [])
        #expect(name.deadline == .seconds(2))
        #expect(name.wait(.milliseconds(1500)) == ["cancel 1", "look up 2"])
        _ = name.wait(.milliseconds(2500))
        #expect(name.pathChanged() == ["cancel 2", "look up 3"])
        #expect(name.deadline == .seconds(5))  // the first result is still due
    }

    // MARK: Changes of path and configuration

    @Test func r90_sixtyPathChangesInASecondMakeTwoLookups() {
        var name = known([a])
        _ = name.wait(.seconds(10))
        var actions: [String] = []
        for _ in 0..<60 {
            actions += name.pathChanged()
            if actions.count == 1, name.attemptIsOpen { actions += name.answer(.addresses([a], timeToLive: nil)) }
            actions += name.wait(.milliseconds(16))
        }
        actions += name.wait(.milliseconds(40))
        #expect(actions == ["look up 2", "look up 3"])
    }

    @Test func r20_theLastOfManyPathChangesIsNotMissed() {
        var name = known([a])
        _ = name.wait(.seconds(10))
        var lookups = 0
        for round in 0..<1000 {
            var actions = name.pathChanged()
            if actions.isEmpty { actions = name.wait(.milliseconds(10)) }
            guard !actions.isEmpty else { continue }
            lookups += 1
            _ = name.answer(.addresses([round < 900 ? a : b], timeToLive: nil))
        }
        #expect(lookups <= 11)  // ten seconds of changes
        _ = name.pathChanged()
        #expect(name.wait(.seconds(1)).count == 1)
        _ = name.answer(.addresses([b], timeToLive: nil))
        #expect(name.machine.knowledge == .addresses([b]) && name.deadline == nil)
    }

    @Test func aChangeOfTheConfigurationLooksUpAtOnce() {
        var name = known([a])
        #expect(name.configurationChanged() == ["look up 2"])
        #expect(name.configurationChanged() == ["cancel 2", "look up 3"])
        #expect(name.pathChanged() == [])
    }

    // MARK: Time to live

    @Test(arguments: [(0, 30), (1, 30), (29, 30), (30, 30), (300, 300), (3600, 3600), (86400, 3600)])
    func addressesAreLookedUpAgainWhenTheirTimeIsOver(timeToLive: Int, seconds: Int) {
        var name = NameMachineHarness()
        _ = name.start()
        _ = name.answer(.addresses([a], timeToLive: .seconds(timeToLive)))
        #expect(name.deadline == .seconds(seconds))
        #expect(name.wait(.seconds(seconds)) == ["look up 2"])
        #expect(name.deadline == nil)
    }

    @Test func anAnswerOfTheHostsFileRests() {
        var name = known([a])
        #expect(name.deadline == nil)
        #expect(name.wait(.seconds(100_000)) == [])
    }

    @Test func aDeadlineThatIsNotReachedDoesNothing() {
        var name = NameMachineHarness()
        _ = name.start()
        _ = name.answer(.addresses([a], timeToLive: .seconds(60)))
        #expect(name.wait(.milliseconds(59_999)) == [])
        #expect(name.wait(.milliseconds(1)) == ["look up 2"])
    }

    // MARK: Back-off

    @Test(arguments: [LookupOutcome.timeout, .failed(code: 11, text: ""), .notFound])
    func r90_failuresAreRepeatedLessAndLess(outcome: LookupOutcome) {
        var name = NameMachineHarness()
        _ = name.start()
        for seconds in [1, 2, 4, 8, 16, 32, 60, 60, 60] {
            _ = name.answer(outcome)
            #expect(name.deadline == name.elapsed + .seconds(seconds))
            #expect(name.wait(.seconds(seconds)).count == 1)
        }
    }

    @Test func r22_aResolverThatWorksLaterIsFoundWithoutAChangeOfPath() {
        var name = NameMachineHarness()
        _ = name.start()
        for _ in 0..<10 {
            _ = name.answer(.timeout)
            #expect(name.waitForDeadline().count == 1)
        }
        #expect(name.answer(.addresses([a], timeToLive: .seconds(60))) == ["publish \(a)"])
    }

    @Test func theBackOffBeginsAgainAfterASuccessAndAChange() {
        for isPath in [true, false] {
            var name = NameMachineHarness()
            _ = name.start()
            for _ in 0..<5 {
                _ = name.answer(.timeout)
                _ = name.waitForDeadline()
            }
            _ = name.answer(.timeout)
            _ = name.wait(.seconds(1))  // for a change of path, a second after the lookup before
            #expect((isPath ? name.pathChanged() : name.configurationChanged()) == ["look up 7"])
            _ = name.answer(.timeout)
            #expect(name.deadline == name.elapsed + .seconds(1))
            _ = name.waitForDeadline()
            _ = name.answer(.timeout)
            _ = name.waitForDeadline()
            _ = name.answer(.addresses([a], timeToLive: .seconds(30)))
            _ = name.waitForDeadline()
            _ = name.answer(.timeout)
            #expect(name.deadline == name.elapsed + .seconds(1))
        }
    }

    @Test func r21_anOfflineNameComesBackWithItsPath() {
        var name = NameMachineHarness()
        _ = name.start()
        for _ in 0..<8 {
            _ = name.answer(failure)
            _ = name.waitForDeadline()
        }
        _ = name.answer(failure)
        #expect(name.wait(.seconds(5)) == [])
        #expect(name.pathChanged() == ["look up 10"])
        #expect(name.answer(failure) == [])  // the resolver is not up yet
        #expect(name.wait(.seconds(1)) == ["look up 11"])
        #expect(name.answer(.addresses([a], timeToLive: nil)) == ["publish \(a)"])
    }

    @Test func withoutAServerOnlyAChangeOfTheConfigurationHelps() {
        var name = NameMachineHarness()
        _ = name.start()
        _ = name.answer(.noResolver)
        #expect(name.deadline == nil)
        #expect(name.configurationChanged() == ["look up 2"])
    }

    @Test func aMissingServerIsTriedForWhereTheConfigurationIsNotWatched() {
        var name = NameMachineHarness(isConfigurationWatched: false)
        _ = name.start()
        _ = name.answer(.noResolver)
        #expect(name.deadline == .seconds(1))
    }

    // MARK: All together

    /// Whatever happens in whatever order: one lookup at a time, and something ahead unless the name rests.
    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func anyOrderOfEventsKeepsTheRules(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var name = NameMachineHarness()
        _ = name.start()
        var open = 1
        for _ in 0..<20_000 {
            let actions =
                switch Int.random(in: 0..<8, using: &random) {
                case 0: name.pathChanged()
                case 1: name.configurationChanged()
                case 2: name.wait(.milliseconds(Int64.random(in: 0...3000, using: &random)))
                case 3: name.waitForDeadline()
                case 4: name.answer(.addresses([Bool.random(using: &random) ? a : b], timeToLive: .seconds(10)))
                case 5:
                    name.answer(
                        Bool.random(using: &random)
                            ? .notFound : .partial([a], timeToLive: .seconds(60), missing: .v6))
                case 6: name.findEarly([b])
                default: name.answer(Bool.random(using: &random) ? .timeout : failure)
                }
            if name.wasAnswered { open = 0 }
            for action in actions {
                if action.hasPrefix("cancel") { open -= 1 }
                if action.hasPrefix("look up") { open += 1 }
                #expect((0...1).contains(open))
            }
            #expect(open == 1 || name.deadline != nil)
            if let deadline = name.deadline { #expect(deadline >= .zero) }
        }
        #expect(name.machine.knowledge != .unknown)
    }

    /// A name whose lookup is over, with an answer that has no time to live.
    private func known(_ addresses: [IPAddress]) -> NameMachineHarness {
        var name = NameMachineHarness()
        _ = name.start()
        _ = name.answer(.addresses(addresses, timeToLive: nil))
        return name
    }
}
