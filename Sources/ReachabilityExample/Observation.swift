internal import Foundation
internal import InternetProtocol
internal import Reachability
internal import Rtnetlink

/// One state of one target, as the program prints it.
struct Observation {
    let target: String
    let kind: ReachabilityTarget.Kind
    let report: Report
    let previous: Report?
    let time: WallTime
    /// The call that failed, where one is why nothing is known.
    let fault: SystemCallError?

    /// A state that was heard of now, unless said otherwise.
    init(
        target: String, kind: ReachabilityTarget.Kind, report: Report, previous: Report?, time: WallTime = .now,
        fault: SystemCallError? = Engine.shared.fault
    ) {
        self.target = target
        self.kind = kind
        self.report = report
        self.previous = previous
        self.time = time
        self.fault = report.reason?.isFault == true ? fault : nil
    }

    /// Why the target is not reachable or nothing is known.
    var explanation: String {
        guard let reason = report.reason else { return "no answer yet" }
        return reason.description + (fault.map { ": \($0)" } ?? "")
    }

    /// The names of the fields that differ from the previous state; `initial` for the first.
    var change: [String] {
        guard let previous else { return ["initial"] }
        let fields: [(String, Bool)] = [
            ("status", report.status != previous.status), ("flags", report.flags != previous.flags),
            ("interface", report.interface != previous.interface),
            ("interfaceType", report.interface?.type != previous.interface?.type),
            ("gateway", report.gateway != previous.gateway),
            ("source", report.source != previous.source),
            ("addresses", Set(report.addresses) != Set(previous.addresses)),
            ("reason", report.reason != previous.reason),
        ]
        return fields.filter(\.1).map(\.0)
    }
}

// MARK: - For programs

extension Observation: Encodable {
    private enum Key: String, CodingKey {
        case time, target, kind, status, previous, flags, flagsValue, interface, interfaceType, gateway, source
        case addresses, reason, change
    }

    /// Every field is there, null where there is nothing to say.
    func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Key.self)
        try fields.encode(time.description, forKey: .time)
        try fields.encode(target, forKey: .target)
        try fields.encode(kind.rawValue, forKey: .kind)
        try fields.encode(report.status.word, forKey: .status)
        try fields.encode(previous?.status.word, forKey: .previous)
        try fields.encode(report.flags.names, forKey: .flags)
        try fields.encode(report.flags.rawValue, forKey: .flagsValue)
        try fields.encode(report.interface?.name, forKey: .interface)
        try fields.encode(report.interface?.type.rawValue, forKey: .interfaceType)
        try fields.encode(report.gateway?.description, forKey: .gateway)
        try fields.encode(report.source?.description, forKey: .source)
        try fields.encode(report.addresses.map(\.description), forKey: .addresses)
        try fields.encode(report.reason?.rawValue, forKey: .reason)
        try fields.encode(change, forKey: .change)
    }

    /// One line of JSON.
    var json: String { JSONLine.text(of: self) }
}

// MARK: - For people

extension Observation {
    /// One line: the target, its status, scutil's flags line, and the way or the reason.
    func line(width: Int) -> StyledLine {
        var line = StyledLine(target.padded(to: width) + "  ")
        line.add(report.status.description.padded(to: 18), report.status.colour)
        line.add("  ")
        line.add(way, .grey)
        return line
    }

    private var way: String {
        guard report.isKnown else { return "no answer yet" }
        return report.reason == nil
            ? [report.flags.description, short].filter { !$0.isEmpty }.joined(separator: "  ") : short
    }

    /// By which way packets leave, or why they do not.
    var short: String {
        var parts = report.reason == nil ? [] : [explanation]
        if let interface = report.interface { parts.append("\(interface.name) (\(interface.type.rawValue))") }
        if let gateway = report.gateway { parts.append("via \(gateway)") }
        if let source = report.source { parts.append("from \(source)") }
        if !report.addresses.isEmpty {
            parts.append("[" + report.addresses.map(\.description).joined(separator: " ") + "]")
        }
        return parts.joined(separator: "  ")
    }
}

extension ReachabilityStatus {
    /// The status as JSON spells it.
    var word: String {
        switch self {
        case .unknown: "unknown"
        case .notReachable: "notReachable"
        case .viaWWAN: "viaWWAN"
        case .viaWiFi: "viaWiFi"
        }
    }

    var colour: Terminal.Colour {
        switch self {
        case .unknown: .yellow
        case .notReachable: .red
        case .viaWWAN, .viaWiFi: .green
        }
    }
}
