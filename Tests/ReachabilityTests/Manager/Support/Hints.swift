import Reachability
import Synchronization

/// The hints of the process, sorted by the target they are about, so that tests beside each other do not mix theirs.
enum Hints {
    /// Collects the hints about a target that no other test uses.
    static func recorder(of target: ReachabilityTarget) -> Recorder<ReachabilityDiagnostics.Hint> {
        route()
        return recorders.withLock { recorders in
            let recorder = recorders[target] ?? Recorder()
            recorders[target] = recorder
            return recorder
        }
    }

    /// Takes the hints away from standard error.
    static func route() { _ = isRouted }

    private static let recorders = Mutex<[ReachabilityTarget: Recorder<ReachabilityDiagnostics.Hint>]>([:])

    private static let isRouted: Bool = {
        ReachabilityDiagnostics.handler = { hint in
            recorders.withLock { $0[hint.target] }?.record(hint)
        }
        return true
    }()
}

extension ReachabilityDiagnostics.Hint {
    var target: ReachabilityTarget {
        switch self {
        case .releasedWhileMonitoring(let target), .neverStarted(let target), .queueNotDrained(let target, _),
            .stoppedWhileObserved(let target, _, _):
            target
        }
    }
}
