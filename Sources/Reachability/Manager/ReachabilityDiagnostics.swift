internal import Foundation
internal import Synchronization

/// Hints at common mistakes in the use of managers, to one handler for the process.
public enum ReachabilityDiagnostics {
    /// One mistake.
    public enum Hint: Hashable, Sendable {
        /// A manager was let go of while it was started: it tells nothing any more. Was it a local variable?
        case releasedWhileMonitoring(target: ReachabilityTarget)
        /// A manager has a status-change block but was never started: so far, or until it was let go of.
        case neverStarted(target: ReachabilityTarget)
        /// Five seconds after a status was put on the delivery queue, it has not been told.
        case queueNotDrained(target: ReachabilityTarget, queue: String)
        /// A manager was stopped while it had observers: they hear nothing until the next start.
        case stoppedWhileObserved(target: ReachabilityTarget, observers: Int, caller: String)
    }

    /// Called with each hint, on any thread; nil for none. Writes to standard error in debug builds unless set.
    public static var handler: (@Sendable (Hint) -> Void)? {
        get { storage.withLock { $0.handler } }
        set {
            let old = storage.withLock { storage in
                defer { storage.handler = newValue }
                return Storage(handler: storage.handler)
            }
            // Let go of outside of the lock: what it captured may come back here when it ends.
            withExtendedLifetime(old) {}
        }
    }

    private static let storage = Mutex(Storage(handler: initialHandler))

    /// In a struct, since `withLock` on a bare closure wraps it twice more with each call and stores that: the compiler
    /// converts between the closure's own convention and that of a generic value.
    private struct Storage {
        var handler: (@Sendable (Hint) -> Void)?
    }

    private static let initialHandler: (@Sendable (Hint) -> Void)? = {
        #if DEBUG
            return { hint in try? FileHandle.standardError.write(contentsOf: Data("Reachability: \(hint)\n".utf8)) }
        #else
            return nil
        #endif
    }()

    static var isWanted: Bool { storage.withLock { $0.handler != nil } }

    static func report(_ hint: Hint) { handler?(hint) }
}

extension ReachabilityDiagnostics.Hint: CustomStringConvertible {
    /// One sentence for people, without a full stop.
    public var description: String {
        switch self {
        case .releasedWhileMonitoring(let target):
            "the manager of \(target) was released while monitoring, and tells nothing any more; keep a reference to it"
        case .neverStarted(let target):
            "the manager of \(target) has a status-change block but is not monitoring; call startMonitoring()"
        case .queueNotDrained(let target, let queue):
            "the manager of \(target) has waited 5 s for its delivery queue \"\(queue)\"; does anything serve it?"
        case .stoppedWhileObserved(let target, let observers, let caller):
            "\(caller) stopped the manager of \(target), which \(observers) observer(s) listen to"
        }
    }
}
