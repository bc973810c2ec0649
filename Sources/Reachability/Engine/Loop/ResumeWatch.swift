internal import CRtnetlink
internal import Glibc
internal import Rtnetlink

/// Tells when the host has slept, without a periodic look.
///
/// A timer on the wall clock whose end is far away is cancelled by the kernel when that clock is set, which happens
/// on resume (timerfd_create(2), TFD_TIMER_CANCEL_ON_SET). Whether it was a sleep, and how long, is the growth of
/// CLOCK_BOOTTIME over CLOCK_MONOTONIC: a clock that was only set shows none.
struct ResumeWatch: ~Copyable {
    private let descriptor: Descriptor
    private var slept: Duration

    init() throws(SystemCallError) {
        descriptor = try Descriptor(
            timerfd_create(CLOCK_REALTIME, Int32(TFD_CLOEXEC) | Int32(TFD_NONBLOCK)), from: "timerfd_create")
        slept = Self.timeAsleep()
        arm()
    }

    var number: CInt { descriptor.number }

    /// As `Poller.abandon`.
    func abandon() { descriptor.abandon() }

    /// True if the host slept since the last look. To be called when the descriptor is readable.
    mutating func hasSlept() -> Bool {
        _ = descriptor.takeExpirations()
        arm()
        let now = Self.timeAsleep()
        defer { slept = now }
        // The two clocks are read one after the other; a real sleep is far longer than that takes.
        return now - slept > .milliseconds(100)
    }

    private func arm() {
        var time = itimerspec()
        time.it_value.tv_sec = 1 << 40  // 36,000 years
        let flags = 1 | 2  // TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, linux/timerfd.h
        // Sound: timerfd_settime reads one itimerspec.
        _ = unsafe timerfd_settime(descriptor.number, Int32(flags), &time, nil)
    }

    /// How long the host has slept since it booted.
    private static func timeAsleep() -> Duration { read(CLOCK_BOOTTIME) - read(CLOCK_MONOTONIC) }

    private static func read(_ clock: clockid_t) -> Duration {
        var time = timespec()
        // Sound: clock_gettime writes one timespec.
        _ = unsafe clock_gettime(clock, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
