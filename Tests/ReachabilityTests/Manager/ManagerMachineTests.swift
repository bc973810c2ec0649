import Testing
import Timing

@testable import Reachability

/// What a manager tells of the engine's updates, and when.
@Suite struct ManagerMachineTests {
    private let now = Instant.now
    private let wifi = Update(report: Report(flags: .reachable), causes: .initial, generation: 1)
    private let down = Update(report: Report(reason: .noRoute), causes: .link, generation: 2)
    private let cellular = Update(
        report: Report(flags: [.reachable, .transientConnection, .isWWAN]), causes: .link, generation: 3)

    /// A machine that was started and has told the update.
    private func told(_ update: Update, _ machine: ManagerDriver = ManagerDriver()) -> ManagerDriver {
        machine.start()
        machine.received(update)
        machine.beginDelivery()
        machine.endDelivery()
        return machine
    }

    // MARK: - Start and stop

    @Test func itBeginsUnknownAndStopped() {
        let machine = ManagerDriver()
        #expect(machine.status == .unknown && !machine.isStarted && !machine.isMonitoring && machine.current == nil)
    }

    @Test func aStartAnnouncesTheFirstStatus() {
        let machine = ManagerDriver()
        machine.start()
        let outcome = machine.received(wifi)
        #expect(outcome.schedules && outcome.pushed == wifi && outcome.deadline == nil)
        #expect(machine.status == .unknown, "told is what counts")
        let telling = machine.beginDelivery()
        #expect(telling?.old == .unknown && telling?.update == wifi)
        #expect(telling?.isForBlock == true && telling?.isSilent == false)
        #expect(machine.status == .viaWiFi && !machine.endDelivery())
    }

    @Test func eachStartAnnouncesAnewWhateverWasToldBefore() {
        let machine = told(wifi)
        machine.start()
        #expect(machine.status == .viaWiFi, "the last status stays readable")
        #expect(machine.received(wifi).schedules)
        let telling = machine.beginDelivery()
        #expect(telling?.isForBlock == true && telling?.old == .viaWiFi && telling?.update == wifi)
    }

    @Test func aStopKeepsTheStatusAndDropsTheRest() {
        let machine = told(wifi)
        let epoch = machine.epoch
        #expect(machine.received(down, epoch: epoch).schedules)
        let ended = [machine.stop(), machine.stop()]
        #expect(ended == [true, false] && machine.status == .viaWiFi && machine.current == nil)
        #expect(machine.beginDelivery() == nil)
    }

    @Test func whatBelongsToAnEarlierStartIsDropped() {
        let machine = told(wifi, ManagerDriver(settle: .seconds(1)))
        let old = machine.epoch
        machine.start()
        let outcome = machine.received(down, epoch: old)
        #expect(!outcome.schedules && outcome.pushed == nil && outcome.deadline == nil)
        #expect(machine.timePassed(epoch: old, now: now + .seconds(5)).pushed == nil)
        #expect(machine.beginDelivery() == nil && !machine.endDelivery())
        #expect(machine.latest == nil)
    }

    @Test func aRestartWithinACallbackIsToldAfterIt() {
        let machine = ManagerDriver()
        machine.start()
        machine.received(wifi)
        machine.beginDelivery()
        machine.start()
        #expect(!machine.received(wifi).schedules, "deliveries never overlap")
        #expect(machine.endDelivery())
        #expect(machine.beginDelivery() != nil)
    }

    @Test func aSilentFirstStatusIsSetButNotTold() {
        let machine = ManagerDriver(announcesInitial: false)
        machine.start()
        machine.received(wifi)
        #expect(machine.beginDelivery()?.isSilent == true && machine.status == .viaWiFi)
        machine.endDelivery()
        machine.received(down)
        #expect(machine.beginDelivery()?.isSilent == false, "changes are told")
    }

    // MARK: - Delivery

    @Test func onlyOneDeliveryIsPendingAndItCarriesTheNewest() {
        let machine = ManagerDriver()
        machine.start()
        let scheduled = [wifi, down, cellular].map { machine.received($0).schedules }
        #expect(scheduled == [true, false, false])
        #expect(machine.beginDelivery()?.update == cellular && machine.status == .viaWWAN)
        #expect(!machine.endDelivery() && machine.beginDelivery() == nil)
    }

    @Test func aChangeDuringADeliveryIsDeliveredNext() {
        let machine = ManagerDriver()
        machine.start()
        machine.received(wifi)
        machine.beginDelivery()
        #expect(!machine.received(down).schedules, "one at a time")
        #expect(!machine.received(cellular).schedules)
        #expect(machine.endDelivery(), "and then the next")
        let telling = machine.beginDelivery()
        #expect(telling?.old == .viaWiFi && telling?.update == cellular)
    }

    @Test func aChangeThereAndBackTellsNothing() {
        let machine = told(wifi)
        #expect(machine.received(down).schedules)
        #expect(!machine.received(wifi).schedules)
        #expect(machine.beginDelivery() == nil && machine.status == .viaWiFi)
        #expect(machine.received(down).schedules, "and the next change is delivered")
    }

    @Test func thereAndBackDuringADeliveryTellsNothingEither() {
        let machine = ManagerDriver()
        machine.start()
        machine.received(wifi)
        machine.beginDelivery()
        for update in [down, wifi] { machine.received(update) }
        #expect(machine.endDelivery() && machine.beginDelivery() == nil)
        #expect(machine.received(down).schedules)
    }

    @Test func aChangeOfPathAloneIsNotForTheBlock() {
        let machine = told(wifi)
        var report = wifi.report
        report.gateway = ip("192.0.2.1")
        machine.received(Update(report: report, causes: .route, generation: 4))
        let telling = machine.beginDelivery()
        #expect(telling?.isForBlock == false && telling?.old == .viaWiFi && telling?.update.report == report)
    }

    @Test func anEqualReportTellsNothing() {
        let machine = told(wifi)
        let repeated = Update(report: wifi.report, causes: .overrun, generation: 9)
        machine.received(repeated)
        #expect(machine.beginDelivery() == nil)
    }

    // MARK: - Sequences

    @Test func aSequenceMonitorsForAsLongAsItIsIterated() {
        let machine = ManagerDriver()
        let begun = [machine.beginIteration(), machine.beginIteration()]
        #expect(begun == [true, false] && machine.isMonitoring && !machine.isStarted)
        let outcome = machine.received(wifi)
        #expect(outcome.pushed == wifi && outcome.schedules, "who observes the property is told on the queue")
        #expect(machine.beginDelivery() == nil, "and nobody else")
        #expect(machine.status == .viaWiFi && machine.current == wifi)
        let ended = [machine.endIteration(), machine.endIteration()]
        #expect(ended == [false, true] && !machine.isMonitoring && machine.status == .viaWiFi)
    }

    @Test func aSequenceOfAStartedManagerLeavesItRunning() {
        let machine = told(wifi)
        let epoch = machine.epoch
        let begun = machine.beginIteration()
        let ended = machine.endIteration()
        #expect(!begun && !ended && machine.epoch == epoch && machine.current == wifi)
    }

    @Test func aStopLeavesSequencesRunning() {
        let machine = told(wifi)
        machine.beginIteration()
        machine.stop()
        #expect(machine.isMonitoring && !machine.isStarted)
        #expect(machine.received(down).pushed == down)
    }

    // MARK: - A tunnel's path

    @Test func aTunnelWithoutPathIsNotReachableWhereThePathIsRequired() {
        var report = Report(flags: [.reachable, .transientConnection])
        report.lacksUnderlyingPath = true
        let update = Update(report: report, causes: .initial, generation: 1)
        #expect(told(update).status == .viaWiFi)
        let strict = told(update, ManagerDriver(requiresUnderlyingPath: true))
        #expect(strict.status == .notReachable && strict.latest?.report.reason == .noRoute)
    }
}
