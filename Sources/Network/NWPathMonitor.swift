public import Dispatch
internal import Reachability

/// Watches the path of packets to anywhere, as Network.framework spells it. `NetworkPathMonitor`
/// does the work, and its documentation holds for every member.
public final class NWPathMonitor: Sendable, AsyncSequence, CustomDebugStringConvertible {
    /// A path, then each later one.
    public typealias Element = NWPath

    private let monitor: NetworkPathMonitor

    /// Watches all interfaces.
    public init() { monitor = NetworkPathMonitor() }

    /// Watches interfaces of one type.
    public init(requiredInterfaceType type: NWInterface.InterfaceType) {
        monitor = NetworkPathMonitor(requiredInterfaceType: type.native)
    }

    /// Watches all interfaces but those of the types.
    public init(prohibitedInterfaceTypes types: [NWInterface.InterfaceType]) {
        monitor = NetworkPathMonitor(prohibitedInterfaceTypes: types.map(\.native))
    }

    /// The queue that was given to `start`; nil before.
    public var queue: DispatchQueue? { monitor.queue }

    /// The path told last.
    public var currentPath: NWPath { NWPath(monitor.currentPath) }

    /// Called on the queue with each path.
    public var pathUpdateHandler: (@Sendable (NWPath) -> Void)? {
        get { handler.get() }
        set {
            handler.set(newValue)
            guard let newValue else { return monitor.pathUpdateHandler = nil }
            monitor.pathUpdateHandler = { path in newValue(NWPath(path)) }
        }
    }

    private let handler = HandlerBox()

    /// Begins to watch, once.
    public func start(queue: DispatchQueue) { monitor.start(queue: queue) }

    /// Ends watching for good.
    public func cancel() { monitor.cancel() }

    /// Begins to watch without `start`.
    public func makeAsyncIterator() -> Iterator { Iterator(monitor.makeAsyncIterator()) }

    /// Hands out paths.
    public struct Iterator: AsyncIteratorProtocol {
        private var iterator: NetworkPathMonitor.Iterator

        init(_ iterator: NetworkPathMonitor.Iterator) { self.iterator = iterator }

        /// The next path; nil when the monitor or the task is cancelled.
        public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> NWPath? {
            await iterator.next(isolation: actor).map { NWPath($0) }
        }
    }

    /// The monitor's filter and current path.
    public var debugDescription: String { monitor.debugDescription }
}
