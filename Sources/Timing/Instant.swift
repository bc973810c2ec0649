internal import Glibc

/// A moment on a clock that goes on while the host sleeps, as expiry and TTL do (CLOCK_BOOTTIME).
///
/// The library's `ContinuousClock.Instant` is the same in a type whose size only the runtime knows, and with it every
/// state and every return value that holds one: they are laid out when the program runs, and copied through tables of
/// functions. On the way of a change to its callback that was some thousand instructions.
package struct Instant: Hashable, Sendable {
    /// Since the host was started.
    private let nanoseconds: Int64

    private init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    package static var now: Instant {
        var time = timespec()
        // Sound: clock_gettime writes one timespec.
        _ = unsafe clock_gettime(CLOCK_BOOTTIME, &time)
        return Instant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }
}

extension Instant: InstantProtocol {
    /// What is too far to be told, three centuries, is as far as can be.
    package func advanced(by duration: Duration) -> Instant {
        let length = duration.wholeNanoseconds
        let (sum, isTooFar) = nanoseconds.addingReportingOverflow(length)
        return Instant(nanoseconds: isTooFar ? (length < 0 ? .min : .max) : sum)
    }

    package func duration(to other: Instant) -> Duration {
        let (difference, isTooFar) = other.nanoseconds.subtractingReportingOverflow(nanoseconds)
        return .nanoseconds(isTooFar ? (other < self ? .min : .max) : difference)
    }

    package static func < (left: Instant, right: Instant) -> Bool { left.nanoseconds < right.nanoseconds }

    package static func + (instant: Instant, duration: Duration) -> Instant { instant.advanced(by: duration) }
    package static func - (instant: Instant, duration: Duration) -> Instant { instant.advanced(by: .zero - duration) }
    package static func - (later: Instant, earlier: Instant) -> Duration { earlier.duration(to: later) }
    package static func += (instant: inout Instant, duration: Duration) { instant = instant + duration }
}

extension Duration {
    /// Cut to what 64 bits hold.
    fileprivate var wholeNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, isTooFar) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, isToo) = product.addingReportingOverflow(attoseconds / 1_000_000_000)
        return isTooFar || isToo ? (seconds < 0 ? .min : .max) : sum
    }
}
