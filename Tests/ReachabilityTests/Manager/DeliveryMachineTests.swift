import TestSupport
import Testing
import Timing

@testable import Reachability

/// What a manager decides, by itself: on a clock of the test's, without threads.
@Suite struct DeliveryMachineTests {
    private let now = Instant.now

    private func machine(settleInterval: Duration = .zero) -> ManagerMachine {
        ManagerMachine(settleInterval: settleInterval, announcesInitialStatus: true, requiresUnderlyingPath: false)
    }

    private func update(_ flags: ReachabilityFlags, generation: UInt64 = 1) -> Update {
        Update(
            report: Report(flags: flags, reason: flags.isEmpty ? .noRoute : nil), causes: .route,
            generation: generation)
    }

    @Test func oneDeliveryAtMostWaitsOnTheQueueOverRestartsToo() {
        var machine = machine()
        var scheduled = 0
        for round in 0..<100 {
            if round % 3 == 0 { machine.start() }
            if round % 7 == 0 { _ = machine.stop() }
            if round % 5 == 0 { _ = machine.beginIteration() }
            let flags: ReachabilityFlags = round % 2 == 0 ? .reachable : []
            if machine.received(update(flags), epoch: machine.epoch, now: now).schedules { scheduled += 1 }
        }
        #expect(scheduled == 1)
    }

    @Test func whatBecomesDueWhileADeliveryRunsFollowsIt() {
        var machine = machine()
        machine.start()
        let isScheduled = machine.received(update(.reachable), epoch: machine.epoch, now: now).schedules
        #expect(isScheduled)
        let telling = machine.beginDelivery().telling
        #expect(telling?.update.report.flags == .reachable)
        let isScheduledAgain = machine.received(update([]), epoch: machine.epoch, now: now).schedules
        #expect(!isScheduledAgain, "one runs")
        let isDue = machine.endDelivery()
        #expect(isDue)
        let flags = machine.beginDelivery().telling?.update.report.flags
        #expect(flags == [])
        let isDueAgain = machine.endDelivery()
        #expect(!isDueAgain)
    }

    @Test func aRestartWhileADeliveryRunsIsToldAfterIt() {
        var machine = machine()
        machine.start()
        _ = machine.received(update(.reachable), epoch: machine.epoch, now: now)
        _ = machine.beginDelivery()
        _ = machine.received(update([]), epoch: machine.epoch, now: now)
        machine.start()
        let isDue = machine.endDelivery()
        #expect(!isDue, "nothing of the new start is known yet")
        let isScheduled = machine.received(update([]), epoch: machine.epoch, now: now).schedules
        #expect(isScheduled)
        let isForBlock = machine.beginDelivery().telling?.isForBlock
        #expect(isForBlock == true)
    }

    @Test func aTellingOfAnEarlierStartSetsNothing() throws {
        var machine = machine()
        machine.start()
        _ = machine.received(update(.reachable), epoch: machine.epoch, now: now)
        let telling = try #require(machine.beginDelivery().telling)
        machine.start()
        let isCommitted = machine.commit(telling)
        #expect(!isCommitted)
        #expect(machine.status == .unknown)
    }

    @Test func updatesOfAnEarlierStartAreDropped() {
        var machine = machine(settleInterval: .seconds(1))
        machine.start()
        let old = machine.epoch
        machine.start()
        let pushed = machine.received(update(.reachable), epoch: old, now: now).pushed
        #expect(pushed == nil)
        let pushedLater = machine.timePassed(epoch: old, now: now + .seconds(9)).pushed
        #expect(pushedLater == nil)
        #expect(machine.latest == nil)
    }

    @Test func aTimerThatRingsTooEarlyIsSetAgain() {
        var machine = machine(settleInterval: .seconds(1))
        machine.start()
        _ = machine.received(update(.reachable), epoch: machine.epoch, now: now)
        let deadline = machine.received(update([]), epoch: machine.epoch, now: now).deadline
        #expect(deadline == now + .seconds(1))
        let again = machine.timePassed(epoch: machine.epoch, now: now + .milliseconds(999)).deadline
        #expect(again == deadline)
        let pushed = machine.timePassed(epoch: machine.epoch, now: now + .seconds(1)).pushed
        #expect(pushed == update([]))
    }

    @Test func iterationsAreCounted() {
        var machine = machine()
        let isFirst = machine.beginIteration()
        #expect(isFirst)
        let isFirstAgain = machine.beginIteration()
        #expect(!isFirstAgain, "it is monitored already")
        let isLast = machine.endIteration()
        #expect(!isLast)
        machine.start()
        let isLastOfAll = machine.endIteration()
        #expect(!isLastOfAll, "it is started")
        #expect(machine.isMonitoring)
        let isStopped = machine.stop()
        #expect(isStopped)
        let isStoppedAgain = machine.stop()
        #expect(!isStoppedAgain)
        #expect(!machine.isMonitoring)
    }

    /// Every status is told in the end, whatever comes in which order.
    @Test(arguments: 0..<200 as Range<UInt64>)
    func inTheEndTheNewestStateIsTold(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var machine = machine(settleInterval: Bool.random(using: &generator) ? .milliseconds(100) : .zero)
        machine.start()
        var now = now
        var waiting = 0
        var newest = update([])
        var told: Report?
        func deliver() {
            waiting -= 1
            if let telling = machine.beginDelivery().telling, machine.commit(telling) { told = telling.update.report }
            if machine.endDelivery() { waiting += 1 }
        }
        for step in 0..<100 {
            let outcome: ManagerMachine.Outcome
            switch Int.random(in: 0..<4, using: &generator) {
            case 0:
                now += .milliseconds(Int.random(in: 0..<150, using: &generator))
                outcome = machine.timePassed(epoch: machine.epoch, now: now)
            case 1 where waiting > 0:
                deliver()
                continue
            default:
                let states: [ReachabilityFlags] = [[], .reachable, [.reachable, .isWWAN]]
                newest = update(states.randomElement(using: &generator) ?? [], generation: UInt64(step))
                outcome = machine.received(newest, epoch: machine.epoch, now: now)
            }
            if outcome.schedules { waiting += 1 }
            #expect(waiting <= 1)
        }
        _ = machine.received(newest, epoch: machine.epoch, now: now).schedules ? (waiting += 1) : ()
        if machine.timePassed(epoch: machine.epoch, now: now + .seconds(1)).schedules { waiting += 1 }
        while waiting > 0 { deliver() }
        #expect(told == newest.report)
        #expect(machine.status == newest.report.status)
    }
}
