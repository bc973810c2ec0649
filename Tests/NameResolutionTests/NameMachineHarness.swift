import InternetProtocol
import Timing

@testable import NameResolution

/// A machine with a clock that is set by hand; actions come out as words.
struct NameMachineHarness {
    private(set) var machine: NameMachine
    private let origin = Instant.now
    private(set) var elapsed = Duration.zero
    private(set) var attempts: [NameMachine.Attempt] = []
    private(set) var attemptIsOpen = false
    /// True if the last input was the answer of the lookup under way.
    private(set) var wasAnswered = false

    init(firstResultLimit: Duration = .seconds(5), isConfigurationWatched: Bool = true) {
        machine = NameMachine(
            firstResultLimit: firstResultLimit, isConfigurationWatched: isConfigurationWatched)
    }

    var deadline: Duration? { machine.deadline.map { origin.duration(to: $0) } }
    /// The last attempt that was asked for.
    var attempt: NameMachine.Attempt? { attempts.last }

    mutating func start() -> [String] { words { $0.start(now: $1) } }
    mutating func pathChanged() -> [String] { words { $0.pathChanged(now: $1) } }
    mutating func configurationChanged() -> [String] { words { $0.configurationChanged(now: $1) } }

    mutating func wait(_ duration: Duration) -> [String] {
        elapsed += duration
        return words { $0.deadlineReached(now: $1) }
    }

    mutating func waitForDeadline() -> [String] {
        elapsed = max(deadline ?? elapsed, elapsed)
        return words { $0.deadlineReached(now: $1) }
    }

    mutating func answer(
        _ outcome: LookupOutcome, for attempt: NameMachine.Attempt? = nil, after duration: Duration = .zero
    ) -> [String] {
        guard let attempt = attempt ?? self.attempt else { return [] }
        elapsed += duration
        let wasOpen = attemptIsOpen && attempt == self.attempt
        if wasOpen { attemptIsOpen = false }
        let words = words { $0.answered(outcome, for: attempt, now: $1) }
        wasAnswered = wasOpen
        return words
    }

    mutating func findEarly(_ addresses: [IPAddress], for attempt: NameMachine.Attempt? = nil) -> [String] {
        guard let attempt = attempt ?? self.attempt else { return [] }
        return words { $0.foundEarly(addresses, for: attempt, now: $1) }
    }

    private mutating func words(
        _ input: (inout NameMachine, Instant) -> [NameMachine.Action]
    ) -> [String] {
        wasAnswered = false
        return input(&machine, origin + elapsed).map { action in
            switch action {
            case .lookUp(let attempt):
                attempts.append(attempt)
                attemptIsOpen = true
                return "look up \(attempts.count)"
            case .cancelLookup(let attempt):
                return "cancel \((attempts.firstIndex(of: attempt) ?? -1) + 1)"
            case .publish(.addresses(let addresses)):
                return "publish " + addresses.map(\.description).joined(separator: " ")
            case .publish(.unknown): return "publish unknown"
            case .publish(.notFound): return "publish not found"
            case .publish(.failed(let reason)): return "publish failed \(reason)"
            }
        }
    }
}
