internal import Reachability
internal import Timing

/// What a target's status was, second by second.
struct Timeline {
    /// From when on which status held, oldest first; nil while nobody watched.
    private var changes: [(time: Instant, status: ReachabilityStatus?)] = []

    /// So many seconds are shown at most: two minutes, which take a wide screen.
    private static let most = 120

    mutating func note(_ status: ReachabilityStatus?, at time: Instant) {
        if let last = changes.last, last.status == status { return }
        changes.append((time, status))
        // Of what is too old to be shown the last matters alone: it says what held when the rest begins.
        let old = changes.firstIndex { time - $0.time <= .seconds(Self.most) } ?? changes.endIndex
        changes.removeFirst(max(old - 1, 0))
    }

    /// The status of each of the last seconds, the newest last. A loss shows however short it was; else the last status of a
    /// second counts. Nil stands for seconds in which nobody watched.
    func seconds(_ count: Int, until now: Instant) -> [ReachabilityStatus?] {
        var rest = changes[...]
        var last: ReachabilityStatus?
        return (0..<max(min(count, Self.most), 0)).reversed().map { age in
            let end = now - .seconds(age)
            while let change = rest.first, change.time <= end - .seconds(1) {
                last = change.status
                rest.removeFirst()
            }
            var isLost = last == .notReachable
            while let change = rest.first, change.time < end {
                last = change.status
                isLost = isLost || last == .notReachable
                rest.removeFirst()
            }
            return isLost ? .notReachable : last
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
