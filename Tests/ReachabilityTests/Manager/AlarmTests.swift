import Testing
import Timing

@testable import Reachability

@Suite(.timeLimit(.minutes(1))) struct AlarmTests {
    @Test(arguments: [Duration.zero, .seconds(-1), .milliseconds(1)])
    func itRingsWhenTheTimeIsOver(duration: Duration) async throws {
        let start = Instant.now
        try await Alarm.sleep(for: duration)
        #expect(Instant.now - start >= duration)
    }

    @Test func aCancelledTaskIsWokenAtOnce() async {
        let sleeper = Task { try await Alarm.sleep(for: .longestWait) }
        sleeper.cancel()
        await #expect(throws: CancellationError.self) { try await sleeper.value }
    }

    @Test func oneThatIsCancelledBeforehandDoesNotSleep() async {
        let sleeper = Task {
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            try await Alarm.sleep(for: .longestWait)
        }
        await #expect(throws: CancellationError.self) { try await sleeper.value }
    }
}
