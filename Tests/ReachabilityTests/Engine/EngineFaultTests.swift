import Reachability
import Rtnetlink
import Testing

/// A kernel that cannot be asked.
@Suite struct EngineFaultTests {
    private let fault = Report(reason: .kernelUnavailable)

    @Test func everybodyIsToldThatNothingIsKnown() {
        var driver = MachineDriver()
        driver.subscribe(1, to: .to("10.0.0.1"))
        driver.subscribe(2, to: .default)
        _ = driver.takeSaid()
        driver.perform(driver.machine.becameUnavailable(.kernelUnavailable))
        let told = driver.takeTold()
        #expect(Set(told.keys) == [1, 2])
        #expect(told.values.allSatisfy { $0.report == fault && $0.causes == .availability })
        #expect(told[1]?.report.status == .unknown)
    }

    @Test func whoComesMeanwhileIsToldAtOnceAndNobodyIsAsked() {
        var driver = MachineDriver()
        driver.perform(driver.machine.becameUnavailable(.notPermitted))
        driver.subscribe(1, to: .to("10.0.0.1"))
        #expect(driver.takeTold()[1]?.report == Report(reason: .notPermitted))
        #expect(driver.rounds.isEmpty)
    }

    @Test func aNewReasonIsToldAnOldOneIsNot() {
        var driver = MachineDriver()
        driver.subscribe(1, to: .to("10.0.0.1"))
        driver.perform(driver.machine.becameUnavailable(.kernelUnavailable))
        _ = driver.takeSaid()
        driver.perform(driver.machine.becameUnavailable(.kernelUnavailable))
        #expect(driver.takeTold().isEmpty)
        driver.perform(driver.machine.becameUnavailable(.notPermitted))
        #expect(driver.takeTold()[1]?.report.reason == .notPermitted)
    }

    @Test func whatComesOfAnEvaluationUnderWayIsNotBelieved() {
        var machine = EngineMachine()
        guard case .evaluate(let ids)? = machine.subscribe(1, to: .default).first else {
            Issue.record("nothing to evaluate")
            return
        }
        _ = machine.becameUnavailable(.kernelUnavailable)
        let findings = ids.map {
            EngineMachine.Finding(id: $0, report: Report(flags: .reachable), asked: [], expiry: nil)
        }
        #expect(machine.evaluated(findings).isEmpty)
    }

    @Test func onceItPassesEverybodyIsLookedAtAndListenedForAnew() {
        var driver = MachineDriver()
        driver.subscribe(1, to: .to("10.0.0.1"))
        driver.perform(driver.machine.becameUnavailable(.kernelUnavailable))
        _ = driver.takeSaid()
        driver.perform(driver.machine.becameAvailable())
        #expect(driver.said.first == .listen([ip("10.0.0.1")]), "the new socket has no filter yet")
        #expect(driver.takeTold()[1]?.report.status == .viaWiFi)
    }

    @Test func thatItPassedIsToldAsTheCause() {
        var driver = MachineDriver()
        driver.subscribe(1, to: .to("10.0.0.1"))
        driver.perform(driver.machine.becameUnavailable(.kernelUnavailable))
        _ = driver.takeSaid()
        driver.perform(driver.machine.becameAvailable())
        #expect(driver.takeTold()[1]?.causes == .availability)
    }

    @Test func whatHappenedMeanwhileIsNoCause() {
        var driver = MachineDriver()
        driver.subscribe(1, to: .to("10.0.0.1"))
        driver.perform(driver.machine.becameUnavailable(.kernelUnavailable))
        driver.perform(driver.machine.changedAltogether(.services))
        _ = driver.takeSaid()
        driver.perform(driver.machine.becameAvailable())
        #expect(driver.takeTold()[1]?.causes == .availability)
    }

    @Test func becomingAvailableWithNobodyThereDoesNothing() {
        var machine = EngineMachine()
        #expect(machine.becameAvailable().isEmpty && machine.isIdle)
    }
}
