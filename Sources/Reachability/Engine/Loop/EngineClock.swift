package import Timing

/// Where the engine has its time from: the system, or a test's hand.
package protocol EngineClock: AnyObject, Sendable {
    /// Any thread. It goes on while the host sleeps, as expiry and TTL do.
    var now: Instant { get }
    /// Engine's thread: how many milliseconds to sleep until `deadline`; -1 is until something happens.
    func milliseconds(until deadline: Instant?) -> Int32
    /// Engine's thread: whom to wake when time moves other than by passing.
    func attach(to waker: any Wakeable)
}

/// The host's own time.
package final class SystemClock: EngineClock {
    package init() {}

    package var now: Instant { .now }

    package func milliseconds(until deadline: Instant?) -> Int32 {
        guard let deadline else { return -1 }
        let left = deadline - now
        guard left > .zero else { return 0 }
        // Rounded up: a wake-up before the deadline would only be followed by another.
        return Int32(min((left / .milliseconds(1)).rounded(.up), Double(Int32.max)))
    }

    package func attach(to waker: any Wakeable) {}
}
