public import Dispatch
public import Foundation
public import Observation
internal import Synchronization

/// Watches whether a target can be reached, and tells of changes: AFNetworkReachabilityManager for Linux.
///
///     let manager = ReachabilityManager.shared
///     manager.setReachabilityStatusChangeBlock { status in print(status) }
///     manager.startMonitoring()
///
/// A manager is made `unknown` and watches nothing until `startMonitoring`. Every start tells the current status once,
/// then only changes. One change is told in one block on the delivery queue, in this order: `status` is set, the
/// status-change block and the observers run, `reachabilityDidChange` is posted.
///
/// Everything may be called from any thread and from inside a callback; no lock is held while a callback runs, and no
/// call waits for network or names. Dropping the last reference stops it.
///
/// Differs from AFNetworking's: equal statuses are not repeated, nothing is told after a stop, the notification's object
/// is always the manager, and bad targets are errors instead of crashes
/// (Rules.md, "AFNetworking's manager").
public final class ReachabilityManager: Sendable, Observable {
    /// What is watched.
    public let target: ReachabilityTarget
    /// Where block, observers and notification run. Deliveries never overlap, on a concurrent queue either.
    public let queue: DispatchQueue

    let notificationCenter: NotificationCenter
    let requiresUnderlyingPath: Bool
    let engine: Engine
    let state: Mutex<State>

    /// What changes in a manager; everything under one lock.
    struct State {
        var machine: ManagerMachine
        var subscription: Engine.Subscription?
        var block: StatusChangeBlock?
        var observers: [ReachabilityObservation.ID: @Sendable (ReachabilityChange) -> Void] = [:]
        var sequences: [UInt64: AsyncStream<Update>.Continuation] = [:]
        var lastID: UInt64 = 0
        var log = EventLog()
        var hints: HintState?
        /// Nil until somebody reads the status, and with that may observe it: most managers tell by their block alone.
        var readers: StatusReaders?
    }

    /// A block in a wrapper, since bare ones are wrapped anew each time they are handed out of a lock.
    struct StatusChangeBlock: Sendable {
        let body: @Sendable (ReachabilityStatus) -> Void
    }

    /// Who observes the status.
    final class StatusReaders: Sendable {
        let registrar = ObservationRegistrar()
    }

    /// A manager of any target.
    ///
    /// - Parameters:
    ///   - target: what to watch; the default route unless said otherwise.
    ///   - queue: where callbacks run. A server whose main thread serves no main queue has to name another.
    ///   - notificationCenter: where `reachabilityDidChange` is posted.
    ///   - settleInterval: a change is told once the new state has held still that long; the first one of a start is
    ///     told at once. Zero tells every change.
    ///   - announcesInitialStatus: false if a start is to set `status` without telling anybody.
    ///   - requiresUnderlyingPath: true if a tunnel whose own packets have no way out is to count as not reachable.
    public convenience init(
        target: ReachabilityTarget = .default, queue: DispatchQueue = .main,
        notificationCenter: NotificationCenter = .default, settleInterval: Duration = .zero,
        announcesInitialStatus: Bool = true, requiresUnderlyingPath: Bool = false
    ) {
        self.init(
            target: target, queue: queue, notificationCenter: notificationCenter, settleInterval: settleInterval,
            announcesInitialStatus: announcesInitialStatus, requiresUnderlyingPath: requiresUnderlyingPath,
            engine: .shared)
    }

    package init(
        target: ReachabilityTarget, queue: DispatchQueue, notificationCenter: NotificationCenter = .default,
        settleInterval: Duration = .zero, announcesInitialStatus: Bool = true, requiresUnderlyingPath: Bool = false,
        engine: Engine
    ) {
        self.target = target
        self.queue = queue
        self.notificationCenter = notificationCenter
        self.engine = engine
        self.requiresUnderlyingPath = requiresUnderlyingPath
        state = Mutex(
            State(
                machine: ManagerMachine(
                    settleInterval: settleInterval, announcesInitialStatus: announcesInitialStatus,
                    requiresUnderlyingPath: requiresUnderlyingPath)))
    }

    deinit {
        let left = state.withLock { state in
            defer { (state.block, state.observers) = (nil, [:]) }
            return Leftovers(state, hint: hintAtRelease(of: state))
        }
        for sequence in left.sequences { sequence.finish() }
        // The engine may hold the last reference, for as long as it hands an update over. What its thread must not come
        // to is user code: the handler of hints, and the end of what a block captured.
        if engine.isOnItsThread { DispatchQueue.global().async { left.letGo() } } else { left.letGo() }
    }

    /// What a manager leaves behind.
    private final class Leftovers: Sendable {
        let sequences: [AsyncStream<Update>.Continuation]
        private let hint: Hint?
        private let callbacks: Mutex<Callbacks?>

        private struct Callbacks {
            let block: StatusChangeBlock?
            let observers: [ReachabilityObservation.ID: @Sendable (ReachabilityChange) -> Void]
        }

        init(_ state: State, hint: Hint?) {
            sequences = Array(state.sequences.values)
            self.hint = hint
            callbacks = Mutex(Callbacks(block: state.block, observers: state.observers))
        }

        func letGo() {
            let old = callbacks.withLock { callbacks in
                defer { callbacks = nil }
                return callbacks
            }
            withExtendedLifetime(old) {}
            if let hint { ReachabilityDiagnostics.report(hint) }
        }
    }

    // MARK: - Shared

    /// The process's manager of the default route, told on the main queue.
    public static let shared = ReachabilityManager()

    /// The process's manager of the default route, as code from AFNetworking asks for it.
    public static func sharedManager() -> ReachabilityManager { shared }

    // MARK: - Start and stop

    /// Begins to watch; the current status is told soon, on the delivery queue, and then every change.
    ///
    /// Returns at once. While started it is a stop and a start: the status is told once more. Should the kernel refuse
    /// to be asked, `unknown` is told, and the real status when it can be asked again.
    public func startMonitoring() {
        let now = engine.clock.now
        let check = state.withLock { state in
            state.machine.start()
            state.log.add(.started, at: now)
            defer { state.hints?.startCheck = nil }
            return state.hints?.startCheck
        }
        resubscribe()
        withExtendedLifetime(check) {}
    }

    /// Ends watching. `status` keeps its last value.
    ///
    /// Called on a serial delivery queue, no block, observer or notification runs once this returns. Called from elsewhere,
    /// one that has begun may still run; nothing begins after it, and `queue.sync {}` waits for it.
    /// Token observers are silent too until the next start; if there are any, a diagnostic names the caller, once in a
    /// row. The sequences go on.
    ///
    /// - Parameters:
    ///   - fileID: the caller's file, for that diagnostic. Leave it out: the compiler fills it in.
    ///   - line: the caller's line, likewise.
    public func stopMonitoring(fileID: StaticString = #fileID, line: UInt = #line) {
        let now = engine.clock.now
        let caller = "\(fileID):\(line)"
        let (isStopped, check, hint) = state.withLock { state in
            guard state.machine.stop() else { return (false, nil as Engine.Subscription?, nil as Hint?) }
            state.log.add(.stopped, at: now)
            defer { state.hints?.queueCheck = nil }
            return (true, state.hints?.queueCheck, hintAtStop(by: caller, &state))
        }
        guard isStopped else { return }
        resubscribe()
        withExtendedLifetime(check) {}
        if let hint { ReachabilityDiagnostics.report(hint) }
    }

    /// True between a start and a stop, and while one of the sequences is iterated.
    public var isMonitoring: Bool { state.withLock { $0.machine.isMonitoring } }

    /// Replaces the subscription by one of the current epoch, or by none. The engine is called outside of the lock.
    func resubscribe() {
        let (epoch, old) = state.withLock { state in
            defer { state.subscription = nil }
            return (state.machine.isMonitoring ? state.machine.epoch : nil, state.subscription)
        }
        guard let epoch else { return }
        let new = engine.subscribe(ManagerReceiver(self, epoch: epoch), to: target)
        // Another thread may have started or stopped meanwhile: the subscription of the newest epoch stays.
        let dropped = state.withLock { state -> Engine.Subscription? in
            guard state.machine.isMonitoring && state.machine.epoch == epoch else { return new }
            defer { state.subscription = new }
            return state.subscription
        }
        // Let go of only now: a name that is watched all along is not looked up again.
        withExtendedLifetime((old, dropped)) {}
    }

    // MARK: - What is known

    /// The status told last; `unknown` before the first. Not live: see `currentFlags()`. Observable.
    public var status: ReachabilityStatus {
        let (status, readers) = state.withLock { state in
            let readers = state.readers ?? StatusReaders()
            state.readers = readers
            return (state.machine.status, readers)
        }
        readers.registrar.access(self, keyPath: \.status)
        return status
    }

    /// True if the status told last is reachable. False while it is `unknown`: `status.isKnownToBeUnreachable` tells
    /// the two apart.
    public var isReachable: Bool { status.isReachable }

    /// True if the status told last is reachable over a cellular link.
    public var isReachableViaWWAN: Bool { status == .viaWWAN }

    /// True if the status told last is reachable over anything but a cellular link, wired links included.
    public var isReachableViaWiFi: Bool { status == .viaWiFi }

    /// The status told last as text: `Unknown`, `Not Reachable`, `Reachable via WWAN`, `Reachable via WiFi`.
    public var localizedStatusString: String { status.description }

    // MARK: - Who is told

    /// Sets what is called with the status after each change, on the delivery queue; nil for nothing.
    ///
    /// There is one block: setting another replaces it. `observe(_:)` has room for more. What the block captures is let
    /// go of when it is replaced, set to nil, or the manager goes; a stop keeps it, since the next start tells it again.
    public func setReachabilityStatusChangeBlock(_ block: (@Sendable (ReachabilityStatus) -> Void)?) {
        let old = state.withLock { state in
            defer { state.block = block.map { StatusChangeBlock(body: $0) } }
            return state.block
        }
        // What the old block captured is let go of outside of the lock: it may be anything.
        withExtendedLifetime(old) {}
        if block != nil { hintIfNeverStarted() }
    }

    /// Calls the handler on the delivery queue for each change of status or path, until the observation is cancelled or
    /// let go. Does not start monitoring; a stop silences it until the next start.
    public func observe(_ handler: @escaping @Sendable (ReachabilityChange) -> Void) -> ReachabilityObservation {
        let id = state.withLock { state in
            state.lastID += 1
            state.observers[state.lastID] = handler
            return state.lastID
        }
        return ReachabilityObservation(self, id)
    }

    func removeObserver(_ id: ReachabilityObservation.ID) {
        let old = state.withLock { $0.observers.removeValue(forKey: id) }
        withExtendedLifetime(old) {}
    }
}

extension ReachabilityManager: CustomDebugStringConvertible {
    /// The manager's state and its last events with their reasons and times, for bug reports.
    public var debugDescription: String {
        let now = engine.clock.now
        return state.withLock { state in
            let how = state.machine.isStarted ? "started" : state.machine.isMonitoring ? "iterated" : "stopped"
            let head = "ReachabilityManager(\(target)), \(how), \(state.machine.status)"
            let reason = state.machine.latest?.report.reason.map { ": \($0)" } ?? ""
            return ([head + reason] + state.log.lines(now: now)).joined(separator: "\n  ")
        }
    }
}
