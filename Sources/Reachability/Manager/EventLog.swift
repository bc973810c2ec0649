internal import Timing

/// The last things that happened to a manager, for bug reports.
struct EventLog {
    enum Entry {
        case started
        case stopped
        /// A report came from the engine.
        case reported(ReachabilityStatus, ReachabilityReason?, ChangeCauses)
        /// A status was told to whoever listens.
        case delivered(ReachabilityStatus)
    }

    private var entries: [(time: Instant, entry: Entry)] = []
    private var next = 0

    /// Few, since a process may have ten thousand managers.
    private static let limit = 8

    mutating func add(_ entry: Entry, at time: Instant) {
        if entries.count < Self.limit {
            entries.append((time, entry))
        } else {
            entries[next] = (time, entry)
            next = (next + 1) % Self.limit
        }
    }

    /// One line an event, the oldest first, with how long ago it was.
    func lines(now: Instant) -> [String] {
        (entries[next...] + entries[..<next]).map { time, entry in
            let ago = String(Double((now - time) / .milliseconds(1)).rounded() / 1000)
            return "\(ago) s ago: \(entry)"
        }
    }
}

extension EventLog.Entry: CustomStringConvertible {
    var description: String {
        switch self {
        case .started: "started"
        case .stopped: "stopped"
        case .reported(let status, let reason, let causes):
            "found \(status)" + (reason.map { ": \($0)" } ?? "") + " (\(causes.names.joined(separator: ", ")))"
        case .delivered(let status): "told \(status)"
        }
    }
}
