internal import Dispatch
internal import Glibc
package import Rtnetlink
internal import Synchronization
package import Timing

/// Whom the engine tells about a target.
package protocol UpdateReceiver: AnyObject, Sendable {
    /// Called on the engine's thread, or, where none could be had, on any; has to return soon and must not call user code.
    /// Returns when `timePassed` is to be called; nil for not at all. What was returned before counts no longer.
    func receive(_ update: Update, now: Instant) -> Instant?
    /// Called on the engine's thread when that time has come; returns as `receive`.
    func timePassed(now: Instant) -> Instant?
}

extension UpdateReceiver {
    package func timePassed(now: Instant) -> Instant? { nil }
}

/// Watches targets for all who ask, on threads that live from the first subscription to the last (`EngineCrew`).
///
/// Everything here may be called from any thread, and nothing waits: commands are put into an inbox, and a thread is
/// woken. The threads inherit the network namespace of the one that made the first subscription.
package final class Engine: Sendable {
    /// Makes the network that is watched. Called on the engine's thread, or on a live reader's.
    package typealias NetworkFactory = @Sendable () throws(SystemCallError) -> any NetworkSource

    /// Runs `body` on a new thread. Returns zero, or the errno of why there is none.
    package typealias ThreadStarter = @Sendable (_ body: @escaping @Sendable () -> Void) -> Int32

    /// The process's engine.
    package static let shared = Engine()

    private let inbox: Mutex<Inbox>
    /// Runs its argument on a new thread, as `ThreadStarter` says.
    let startThread: ThreadStarter
    private let bringsItself: Bool

    /// What callers leave for the thread.
    struct Inbox {
        var commands: [Command] = []
        var isRunning = false
        /// Nil while the thread has no descriptor to be woken by; it then looks by itself, often.
        var waker: Waker?
        /// The network the thread has open, for live reads.
        var network: (any NetworkSource)?
        /// The network that live reads opened while no thread ran.
        var idleNetwork: (any NetworkSource)?
        var makeNetwork: NetworkFactory
        var makeIdleNetwork: NetworkFactory
        /// Of the threads that were started last.
        var courier = Courier(goesItself: false)
        /// Counts the replacements of the network.
        var replacements = 0
        /// Why the network cannot be asked; nil while it can.
        var fault: SystemCallError?
        var clock: any EngineClock
        var lastID: UInt64 = 0
    }

    enum Command {
        case subscribe(EngineMachine.SubscriberID, ReachabilityTarget, any UpdateReceiver)
        case unsubscribe(EngineMachine.SubscriberID)
        case replaceNetwork
        case remind(UInt64, at: Instant, @Sendable () -> Void)
        case forgetReminder(UInt64)
    }

    package init(
        network: @escaping NetworkFactory = Engine.openKernel,
        idleNetwork: @escaping NetworkFactory = Engine.openKernelForReads, clock: any EngineClock = SystemClock(),
        thread: @escaping ThreadStarter = EngineThread.start, bringsItself: Bool = true
    ) {
        startThread = thread
        self.bringsItself = bringsItself
        inbox = Mutex(Inbox(makeNetwork: network, makeIdleNetwork: idleNetwork, clock: clock))
    }

    /// The kernel's network in the namespace of the calling thread, with all its changes.
    package static func openKernel() throws(SystemCallError) -> any NetworkSource { try KernelNetwork() }

    /// The same for live reads while no thread runs: route messages, which nobody would take in, do not come.
    package static func openKernelForReads() throws(SystemCallError) -> any NetworkSource {
        try KernelNetwork(groups: MulticastGroup.tables)
    }

    // MARK: - Subscriptions

    /// Watches a target until the subscription is let go. The first update comes as soon as something is known.
    package func subscribe(_ receiver: any UpdateReceiver, to target: ReachabilityTarget) -> Subscription {
        let id = makeID()
        send(.subscribe(id, target, receiver))
        return Subscription(engine: self, id: id, isReminder: false)
    }

    private func makeID() -> UInt64 {
        inbox.withLock { inbox in
            inbox.lastID += 1
            return inbox.lastID
        }
    }

    /// Ends a subscription, or takes a reminder back, when it goes.
    package final class Subscription: Sendable {
        private let engine: Engine
        // Not the command itself, which is as large as the largest of them.
        private let id: UInt64
        private let isReminder: Bool

        fileprivate init(engine: Engine, id: UInt64, isReminder: Bool) {
            self.engine = engine
            self.id = id
            self.isReminder = isReminder
        }

        deinit { engine.send(isReminder ? .forgetReminder(id) : .unsubscribe(id)) }
    }

    fileprivate func send(_ command: Command) {
        let (waker, starts, ended) = inbox.withLock { inbox -> (Waker?, Bool, [Command]) in
            if !inbox.isRunning && !command.needsThread {
                // With no thread there is nothing to end or to replace but what waits for one.
                let ended = inbox.commands.filter { $0.isEnded(by: command) }
                inbox.commands.removeAll { $0.isEnded(by: command) }
                return (nil, false, ended)
            }
            inbox.commands.append(command)
            let starts = !inbox.isRunning
            inbox.isRunning = true
            // One wake is enough for all that the thread finds when it comes to look.
            return (inbox.commands.count == 1 ? inbox.waker : nil, starts, [])
        }
        if starts { startCrew(retryDelay: RetryDelay()) }
        waker?.wake()
        withExtendedLifetime(ended) {}
    }

    /// Starts the thread, which counts as running already. If none can be had whoever waits is told, and it is tried again.
    private func startCrew(retryDelay: RetryDelay) {
        let crew = EngineCrew(engine: self, bringsItself: bringsItself)
        inbox.withLock { $0.courier = crew.courier }
        let code = startThread { crew.work() }
        guard code != 0 else { return }
        let waiting = inbox.withLock { inbox in
            inbox.isRunning = false
            inbox.fault = SystemCallError("pthread_create", code: code)
            return inbox.commands
        }
        for case .subscribe(_, _, let receiver) in waiting {
            let update = Update(report: .failed(.kernelUnavailable), causes: .availability, generation: 0)
            _ = receiver.receive(update, now: clock.now)
        }
        DispatchQueue.global().asyncAfter(deadline: .now() + .nanoseconds(Int(retryDelay.duration / .nanoseconds(1)))) {
            [weak self] in self?.retryCrew(after: retryDelay)
        }
    }

    private func retryCrew(after delay: RetryDelay) {
        let isDue = inbox.withLock { inbox in
            guard !inbox.isRunning, !inbox.commands.isEmpty else { return false }
            inbox.isRunning = true
            return true
        }
        guard isDue else { return }
        var delay = delay
        delay.grow()
        startCrew(retryDelay: delay)
    }

    /// Calls `body` off the callers' threads once the time is over, unless what is returned was let go before.
    package func remind(after delay: Duration, _ body: @escaping @Sendable () -> Void) -> Subscription {
        let id = makeID()
        // From now, however late the thread comes to read this.
        send(.remind(id, at: clock.now + delay, body))
        return Subscription(engine: self, id: id, isReminder: true)
    }

    // MARK: - Live reads

    /// The network to ask now: the thread's if it runs, else one that is kept open for such reads. Never waits for the
    /// thread.
    package func liveNetwork(completely: Bool) throws(SystemCallError) -> any NetworkSource {
        if let network = inbox.withLock({ $0.network ?? $0.idleNetwork }) {
            network.refresh(completely: completely)
            return network
        }
        let (factory, replacements) = inbox.withLock { ($0.makeIdleNetwork, $0.replacements) }
        let made = try factory()
        inbox.withLock { inbox in
            // One that was replaced while it was opened must not be kept.
            guard !inbox.isRunning, inbox.idleNetwork == nil, inbox.replacements == replacements else { return }
            inbox.idleNetwork = made
        }
        return made
    }

    // MARK: - Another network

    /// Puts another network under every subscription, those that run included; nil brings the kernel's back.
    package func replaceNetwork(_ factory: NetworkFactory?, clock: (any EngineClock)? = nil) {
        // What is let go of may bring a test's own objects with it, so that happens outside of the lock.
        let old = inbox.withLock { inbox in
            let old = (inbox.network, inbox.idleNetwork, inbox.makeNetwork, inbox.makeIdleNetwork)
            if let factory {
                inbox.makeNetwork = factory
                inbox.makeIdleNetwork = factory
            } else {
                inbox.makeNetwork = Engine.openKernel
                inbox.makeIdleNetwork = Engine.openKernelForReads
            }
            inbox.clock = clock ?? SystemClock()
            inbox.network = nil
            inbox.idleNetwork = nil
            inbox.fault = nil
            inbox.replacements += 1
            return old
        }
        send(.replaceNetwork)
        withExtendedLifetime(old) {}
    }

    // MARK: - The thread's side

    /// Everything left in the inbox; nil if there is nothing and `ends` says that the thread then is at its end.
    func takeCommands(endingIf isIdle: Bool) -> [Command]? {
        let (commands, network) = inbox.withLock { inbox -> ([Command]?, (any NetworkSource)?) in
            if isIdle && inbox.commands.isEmpty {
                inbox.isRunning = false
                inbox.waker = nil
                inbox.fault = nil
                defer { inbox.network = nil }
                return (nil, inbox.network)
            }
            defer { inbox.commands = [] }
            return (inbox.commands, nil)
        }
        // Closed outside of the lock, as in `replaceNetwork`.
        withExtendedLifetime(network) {}
        return commands
    }

    /// Tells by what to wake the thread. What came in before there was a waker woke nobody, so it does now.
    /// Nil if what there was is lost.
    func setWaker(_ waker: Waker?) {
        let isDue = inbox.withLock { inbox in
            inbox.waker = waker
            return !inbox.commands.isEmpty
        }
        if isDue { waker?.wake() }
    }

    /// True while the engine has a thread.
    var isRunning: Bool { inbox.withLock { $0.isRunning } }

    /// True on the engine's thread in its turn, where it must not come to user code.
    var isOnItsThread: Bool { courier.isTurnOfCaller }

    /// Brings to queues what the receivers have to tell. Any thread.
    var courier: Courier { inbox.withLock { $0.courier } }

    func setNetwork(_ network: (any NetworkSource)?, fault: SystemCallError? = nil) {
        let old = inbox.withLock { inbox in
            let old = (inbox.network, inbox.idleNetwork)
            inbox.fault = fault
            inbox.network = network
            if network != nil { inbox.idleNetwork = nil }
            return old
        }
        withExtendedLifetime(old) {}
    }

    /// The call that keeps the thread from its network or from sleeping; nil while none does, and where there is no thread.
    package var fault: SystemCallError? { inbox.withLock { $0.fault } }

    var makeNetwork: NetworkFactory { inbox.withLock { $0.makeNetwork } }

    package var clock: any EngineClock { inbox.withLock { $0.clock } }
}

extension Engine.Command {
    /// False for what means nothing to a thread that is not there.
    fileprivate var needsThread: Bool {
        switch self {
        case .subscribe, .remind: true
        case .unsubscribe, .replaceNetwork, .forgetReminder: false
        }
    }

    /// True for a subscription or reminder that another command takes back.
    fileprivate func isEnded(by command: Engine.Command) -> Bool {
        switch (self, command) {
        case (.subscribe(let id, _, _), .unsubscribe(let ended)): id == ended
        case (.remind(let id, _, _), .forgetReminder(let ended)): id == ended
        default: false
        }
    }
}
