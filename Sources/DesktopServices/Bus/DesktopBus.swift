import Glibc
package import Timing

/// NetworkManager and ModemManager as heard over the system bus.
///
/// To be used from one thread, the engine's; it has no thread of its own, and no call blocks. Whatever is missing - the
/// library, the bus, a daemon - makes the facts empty; everything else works without.
///
/// The owner keeps the descriptor in its level-triggered poll set as `onDescriptor` says, calls `process` when the
/// descriptor is ready or `deadline` has come, and `nudge` when a link changed. Where no bus exists there is neither
/// descriptor nor deadline, and a nudge is the moment to look: the daemons that matter change links when they start.
/// (An inotify watch for the socket was tried: closing one blocks for some ten milliseconds, and a user has 128.)
package final class DesktopBus {
    /// Told which descriptor to watch and for what; both false means to forget it. A descriptor to forget may be closed
    /// already. Called from `start`, `process`, `nudge` and `close`.
    package typealias DescriptorHandler = (_ descriptor: CInt, _ readable: Bool, _ writable: Bool) -> Void

    /// Steps taken in one call of `process`, so that a flood of messages does not keep the engine from its other work.
    private static let stepLimit = 512

    private let addressText: String
    private let addresses: [BusAddress]
    private let libraryName: String
    private let onDescriptor: DescriptorHandler

    private var machine = DesktopMachine()
    private var library: SystemdLibrary?
    private var connection: BusConnection?
    private var isGreeted = false
    private var isClosed = false
    private var watched: (descriptor: CInt, readable: Bool, writable: Bool)?
    private var libraryDeadline: Instant?

    /// Why nothing is heard from the bus; nil while connected or connecting. A missing library is found only when there
    /// is a bus to use it for.
    private(set) var fault: DesktopBusFault?

    /// Nothing happens before `start`.
    ///
    /// - Parameters:
    ///   - address: where the bus listens, as a D-Bus address list; by default `DBUS_SYSTEM_BUS_ADDRESS` of the
    ///     environment or the system bus. Of its entries only `unix:path=` and `unix:abstract=` are used.
    ///   - library: the file name of the library to open.
    package init(
        address: String? = nil, library: String = "libsystemd.so.0", onDescriptor: @escaping DescriptorHandler
    ) {
        addressText = address ?? Self.environmentAddress ?? BusAddress.system
        addresses = BusAddress.list(addressText)
        libraryName = library
        self.onDescriptor = onDescriptor
    }

    /// The environment is not believed in a program that runs with more rights than its caller.
    private static var environmentAddress: String? {
        guard getuid() == geteuid(), getgid() == getegid() else { return nil }
        return unsafe getenv("DBUS_SYSTEM_BUS_ADDRESS").map { unsafe String(cString: $0) }
    }

    /// True when the bus has greeted us.
    var isConnected: Bool { connection != nil && isGreeted }

    /// When `process` wants to be called even if the descriptor is silent; nil while there is nothing to wait for.
    package var deadline: Instant? {
        guard let libraryDeadline else { return machine.deadline }
        return machine.deadline.map { min($0, libraryDeadline) } ?? libraryDeadline
    }

    /// Begins to connect. A second start changes nothing.
    package func start(now: Instant) {
        guard !isClosed else { return }
        perform(machine.lookForBus(now: now), now: now)
        update(now: now)
    }

    /// Takes what the bus has sent and does what is due.
    ///
    /// - Returns: the facts if they changed.
    package func process(now: Instant) -> DesktopFacts? {
        guard !isClosed else { return nil }
        // Answers before time-outs: one may have come in time while this thread was kept from reading it.
        pump(now: now)
        perform(machine.timePassed(now: now), now: now)
        update(now: now)
        return machine.takeFacts()
    }

    /// Something about the host changed, a link for example: a bus that was not there, or a daemon that was given up,
    /// is looked for again. Cheap, and at most once a second.
    ///
    /// - Returns: the facts if they changed, which they do when the bus turns out to be gone.
    package func nudge(now: Instant) -> DesktopFacts? {
        guard !isClosed else { return nil }
        perform(machine.nudge(now: now), now: now)
        update(now: now)
        return machine.takeFacts()
    }

    /// Ends the connection; nothing happens afterwards. To be called on the same thread as everything else.
    package func close() {
        isClosed = true
        drop()
        machine = DesktopMachine()
        libraryDeadline = nil
    }

    // MARK: - Doing what the machine says

    private func perform(_ actions: [DesktopMachine.Action], now: Instant) {
        for action in actions {
            switch action {
            case .connect:
                connect(now: now)
            case .disconnect:
                fault = .busUnusable
                drop()
            case .call(let call):
                do {
                    try connection?.send(call)
                } catch {
                    lose(error, now: now)
                    return
                }
            }
        }
    }

    private func connect(now: Instant) {
        drop()
        do throws(DesktopBusFault) {
            if let fault, fault.isFinal { throw fault }
            connection = try open()
            fault = nil
        } catch {
            fault = error
            if error == .noBus || error.isFinal {
                machine.busAbsent(now: now)
            } else {
                machine.busLost(now: now)
            }
        }
    }

    /// Begins a connection to the first entry of the address that can be reached.
    private func open() throws(DesktopBusFault) -> BusConnection {
        guard !addresses.isEmpty else { throw .addressUnusable(addressText) }
        var fault = DesktopBusFault.noBus
        for address in addresses {
            if let path = address.socketPath, unsafe access(path, F_OK) != 0 { continue }
            let library = try loadedLibrary()
            do throws(DesktopBusFault) {
                return try BusConnection(library: library, address: address)
            } catch {
                fault = error
            }
        }
        throw fault
    }

    /// The library is opened when there is a bus to talk to, and not before: it costs a megabyte.
    private func loadedLibrary() throws(DesktopBusFault) -> SystemdLibrary {
        if let library { return library }
        let new = try SystemdLibrary(name: libraryName)
        library = new
        return new
    }

    private func pump(now: Instant) {
        guard let connection else { return }
        do throws(DesktopBusFault) {
            for _ in 0..<Self.stepLimit where self.connection === connection {
                let step = try connection.next(from: { machine.hears($0) })
                if !isGreeted, connection.isReady {
                    isGreeted = true
                    perform(machine.busConnected(now: now), now: now)
                }
                if case .message(let message) = step { perform(machine.receive(message, now: now), now: now) }
                if step == .idle { return }
            }
        } catch {
            lose(error, now: now)
        }
    }

    // MARK: - Ends

    private func lose(_ error: DesktopBusFault, now: Instant) {
        fault = error
        drop()
        machine.busLost(now: now)
    }

    private func drop() {
        forgetDescriptor()
        connection = nil
        isGreeted = false
    }

    // MARK: - The owner's poll set

    private func forgetDescriptor() {
        guard let old = watched else { return }
        watched = nil
        onDescriptor(old.descriptor, false, false)
    }

    /// Brings the owner's poll set and the deadline up to date.
    private func update(now: Instant) {
        libraryDeadline = connection?.timeout.map { now + $0 }
        guard let connection, let descriptor = connection.descriptor else { return forgetDescriptor() }
        let (readable, writable) = connection.events
        if let watched, watched == (descriptor, readable, writable) { return }
        if watched?.descriptor != descriptor { forgetDescriptor() }
        watched = (descriptor, readable, writable)
        onDescriptor(descriptor, readable, writable)
    }
}
