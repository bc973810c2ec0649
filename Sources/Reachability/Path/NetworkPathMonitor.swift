public import Dispatch
internal import Synchronization
internal import Timing

/// Watches the path of packets to anywhere: NWPathMonitor.
///
///     let monitor = NetworkPathMonitor()
///     monitor.pathUpdateHandler = { path in print(path.status) }
///     monitor.start(queue: DispatchQueue(label: "network"))
///
/// As Apple's: the first update follows soon after `start`, always, and is no change; `currentPath` is set before the
/// handler runs; a second `start` does nothing; `cancel` is final. A started monitor lives until it is cancelled, whether
/// anybody holds it or not. Any thread (Rules.md, "NWPathMonitor's behaviours").
public final class NetworkPathMonitor: Sendable {
    private let filter: PathFilter
    private let engine: Engine
    private let state = Mutex(State())

    private struct State {
        var queue: DispatchQueue?
        var isCancelled = false
        var current = NetworkPath.notStarted
        var handler: (@Sendable (NetworkPath) -> Void)?
        var subscription: Engine.Subscription?
        /// The newest path, not delivered yet.
        var pending: NetworkPath?
        /// What readers of the sequence were told last.
        var latest: NetworkPath?
        var isDeliveryScheduled = false
        /// Holds the monitor while it runs.
        var keepAlive: NetworkPathMonitor?
        var readers: [UInt64: AsyncStream<NetworkPath>.Continuation] = [:]
        var lastReader: UInt64 = 0
    }

    /// Watches all interfaces.
    public convenience init() { self.init(filter: PathFilter(), engine: .shared) }

    /// Watches interfaces of one type: the path is satisfied only through one of them.
    public convenience init(requiredInterfaceType type: NetworkInterface.InterfaceType) {
        self.init(filter: PathFilter(required: type), engine: .shared)
    }

    /// Watches all interfaces but those of the types.
    public convenience init(prohibitedInterfaceTypes types: [NetworkInterface.InterfaceType]) {
        self.init(filter: PathFilter(prohibited: Set(types)), engine: .shared)
    }

    package init(filter: PathFilter, engine: Engine) {
        self.filter = filter
        self.engine = engine
    }

    deinit {
        for reader in state.withLock({ $0.readers.values }) { reader.finish() }
    }

    /// The queue that was given to `start`; nil before.
    public var queue: DispatchQueue? { state.withLock { $0.queue } }

    /// The path told last, on the queue or to a sequence. Before the first update: unsatisfied, with nothing in it.
    public var currentPath: NetworkPath { state.withLock { $0.current } }

    /// Called on the queue with each path. May be set at any time; the next update uses it.
    public var pathUpdateHandler: (@Sendable (NetworkPath) -> Void)? {
        get { state.withLock { $0.handler } }
        set {
            let old = state.withLock { state in
                defer { state.handler = newValue }
                return state.handler
            }
            withExtendedLifetime(old) {}
        }
    }

    /// Begins to watch, once; updates come on the queue. Does nothing after a first start or a cancel.
    public func start(queue: DispatchQueue) {
        let isFirst = state.withLock { state in
            guard state.queue == nil, !state.isCancelled else { return false }
            state.queue = queue
            state.keepAlive = self
            return true
        }
        guard isFirst else { return }
        subscribe()
        // A sequence may have watched already: then nothing new comes by itself.
        enqueueIfDue()
    }

    /// Ends watching for good. On the queue no update comes once this returned; elsewhere one that has begun may run.
    public func cancel() {
        let (subscription, keepAlive, readers) = state.withLock { state in
            state.isCancelled = true
            state.pending = nil
            defer {
                state.subscription = nil
                state.keepAlive = nil
                state.readers = [:]
            }
            return (state.subscription, state.keepAlive, Array(state.readers.values))
        }
        for reader in readers { reader.finish() }
        withExtendedLifetime((subscription, keepAlive)) {}
    }

    /// Subscribes if it has not been done.
    private func subscribe() {
        guard state.withLock({ $0.subscription == nil && !$0.isCancelled }) else { return }
        let new = engine.subscribe(Receiver(self), to: ReachabilityTarget(.path(filter)))
        let dropped = state.withLock { state -> Engine.Subscription? in
            guard state.subscription == nil, !state.isCancelled else { return new }
            state.subscription = new
            return nil
        }
        withExtendedLifetime(dropped) {}
    }

    /// Takes updates without keeping the monitor alive.
    private final class Receiver: UpdateReceiver {
        private weak let monitor: NetworkPathMonitor?

        init(_ monitor: NetworkPathMonitor) { self.monitor = monitor }

        func receive(_ update: Update, now: Instant) -> Instant? {
            monitor?.receive(NetworkPath(update.report, causes: update.causes, generation: update.generation))
            return nil
        }
    }

    private func receive(_ path: NetworkPath) {
        let readers = state.withLock { state -> [AsyncStream<NetworkPath>.Continuation] in
            // What differs only in what a path does not show is no update.
            guard !state.isCancelled, path != state.latest else { return [] }
            state.latest = path
            state.pending = path
            // With sequences alone nobody is told on a queue, so this is when it counts as told.
            if state.queue == nil { state.current = path }
            return Array(state.readers.values)
        }
        for reader in readers { reader.yield(path) }
        enqueueIfDue()
    }

    private func enqueueIfDue() {
        let queue = state.withLock { state -> DispatchQueue? in
            guard let queue = state.queue, state.pending != nil, !state.isDeliveryScheduled else { return nil }
            state.isDeliveryScheduled = true
            return queue
        }
        if let queue { engine.courier.bring(to: queue) { [weak self] in self?.deliver() } }
    }

    private func deliver() {
        let telling = state.withLock { state -> (path: NetworkPath, handler: (@Sendable (NetworkPath) -> Void)?)? in
            guard let path = state.pending, !state.isCancelled else { return nil }
            state.pending = nil
            state.current = path
            return (path, state.handler)
        }
        if let telling { telling.handler?(telling.path) }
        state.withLock { $0.isDeliveryScheduled = false }
        enqueueIfDue()
    }
}

// MARK: - As a sequence

extension NetworkPathMonitor: AsyncSequence {
    /// A path, then each later one; a slow reader gets the newest.
    public typealias Element = NetworkPath

    /// Begins to watch without `start`; the watch ends with the last reader, or with `cancel`.
    public func makeAsyncIterator() -> Iterator { Iterator(Reader(self)) }

    /// Hands out paths.
    public struct Iterator: AsyncIteratorProtocol {
        private let reader: Reader

        init(_ reader: Reader) { self.reader = reader }

        /// The next path; nil when the monitor or the task is cancelled.
        public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> NetworkPath? {
            await reader.next(isolation: actor)
        }
    }

    /// One reader's paths. Holds the monitor, as iterating a monitor that nobody else holds has to work.
    final class Reader {
        private let monitor: NetworkPathMonitor
        private let id: UInt64
        private var iterator: AsyncStream<NetworkPath>.Iterator

        init(_ monitor: NetworkPathMonitor) {
            let (stream, continuation) = AsyncStream.makeStream(
                of: NetworkPath.self, bufferingPolicy: .bufferingNewest(1))
            self.monitor = monitor
            iterator = stream.makeAsyncIterator()
            id = monitor.add(continuation)
        }

        deinit { monitor.removeReader(id) }

        func next(isolation actor: isolated (any Actor)?) async -> NetworkPath? {
            await iterator.next(isolation: actor)
        }
    }

    private func add(_ continuation: AsyncStream<NetworkPath>.Continuation) -> UInt64 {
        let id = state.withLock { state in
            state.lastReader += 1
            if state.isCancelled { continuation.finish() } else { state.readers[state.lastReader] = continuation }
            if let latest = state.latest { continuation.yield(latest) }
            return state.lastReader
        }
        subscribe()
        return id
    }

    private func removeReader(_ id: UInt64) {
        let (reader, subscription) = state.withLock { state in
            let reader = state.readers.removeValue(forKey: id)
            // Nobody is left: the next reader, or a start, begins anew.
            guard state.readers.isEmpty, state.queue == nil else { return (reader, nil as Engine.Subscription?) }
            state.latest = nil
            state.pending = nil
            defer { state.subscription = nil }
            return (reader, state.subscription)
        }
        reader?.finish()
        withExtendedLifetime(subscription) {}
    }
}

extension NetworkPathMonitor: CustomDebugStringConvertible {
    /// The monitor's filter and current path.
    public var debugDescription: String {
        let required = filter.required.map { ", requires \($0)" } ?? ""
        let prohibited = filter.prohibited.isEmpty ? "" : ", prohibits \(filter.prohibited.map(\.rawValue).sorted())"
        return "NetworkPathMonitor(\(currentPath.debugDescription)\(required)\(prohibited))"
    }
}
