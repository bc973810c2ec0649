internal import Reachability
internal import Timing

/// The dashboard as lines of text for a screen of a size.
struct DashboardPage {
    let model: DashboardModel
    let now: Instant
    let timeOfDay: String

    /// As many lines as there are rows, none wider than the columns.
    func lines(columns: Int, rows: Int) -> [StyledLine] {
        let foot = caption + [keys]
        let head = [title, StyledLine()] + connection + targets(columns: columns)
        // The links take no more than half of what is left, and the changes the rest.
        let room = max(rows - head.count - foot.count, 0)
        let links = interfaces(most: room / 2)
        var lines = head + links
        lines += changes(most: rows - foot.count - lines.count)
        // The foot stays where it is, and on a small screen it is what stays.
        let space = max(rows - foot.count, 0)
        lines = Array(lines.prefix(space)) + [StyledLine](repeating: StyledLine(), count: max(space - lines.count, 0))
        return (lines + foot).suffix(max(rows, 0)).map { $0.cut(to: columns) }
    }

    // MARK: - Head and foot

    private var title: StyledLine {
        StyledLine("Reachability", .bold) + StyledLine("  \(timeOfDay)  ", .grey)
            + (model.isMonitoring ? StyledLine("monitoring", .green) : StyledLine("not monitoring", .yellow))
    }

    private var keys: StyledLine {
        let monitoring = "m \(model.isMonitoring ? "stops" : "starts") monitoring"
        let next = model.caption.isEmpty ? "" : "   space goes on"
        return StyledLine(monitoring + next + "   q quits", .grey)
    }

    private var caption: [StyledLine] {
        guard let first = model.caption.first else { return [] }
        return [StyledLine(), StyledLine(first, .bold)] + model.caption.dropFirst().map { StyledLine("  \($0)", .grey) }
            + [StyledLine()]
    }

    // MARK: - The connection

    private var connection: [StyledLine] {
        guard let reading = model.path else {
            return [field("Connection", StyledLine(model.isMonitoring ? "not known yet" : "–", .grey)), StyledLine()]
        }
        let path = reading.path
        let isSatisfied = path.status == .satisfied
        var state = StyledLine("● \(name(of: reading))", isSatisfied ? .green : .red)
        if isSatisfied, let interface = path.availableInterfaces.first {
            state.add("  by \(interface.name)")
            if let under = path.underlyingInterface { state.add(" over \(under.name)") }
            if let gateway = path.gateways.first { state.add(" via \(gateway)") }
        } else if let reason = path.reason {
            state.add("  \(reason)")
        }
        guard isSatisfied else { return [field("Connection", state), StyledLine()] }
        return [
            field("Connection", state),
            field("Expensive", path.isExpensive ? StyledLine("yes", .yellow) : "no"),
            field("Supports", StyledLine(path.supported.joined(separator: ", "))),
            StyledLine(),
        ]
    }

    private func field(_ name: String, _ value: StyledLine) -> StyledLine {
        StyledLine(name.padded(to: 12), .bold) + value
    }

    private func name(of reading: PathReading) -> String {
        switch reading.type {
        case .wifi: "Wi-Fi"
        case .wiredEthernet: "Wired"
        case .loopback: "Loopback"
        case .cellular: "Cellular"
        case .cellular2G: "Cellular, 2G"
        case .cellular3G: "Cellular, 3G"
        case .cellular4G: "Cellular, 4G"
        case .cellular5G: "Cellular, 5G"
        case .offline: "Offline"
        case .unknown: reading.path.status == .satisfied ? "Connected" : "Not known"
        }
    }

    // MARK: - Targets, links, changes

    private func targets(columns: Int) -> [StyledLine] {
        let width = model.targets.map(\.word.count).max() ?? 0
        var lines = [StyledLine("Targets", .bold) + StyledLine("  a mark a second, the newest at the right", .grey)]
        for target in model.targets {
            var line = StyledLine("  \(target.word.padded(to: width))  ")
            if let observation = target.observation, let since = target.since {
                line.add(observation.report.status.description.padded(to: 18), observation.report.status.colour)
                line.add("  for \(Self.age(now - since).padded(to: 12))")
                line.add(observation.short, .grey)
            } else {
                line.add(model.isMonitoring ? "not known yet" : "not monitored", .grey)
            }
            lines.append(line)
            lines.append(StyledLine("  ") + target.timeline.line(columns: columns - 2, until: now))
        }
        return lines + [StyledLine()]
    }

    private func interfaces(most: Int) -> [StyledLine] {
        // A title, a line, and the blank one below.
        guard most >= 3, !model.interfaces.isEmpty else { return [] }
        let width = model.interfaces.map(\.name.count).max() ?? 0
        let rows = model.interfaces.map { StyledLine("  ") + $0.line(width: width) }
        let isTooMany = rows.count > most - 2
        let shown = isTooMany ? Array(rows.prefix(most - 3)) : rows
        let rest = isTooMany ? [StyledLine("  and \(rows.count - shown.count) more", .grey)] : []
        return [StyledLine("Interfaces", .bold)] + shown + rest + [StyledLine()]
    }

    private func changes(most: Int) -> [StyledLine] {
        guard most >= 2, !model.changes.isEmpty else { return [] }
        let width = model.targets.map(\.word.count).max() ?? 0
        let rows = model.changes.prefix(most - 1).map { change in
            StyledLine("  \(change.time.timeOfDay)  ", .grey) + StyledLine(change.target.padded(to: width) + "  ")
                + StyledLine(change.report.status.description.padded(to: 20), change.report.status.colour)
                + StyledLine(change.short, .grey)
        }
        return [StyledLine("Changes", .bold)] + rows
    }

    /// How long ago in the two largest units.
    static func age(_ time: Duration) -> String {
        let seconds = Int(max(time, .zero).components.seconds)
        return switch seconds {
        case ..<60: "\(seconds) s"
        case ..<3600: "\(seconds / 60) min \(seconds % 60) s"
        case ..<86400: "\(seconds / 3600) h \(seconds / 60 % 60) min"
        default: "\(seconds / 86400) d \(seconds / 3600 % 24) h"
        }
    }
}
