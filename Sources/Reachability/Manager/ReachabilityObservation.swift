/// Keeps a handler of `ReachabilityManager.observe(_:)` registered; cancels it when let go.
///
/// Does not keep the manager alive. May be cancelled from any thread, and from inside a callback.
public final class ReachabilityObservation: Sendable {
    typealias ID = UInt64

    private weak let manager: ReachabilityManager?
    private let id: ID

    init(_ manager: ReachabilityManager, _ id: ID) {
        self.manager = manager
        self.id = id
    }

    deinit { manager?.removeObserver(id) }

    /// Ends it. On the delivery queue nothing is told afterwards; elsewhere one call that has begun may still run.
    public func cancel() { manager?.removeObserver(id) }
}
