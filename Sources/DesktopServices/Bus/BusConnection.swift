internal import CSystemd
import Glibc

/// One connection to a message bus, never blocking, without callbacks: messages are taken out one by one.
///
/// Unsafe inside, and sound because the connection is created and released here, used by one thread only (the class is
/// not Sendable), every message is released where it is made or taken, and no pointer of the library leaves this file
/// and the reader.
@safe package final class BusConnection {
    private let library: SystemdLibrary
    private let bus: OpaquePointer

    /// Begins to connect; the rest goes on in `next`.
    ///
    /// - Throws: `connectionFailed` if there is nothing to connect to, or memory or descriptors are used up.
    package init(library: SystemdLibrary, address: BusAddress) throws(DesktopBusFault) {
        var new: OpaquePointer?
        let result = unsafe library.newBus(&new)
        guard result >= 0, let bus = unsafe new else { throw Self.fault(result) }
        self.library = library
        unsafe self.bus = bus
        // No peer may hand us descriptors: nothing here has a use for them.
        try check(unsafe library.negotiateDescriptors(bus, 0))
        try check(unsafe library.setAddress(bus, address.text))
        try check(unsafe library.setBusClient(bus, 1))
        try check(unsafe library.start(bus))
    }

    deinit {
        // Closing drops what is still to be sent; a flush would block.
        unsafe library.close(bus)
        _ = unsafe library.unref(bus)
    }

    /// True when the bus has greeted us.
    package var isReady: Bool { unsafe library.isReady(bus) > 0 }

    /// The descriptor to watch; nil when the connection is closed.
    package var descriptor: CInt? {
        let descriptor = unsafe library.descriptor(bus)
        return descriptor >= 0 ? descriptor : nil
    }

    /// What to watch the descriptor for.
    package var events: (readable: Bool, writable: Bool) {
        let events = unsafe library.events(bus)
        guard events > 0 else { return (false, false) }
        return (events & CInt(POLLIN) != 0, events & CInt(POLLOUT) != 0)
    }

    /// How long until `next` wants to be called even if the descriptor is silent; zero if there is work at hand, nil
    /// if there is nothing to wait for. The library counts in CLOCK_MONOTONIC, so a difference is all that is given.
    package var timeout: Duration? {
        var due = UInt64.max
        guard unsafe library.timeout(bus, &due) >= 0, due != .max else { return nil }
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        let now = UInt64(time.tv_sec) * 1_000_000 + UInt64(time.tv_nsec) / 1000
        return due <= now ? .zero : .microseconds(Int64(clamping: due - now))
    }

    /// What one step of work gave.
    package enum Step: Equatable {
        /// Nothing to do until the descriptor or the time-out says so.
        case idle
        /// Something was done that is no message for us.
        case progress
        case message(BusMessage)
    }

    /// Does one step: connects on, sends, or takes one message.
    ///
    /// - Parameter isHeard: whether messages of a unique name are of interest; those of others are dropped unread, for
    ///   anybody on the bus may send us signals.
    /// - Throws: `connectionFailed` when the connection has ended.
    package func next(from isHeard: (String) -> Bool) throws(DesktopBusFault) -> Step {
        var new: OpaquePointer?
        let result = unsafe library.process(bus, &new)
        try check(result)
        guard let message = unsafe new else { return result > 0 ? .progress : .idle }
        defer { _ = unsafe library.unrefMessage(message) }
        guard let sender = unsafe text(library.sender(message)), isHeard(sender) else { return .progress }
        return unsafe decode(message, sender: sender).map { .message($0) } ?? .progress
    }

    /// Sends a call, now or when the socket takes it.
    ///
    /// - Throws: `connectionFailed` if the connection is closed or the call holds text that D-Bus forbids.
    package func send(_ call: BusCall) throws(DesktopBusFault) {
        var new: OpaquePointer?
        let method = call.method
        let result = unsafe library.newMethodCall(
            bus, &new, call.destination, method.path, method.interface, method.member)
        guard result >= 0, let message = unsafe new else { throw Self.fault(result) }
        defer { _ = unsafe library.unrefMessage(message) }
        for argument in method.arguments {
            try check(
                unsafe argument.withCString {
                    unsafe library.appendBasic(message, CChar(bitPattern: UInt8(ascii: "s")), $0)
                })
        }
        // With a serial of ours no table from the library's serials to our calls is needed. The time-out is only for
        // calls the library waits for itself.
        try check(unsafe library.seal(message, UInt64(call.serial), 0))
        var cookie: UInt64 = 0
        // Asking for the cookie is what tells the library that an answer is wanted.
        try check(unsafe library.send(bus, message, &cookie))
    }

    private func check(_ result: CInt) throws(DesktopBusFault) {
        if result < 0 { throw Self.fault(result) }
    }

    /// What a result of the library stands for, which is a negative errno.
    private static func fault(_ result: CInt) -> DesktopBusFault {
        .connectionFailed(errno: result < 0 && result > .min ? -result : EIO)
    }

    /// Nil for a message that is of no use here: a call, or one without the fields its type needs.
    private func decode(_ message: OpaquePointer, sender: String) -> BusMessage? {
        var type: UInt8 = 0
        guard unsafe library.messageType(message, &type) >= 0 else { return nil }
        var reader = unsafe MessageReader(library, message)
        // Message types of the D-Bus specification.
        switch type {
        case 2:
            return unsafe serial(message).map { .reply(to: $0, sender: sender, body: reader.body()) }
        case 3:
            return unsafe serial(message).map { .refusal(of: $0, sender: sender) }
        case 4:
            guard let path = unsafe text(library.path(message)),
                let interface = unsafe text(library.interface(message)),
                let member = unsafe text(library.member(message))
            else { return nil }
            return .signal(
                BusSignal(sender: sender, path: path, interface: interface, member: member, body: reader.body()))
        default:
            return nil
        }
    }

    /// The serial that a reply answers.
    private func serial(_ message: OpaquePointer) -> UInt32? {
        var cookie: UInt64 = 0
        guard unsafe library.replyCookie(message, &cookie) >= 0 else { return nil }
        return UInt32(exactly: cookie)
    }

    private func text(_ pointer: UnsafePointer<CChar>?) -> String? {
        unsafe pointer.map { unsafe String(cString: $0) }
    }
}
