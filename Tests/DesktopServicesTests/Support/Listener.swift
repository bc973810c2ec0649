import Glibc
import Testing
import Timing

@testable import DesktopServices

/// What the engine is to a bus: it keeps the descriptor in its poll set and calls `process` when there is reason to.
final class Listener {
    /// What the bus asked to have watched.
    final class PollSet {
        var entries: [CInt: (readable: Bool, writable: Bool)] = [:]
    }

    let pollSet = PollSet()
    let bus: DesktopBus
    /// How far the test has put the clock forward.
    var ahead = Duration.zero
    /// What the bus gave out last.
    var facts = DesktopFacts()
    /// How often the bus gave out new facts.
    var changes = 0

    var now: Instant { Instant.now + ahead }

    init(address: String, library: String = "libsystemd.so.0") {
        let pollSet = pollSet
        bus = DesktopBus(address: address, library: library) { descriptor, readable, writable in
            pollSet.entries[descriptor] = readable || writable ? (readable, writable) : nil
        }
        bus.start(now: now)
    }

    deinit {
        bus.close()
    }

    /// Waits until the condition holds; false after twenty seconds without it.
    func wait(until holds: (DesktopBus) -> Bool) -> Bool {
        let limit = Instant.now + .seconds(20)
        while !holds(bus) {
            let left = limit - Instant.now
            guard left > .zero else { return false }
            let untilDeadline = bus.deadline.map { $0 - now } ?? left
            poll(for: max(.zero, min(left, untilDeadline)))
            process()
        }
        return true
    }

    /// Waits until the condition holds, and records a failure with the facts if it does not.
    func expect(
        sourceLocation: SourceLocation = #_sourceLocation, until holds: (DesktopFacts) -> Bool
    ) {
        let held = wait { _ in holds(facts) }
        #expect(held, "\(facts), fault: \(String(describing: bus.fault))", sourceLocation: sourceLocation)
    }

    func process() {
        guard let new = bus.process(now: now) else { return }
        facts = new
        changes += 1
    }

    /// True if a descriptor is ready within the time.
    @discardableResult
    func poll(for duration: Duration) -> Bool {
        var set = pollSet.entries.map { descriptor, events in
            pollfd(
                fd: descriptor, events: Int16((events.readable ? POLLIN : 0) | (events.writable ? POLLOUT : 0)),
                revents: 0)
        }
        let (seconds, attoseconds) = duration.components
        // Rounded up, so that a deadline has come when the wait is over.
        let milliseconds = seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
        return unsafe Glibc.poll(&set, nfds_t(set.count), CInt(clamping: milliseconds)) > 0
    }
}
