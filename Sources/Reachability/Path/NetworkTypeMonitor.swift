public import Dispatch
public import Foundation
internal import Synchronization
internal import Timing

/// Tells what connects this host, and posts a notification when that changes.
///
///     NetworkTypeMonitor.shared.setUp()
///     print(NetworkTypeMonitor.shared.currentNetworkType())
///
/// Any thread.
public final class NetworkTypeMonitor: Sendable, Notifier {
    /// The process's monitor, told on the main queue.
    public static let shared = NetworkTypeMonitor()

    /// User info key of the type before, a `String` of `NetworkType.rawValue`.
    public static let oldValueUserInfoKey = "oldValue"
    /// User info key of the type now, a `String` of `NetworkType.rawValue`.
    public static let newValueUserInfoKey = "newValue"

    private let queue: DispatchQueue
    private let notificationCenter: NotificationCenter
    private let notificationName: Notification.Name
    private let engine: Engine
    private let state = Mutex(State())

    private struct State {
        var subscription: Engine.Subscription?
        var isSetUp = false
        /// What was told last, or was read before anything was told.
        var told: NetworkType?
        var newest: NetworkType?
        var isDeliveryScheduled = false
    }

    /// A monitor that posts `name` to the center on the queue.
    public convenience init(
        queue: DispatchQueue = .main, notificationCenter: NotificationCenter = .default,
        notificationName name: Notification.Name = .networkTypeDidChange
    ) {
        self.init(queue: queue, notificationCenter: notificationCenter, notificationName: name, engine: .shared)
    }

    package init(
        queue: DispatchQueue, notificationCenter: NotificationCenter, notificationName: Notification.Name,
        engine: Engine
    ) {
        self.queue = queue
        self.notificationCenter = notificationCenter
        self.notificationName = notificationName
        self.engine = engine
    }

    /// Begins to watch. Calling it again does nothing.
    public func setUp() {
        // Read first, so that the first report from the engine is a change only if it is one.
        let current = liveType()
        let isFirst = state.withLock { state in
            guard !state.isSetUp else { return false }
            state.isSetUp = true
            state.told = current
            return true
        }
        guard isFirst else { return }
        let subscription = engine.subscribe(Receiver(self), to: .path)
        state.withLock { $0.subscription = subscription }
    }

    /// The type now, correct on the first call, whether set up or not. Asks the kernel if nothing is watched; a modem's
    /// generation is known once its daemon has told it to a monitor that was set up.
    public func currentNetworkType() -> NetworkType {
        state.withLock { $0.newest } ?? liveType()
    }

    private func liveType() -> NetworkType {
        guard let network = try? engine.liveNetwork(completely: true) else { return .unknown }
        var evaluation = Evaluation(LiveOracle(network))
        return NetworkType(evaluation.report(.path(PathFilter())))
    }

    private final class Receiver: UpdateReceiver {
        private weak let monitor: NetworkTypeMonitor?

        init(_ monitor: NetworkTypeMonitor) { self.monitor = monitor }

        func receive(_ update: Update, now: Instant) -> Instant? {
            monitor?.receive(NetworkType(update.report))
            return nil
        }
    }

    private func receive(_ type: NetworkType) {
        let schedules = state.withLock { state in
            state.newest = type
            guard !state.isDeliveryScheduled, state.told != type else { return false }
            state.isDeliveryScheduled = true
            return true
        }
        if schedules { NotificationPosting.bring(to: queue, by: engine.courier, from: self) }
    }

    func deliver() {
        let change = state.withLock { state -> (old: NetworkType?, new: NetworkType)? in
            state.isDeliveryScheduled = false
            guard let new = state.newest, new != state.told else { return nil }
            defer { state.told = new }
            return (state.told, new)
        }
        guard let change else { return }
        notificationCenter.post(
            name: notificationName, object: self,
            userInfo: [
                Self.oldValueUserInfoKey: (change.old ?? .unknown).rawValue,
                Self.newValueUserInfoKey: change.new.rawValue,
            ])
    }
}

extension Notification.Name {
    /// Posted by a `NetworkTypeMonitor` when the type changed, with the old and the new value in the user info.
    public static let networkTypeDidChange = Notification.Name("org.reachability.networkTypeDidChange")
}
