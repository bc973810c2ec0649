internal import CRtnetlink
internal import Rtnetlink

/// Wakes the engine's thread out of its sleep (eventfd). Any thread may wake.
final class Waker: Wakeable {
    private let descriptor: Descriptor

    init() throws(SystemCallError) {
        descriptor = try Descriptor(eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK)), from: "eventfd")
    }

    var number: CInt { descriptor.number }

    /// As `Poller.abandon`.
    func abandon() { descriptor.abandon() }

    func wake() {
        // What has the number of an abandoned one is somebody's file.
        if !descriptor.isAbandoned { _ = eventfd_write(descriptor.number, 1) }
    }

    /// Takes all wakes so far back.
    func clear() {
        var count: eventfd_t = 0
        // Sound: eventfd_read writes one eventfd_t.
        _ = unsafe eventfd_read(descriptor.number, &count)
    }
}
