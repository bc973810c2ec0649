internal import Reachability
internal import Timing

/// What a target's status was, second by second.
struct Timeline {
    /// From when on which status held, oldest first; nil while nobody watched.
    private var changes: [(time: Instant, status: ReachabilityStatus?)] = []

    /// Far more than a line has columns.
    private static let span = Duration.seconds(3600)

    mutating func note(_ status: ReachabilityStatus?, at time: Instant) {
        changes.append((time, status))
        // What is older than the span matters for the last of it alone: it says what held when the span begins.
        let old = changes.firstIndex { time - $0.time <= Self.span } ?? changes.endIndex
        changes.removeFirst(max(old - 1, 0))
    }

    /// The status of each of the last seconds, the newest last. A loss shows however short it was; else the last status of a
    /// second counts. Nil stands for seconds in which nobody watched.
    func seconds(_ count: Int, until now: Instant) -> [ReachabilityStatus?] {
        (0..<max(count, 0)).reversed().map { age in
            let end = now - .seconds(age)
            let begin = end - .seconds(1)
            let before = changes.last { $0.time <= begin }.map { [$0.status] } ?? []
            let held = before + changes.filter { $0.time > begin && $0.time < end }.map(\.status)
            return held.contains(.notReachable) ? .notReachable : held.last ?? nil
        }
    }

    /// The last seconds as a row of marks.
    func line(columns: Int, until now: Instant) -> StyledLine {
        var line = StyledLine()
        for status in seconds(columns, until: now) { line.add(Self.mark(of: status), status?.colour) }
        return line
    }

    /// Full for Wi-Fi and wire, half for cellular, low for not reachable, so that it can be read without colours.
    static func mark(of status: ReachabilityStatus?) -> String {
        switch status {
        case .viaWiFi: "█"
        case .viaWWAN: "▄"
        case .notReachable: "▁"
        case .unknown: "?"
        case nil: " "
        }
    }
}
