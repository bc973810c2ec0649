internal import CRtnetlink
internal import Glibc
internal import Reachability
internal import Synchronization
internal import Timing

/// Follows the targets of a command, and gives the main thread something to sleep on: reports, signals and time.
final class Watcher: Sendable {
    private let inbox = Mutex(Inbox())
    /// Readable while reports wait; -1 if no descriptor could be had, and then the wait looks by itself.
    private let bell = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
    /// Readable once a signal is to end the program; -1 if no descriptor could be had.
    private let interrupts: Int32
    /// The reader of standard output is looked after: once it has gone there is nobody to watch for.
    private let heedsReader: Bool

    private struct Inbox {
        var reports: [(position: Int, report: Report)] = []
        var subscriptions: [Engine.Subscription] = []
        /// Counts how often it was begun to follow anew: what comes of earlier subscriptions does not count.
        var round = 0
    }

    /// So many reports wait for a slow reader before older ones of the same target are dropped.
    private static let limit = 4096

    init(heedsReader: Bool = false) {
        self.heedsReader = heedsReader
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe sigaddset(&signals, SIGINT)
        unsafe sigaddset(&signals, SIGTERM)
        // Blocked before the engine's thread exists, so that every thread leaves them to the descriptor.
        unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
        interrupts = unsafe signalfd(-1, &signals, Int32(SFD_CLOEXEC | SFD_NONBLOCK))
        // Without a descriptor to see them by they have to do what they do by themselves: end the program.
        if interrupts < 0 { unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil) }
    }

    func follow(_ targets: [ReachabilityTarget]) {
        let round = inbox.withLock { $0.round }
        for (position, target) in targets.enumerated() {
            let subscription = Engine.shared.subscribe(Receiver(self, position, round), to: target)
            inbox.withLock { $0.subscriptions.append(subscription) }
        }
    }

    /// Follows the path of packets to anywhere instead.
    func followPath() { follow([.path]) }

    /// Follows nothing any more.
    func unfollow() { _ = beginRound() }

    /// Follows the targets as if for the first time: what is told from here on is no older than this call.
    func followAnew(_ targets: [ReachabilityTarget]) {
        let old = beginRound()
        follow(targets)
        // Held until now, so that nothing is forgotten of a name meanwhile.
        withExtendedLifetime(old) {}
    }

    /// Nothing of what was followed so far counts any more. It is let go of by the caller, and so outside of the lock.
    private func beginRound() -> [Engine.Subscription] {
        inbox.withLock { inbox in
            defer { inbox = Inbox(round: inbox.round + 1) }
            return inbox.subscriptions
        }
    }

    /// Hands the reports of one target over from the engine's thread.
    private final class Receiver: UpdateReceiver {
        private let watcher: Watcher
        private let position: Int
        private let round: Int

        init(_ watcher: Watcher, _ position: Int, _ round: Int) {
            self.watcher = watcher
            self.position = position
            self.round = round
        }

        func receive(_ update: Update, now: Instant) -> Instant? {
            watcher.add(position, update.report, round)
            return nil
        }
    }

    private func add(_ position: Int, _ report: Report, _ round: Int) {
        inbox.withLock { inbox in
            guard inbox.round == round else { return }
            if inbox.reports.count >= Self.limit { inbox.reports.removeAll { $0.position == position } }
            inbox.reports.append((position, report))
        }
        eventfd_write(bell, 1)
    }

    /// A signal waits that is to end the program.
    private static var isSignalled: Bool {
        var pending = sigset_t()
        // Sound: each call reads or writes the one set it is given.
        guard unsafe sigpending(&pending) == 0 else { return false }
        return unsafe sigismember(&pending, SIGINT) == 1 || sigismember(&pending, SIGTERM) == 1
    }

    enum Event {
        case reports([(position: Int, report: Report)])
        /// A signal is to end the program, or nobody reads what it writes.
        case interrupted
        case timedOut
        /// One of the other descriptors has something.
        case readable(Int32)
    }

    /// Sleeps until a report comes, a signal ends the program, one of the other descriptors has something, or the deadline is
    /// reached.
    func next(before deadline: Instant?, or others: [Int32] = []) -> Event {
        while true {
            let reports = inbox.withLock { inbox in
                defer { inbox.reports = [] }
                return inbox.reports
            }
            if !reports.isEmpty { return .reports(reports) }
            var milliseconds: Int32 = -1
            if let deadline {
                let left = deadline - .now
                if left <= .zero { return .timedOut }
                milliseconds = Int32(clamping: Int64((left / .milliseconds(1)).rounded(.up)))
            }
            if bell < 0 { milliseconds = milliseconds < 0 ? 100 : min(milliseconds, 100) }
            var descriptors = [
                pollfd(fd: bell, events: Int16(POLLIN), revents: 0),
                pollfd(fd: interrupts, events: Int16(POLLIN), revents: 0),
                // Asked for nothing: that the other end has gone is told all the same (poll(2)).
                pollfd(fd: heedsReader ? STDOUT_FILENO : -1, events: 0, revents: 0),
            ]
            descriptors += others.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            // Sound: poll reads and writes the array's own elements; eventfd_read writes one number.
            let found = unsafe poll(&descriptors, nfds_t(descriptors.count), milliseconds)
            if found < 0, errno != EINTR {
                // A limit of no descriptors at all forbids even this wait, so this looks by itself, with pauses.
                _ = poll(nil, 0, 100)
                if Self.isSignalled { return .interrupted }
            }
            if descriptors[1].revents != 0 || descriptors[2].revents != 0 { return .interrupted }
            if let ready = descriptors.dropFirst(3).first(where: { $0.revents != 0 }) { return .readable(ready.fd) }
            var count: eventfd_t = 0
            _ = unsafe eventfd_read(bell, &count)
        }
    }
}
