internal import CRtnetlink
internal import Glibc
internal import Rtnetlink

/// Ends the engine's sleep at a moment (timerfd), whichever of its threads sleeps then.
struct Deadline: ~Copyable {
    private let descriptor: Descriptor
    /// Set, and not come yet as far as was looked.
    private var isSet = false

    init() throws(SystemCallError) {
        // As `Instant`: it goes on while the host sleeps.
        descriptor = try Descriptor(
            timerfd_create(CLOCK_BOOTTIME, Int32(TFD_CLOEXEC) | Int32(TFD_NONBLOCK)), from: "timerfd_create")
    }

    var number: CInt { descriptor.number }

    /// As `Poller.abandon`.
    func abandon() { descriptor.abandon() }

    /// Sets how many milliseconds to sleep from now; -1 is without end. What was set before counts no longer.
    mutating func set(milliseconds: Int32) {
        guard milliseconds >= 0 || isSet else { return }
        isSet = milliseconds >= 0
        var time = itimerspec()  // zero is never
        if isSet {
            time.it_value.tv_sec = Int(milliseconds) / 1000
            time.it_value.tv_nsec = max(Int(milliseconds) % 1000 * 1_000_000, 1)
        }
        // Sound: timerfd_settime reads one itimerspec.
        _ = unsafe timerfd_settime(descriptor.number, 0, &time, nil)
    }

    /// To be called when the descriptor is readable.
    mutating func clear() {
        // It may have been set anew since it came.
        if descriptor.takeExpirations() { isSet = false }
    }
}
