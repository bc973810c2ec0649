package import Timing

/// When to try again after failures: 1 s after the first, doubling to 60 s, and then no more until something happens.
///
/// It ends because a bus or a daemon that has failed for two minutes costs wake-ups for nothing: whoever uses this has
/// an event to wait for as well (a signal, a new owner, a nudge).
package struct BackOff: Equatable, Sendable {
    /// Seconds before each further try.
    private static let delays: [Int64] = [1, 2, 4, 8, 16, 32, 60]

    private var failures = 0

    /// No failure so far.
    package init() {}

    /// True after a failure.
    package var isUnderWay: Bool { failures > 0 }

    /// Notes a failure; the instant to try again, or nil when it has been tried often enough.
    package mutating func next(now: Instant) -> Instant? {
        guard failures < Self.delays.count else { return nil }
        defer { failures += 1 }
        return now + .seconds(Self.delays[failures])
    }

    /// Forgets the failures.
    package mutating func reset() {
        failures = 0
    }
}
