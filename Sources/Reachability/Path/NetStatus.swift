public import Dispatch
internal import Synchronization

/// The network's state for a view: connected or not, by what, at a cost or not.
///
///     NetStatus.shared.netStatusChangeHandler = { … }
///     NetStatus.shared.startMonitoring()
///
/// The change handler runs on the main queue unless another is given, the others where start and stop are called. Any
/// thread. Dropping the last reference stops it.
public final class NetStatus: Sendable {
    /// The process's instance.
    public static let shared = NetStatus()

    private let queue: DispatchQueue
    private let engine: Engine
    private let state = Mutex(State())

    private struct State {
        var monitor: NetworkPathMonitor?
        /// The newest path; nil while stopped and until the first is known.
        var path: NetworkPath?
        var onStart: Handler?
        var onStop: Handler?
        var onChange: Handler?
    }

    /// A handler of the user's, which need not be Sendable, so that a view's code can be given as it is.
    ///
    /// `@unchecked Sendable` since it is only ever called where its giver expects it: start and stop handlers by the
    /// caller of start and stop, the change handler on the queue that was chosen for it.
    private struct Handler: @unchecked Sendable {
        let call: () -> Void
    }

    /// An instance of one's own; handlers run on the queue.
    public convenience init(queue: DispatchQueue = .main) { self.init(queue: queue, engine: .shared) }

    package init(queue: DispatchQueue, engine: Engine) {
        self.queue = queue
        self.engine = engine
    }

    deinit { state.withLock { $0.monitor }?.cancel() }

    // MARK: - Start and stop

    /// Begins to watch; does nothing if it watches already.
    public func startMonitoring() {
        let monitor = NetworkPathMonitor(filter: PathFilter(), engine: engine)
        let handler = state.withLock { state -> Handler?? in
            guard state.monitor == nil else { return nil }
            state.monitor = monitor
            return .some(state.onStart)
        }
        guard let handler else { return }
        monitor.pathUpdateHandler = { [weak self, weak monitor] path in self?.take(path, from: monitor) }
        // First, so that no change is told before the start is. If it stops again, the start below does nothing.
        handler?.call()
        monitor.start(queue: queue)
    }

    /// Ends watching; does nothing if it does not watch.
    public func stopMonitoring() {
        let stopped = state.withLock { state -> (monitor: NetworkPathMonitor, handler: Handler?)? in
            guard let monitor = state.monitor else { return nil }
            state.monitor = nil
            state.path = nil
            return (monitor, state.onStop)
        }
        guard let stopped else { return }
        stopped.monitor.cancel()
        stopped.handler?.call()
    }

    private func take(_ path: NetworkPath, from monitor: NetworkPathMonitor?) {
        let handler = state.withLock { state -> Handler? in
            guard state.monitor === monitor, monitor != nil else { return nil }
            state.path = path
            return state.onChange
        }
        handler?.call()
    }

    /// True between start and stop.
    public var isMonitoring: Bool { state.withLock { $0.monitor != nil } }

    // MARK: - Handlers

    /// Called by `startMonitoring` when it began to watch.
    public var didStartMonitoringHandler: (() -> Void)? {
        get { state.withLock { $0.onStart }?.call }
        set {
            set(newValue, \.onStart)
        }
    }

    /// Called by `stopMonitoring` when it ended.
    public var didStopMonitoringHandler: (() -> Void)? {
        get { state.withLock { $0.onStop }?.call }
        set {
            set(newValue, \.onStop)
        }
    }

    /// Called on the queue when the state was first known, and after each change.
    public var netStatusChangeHandler: (() -> Void)? {
        get { state.withLock { $0.onChange }?.call }
        set {
            set(newValue, \.onChange)
        }
    }

    private func set(_ call: (() -> Void)?, _ place: WritableKeyPath<State, Handler?>) {
        let handler = call.map { Handler(call: $0) }
        let old = state.withLock { state in
            defer { state[keyPath: place] = handler }
            return state[keyPath: place]
        }
        // Let go of outside of the lock: what it captured may come back here when it ends.
        withExtendedLifetime(old) {}
    }

    // MARK: - State

    /// True if packets can leave; false while stopped.
    public var isConnected: Bool { state.withLock { $0.path?.status == .satisfied } }

    /// The type of the interface that packets leave by, of the link under it for a VPN; nil while stopped or not
    /// connected.
    public var interfaceType: NetworkInterface.InterfaceType? {
        state.withLock { state in
            guard let path = state.path, let first = path.availableInterfaces.first else { return nil }
            return first.type == .other ? path.underlyingInterface?.type ?? .other : first.type
        }
    }

    /// The types of the interfaces that could be used, best first; nil while stopped.
    public var availableInterfacesTypes: [NetworkInterface.InterfaceType]? {
        state.withLock { $0.path?.availableInterfaces.map(\.type) }
    }

    /// True if traffic costs money; false while stopped.
    public var isExpensive: Bool { state.withLock { $0.path?.isExpensive ?? false } }
}
