import Dispatch
import ReachabilityTesting
import Testing
import Timing

@testable import Reachability

/// A settle interval is trailing: a state is told once it has held still that long; the first one at once.
@Suite struct SettleTests {
    private let start = Instant.now
    private let wifi = Update(report: Report(flags: .reachable), causes: .initial, generation: 1)
    private let down = Update(report: Report(reason: .noRoute), causes: .link, generation: 2)
    private let cellular = Update(report: Report(flags: [.reachable, .isWWAN]), causes: .link, generation: 3)

    /// A machine that waits ten seconds, and has told that Wi-Fi is there.
    private var machine: ManagerDriver {
        let machine = ManagerDriver(settle: .seconds(10))
        machine.start()
        machine.received(wifi, now: start)
        machine.beginDelivery()
        machine.endDelivery()
        return machine
    }

    private func after(_ seconds: Int) -> Instant { start + .seconds(seconds) }

    @Test func theFirstStateIsNotDelayed() {
        #expect(machine.status == .viaWiFi)
    }

    @Test func aChangeIsToldOnceItHasHeldStill() {
        let machine = machine
        let outcome = machine.received(down, now: after(1))
        #expect(outcome.deadline == after(11) && outcome.pushed == nil && !outcome.schedules)
        #expect(machine.latest == down && machine.current == wifi)
        let early = machine.timePassed(now: after(10))
        #expect(early.deadline == after(11) && early.pushed == nil)
        let due = machine.timePassed(now: after(11))
        #expect(due.pushed == down && due.schedules && due.deadline == nil)
        #expect(machine.beginDelivery()?.update == down)
    }

    @Test func everyChangeBeginsTheIntervalAnew() {
        let machine = machine
        machine.received(down, now: after(1))
        #expect(machine.received(cellular, now: after(9)).deadline == after(19))
        #expect(machine.timePassed(now: after(11)).deadline == after(19))
        #expect(machine.timePassed(now: after(19)).pushed == cellular)
    }

    @Test func thereAndBackWithinTheIntervalIsNothing() {
        let machine = machine
        machine.received(down, now: after(1))
        let outcome = machine.received(wifi, now: after(2))
        #expect(outcome.deadline == nil && outcome.pushed == nil && !outcome.schedules)
        #expect(machine.timePassed(now: after(60)).pushed == nil)
    }

    @Test func aRepeatedStateDoesNotBeginItAnew() {
        let machine = machine
        machine.received(wifi, now: after(5))
        #expect(machine.timePassed(now: after(60)).pushed == nil)
    }

    /// The queue was slow: what had settled is told, not what has not held still.
    @Test func aDeliveryThatComesLateDoesNotTellWhatHasNotSettled() {
        let machine = machine
        machine.received(down, now: after(1))
        #expect(machine.timePassed(now: after(11)).schedules)
        machine.received(cellular, now: after(12))
        #expect(machine.beginDelivery()?.update != cellular)
        machine.endDelivery()
        #expect(machine.timePassed(now: after(22)).schedules)
        #expect(machine.beginDelivery()?.update == cellular)
    }

    /// A delivery that found the state in motion told nothing; if it comes to rest where it was, that is still news.
    @Test func whatHadSettledIsToldThoughADeliveryFoundItInMotion() {
        let machine = machine
        machine.received(down, now: after(1))
        #expect(machine.timePassed(now: after(11)).schedules)
        machine.received(cellular, now: after(12))
        var told = machine.beginDelivery()?.update
        machine.endDelivery()
        let back = machine.received(down, now: after(13))
        if back.schedules { told = machine.beginDelivery()?.update }
        #expect(told == down && machine.status == .notReachable)
    }

    @Test func theFirstStateIsToldThoughAnotherCameBeforeTheDelivery() {
        let machine = ManagerDriver(settle: .seconds(10))
        machine.start()
        machine.received(wifi, now: start)
        #expect(machine.received(down, now: after(1)).deadline == after(11))
        #expect(machine.beginDelivery()?.update == wifi)
        machine.endDelivery()
        #expect(machine.timePassed(now: after(11)).schedules)
        #expect(machine.beginDelivery()?.update == down)
    }

    @Test func aStopForgetsWhatWasSettling() {
        let machine = machine
        machine.received(down, now: after(1))
        machine.stop()
        #expect(machine.timePassed(now: after(60)).pushed == nil)
        machine.start()
        #expect(machine.received(down, now: after(61)).schedules, "a first state again")
    }

    @Test(arguments: [Duration.zero, .seconds(-5)]) func withoutIntervalNothingWaits(interval: Duration) {
        let machine = ManagerDriver(settle: interval)
        machine.start()
        #expect(machine.received(wifi, now: start).schedules)
        #expect(machine.received(down, now: start).pushed == down)
    }

    @Test(arguments: [Duration.seconds(Int64.max), Duration(attoseconds: .max)])
    func noIntervalIsTooLong(interval: Duration) throws {
        let machine = ManagerDriver(settle: interval)
        machine.start()
        machine.received(wifi, now: start)
        let deadline = try #require(machine.received(down, now: start).deadline)
        #expect(deadline > start + .seconds(86400))
        #expect(SystemClock().milliseconds(until: deadline) > 0)
    }

    @Test(arguments: [Duration.seconds(Int64.max), Duration(attoseconds: .max)])
    func noWaitIsTooLong(timeout: Duration) async throws {
        let network = ScriptedNetwork()
        network.connect("eth0", .wiredEthernet)
        let manager = network.manager(queue: DispatchQueue(label: "wait"))
        #expect(try await manager.waitUntilReachable(timeout: timeout) == .viaWiFi)
    }

    @Test func theSystemsClockSleepsUntilTheDeadlineAndNotLess() {
        let clock = SystemClock()
        #expect(clock.milliseconds(until: nil) == -1)
        #expect(clock.milliseconds(until: clock.now - .seconds(1)) == 0)
        let milliseconds = clock.milliseconds(until: clock.now + .seconds(100))
        #expect(milliseconds > 90_000 && milliseconds <= 100_000)
        #expect(clock.milliseconds(until: clock.now + .nanoseconds(900_000)) <= 1)
    }
}
