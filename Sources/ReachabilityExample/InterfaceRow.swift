internal import Foundation
internal import Reachability
internal import Rtnetlink

/// One link, as the `interfaces` command prints it.
struct InterfaceRow: Encodable {
    let name: String
    let index: UInt32
    /// The kind as paths see it.
    let type: String
    let kind: String
    /// What says that it is of this kind.
    let evidence: String
    let isUp: Bool
    let isRunning: Bool
    let addresses: [String]

    init(_ link: Link, in view: NetworkView) {
        let finding = view.kindFinding(of: link)
        name = link.name
        index = link.index.rawValue
        type = finding.kind.interfaceType.rawValue
        kind = "\(finding.kind)"
        evidence = finding.evidence
        isUp = link.flags.contains(.up)
        isRunning = link.flags.contains(.running)
        addresses = view.addresses[link.index].map { "\($0.address)/\($0.prefixLength)" }
    }

    var json: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(self) else { return "{}" }
        return String(decoding: data, as: UTF8.self)
    }

    func line(width: Int) -> String {
        let state = isRunning ? "running" : isUp ? "no carrier" : "down"
        let columns = [
            name.padding(toLength: width, withPad: " ", startingAt: 0),
            kind.padding(toLength: 8, withPad: " ", startingAt: 0),
            Terminal.paint(state.padding(toLength: 10, withPad: " ", startingAt: 0), isRunning ? .green : .red),
            "(\(evidence))", addresses.joined(separator: " "),
        ]
        return columns.joined(separator: "  ")
    }
}
