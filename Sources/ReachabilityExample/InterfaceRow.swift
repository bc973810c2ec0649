internal import DesktopServices
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
    /// NetworkManager knows or guesses that traffic costs money.
    let isMetered: Bool
    /// A modem's generation, 2 to 5; null if it is none, or not known.
    let generation: Nullable<Int>

    init(_ link: Link, in view: NetworkView) {
        let finding = view.kindFinding(of: link)
        name = link.name
        index = link.index.rawValue
        type = finding.kind.interfaceType.rawValue
        kind = "\(finding.kind)"
        evidence = finding.evidence
        isUp = link.flags.contains(.up)
        isRunning = link.flags.contains(.running)
        isMetered = view.services.metered.contains(link.name)
        let radio = view.services.radios.first { $0.interfaces.contains(link.name) }
        generation = Nullable(radio?.technologies.generation.map { Int($0.rawValue) })
        addresses = view.addresses[link.index].map { entry in
            "\(entry.address)" + (entry.peer.map { " peer \($0)" } ?? "") + "/\(entry.prefixLength)"
        }
    }

    var json: String { JSONLine.text(of: self) }

    private var extras: String {
        (isMetered ? ", metered" : "") + (generation.value.map { ", \($0)G" } ?? "")
    }

    func line(width: Int) -> StyledLine {
        let state = isRunning ? "running" : isUp ? "no carrier" : "down"
        var line = StyledLine("\(name.padded(to: width))  \(kind.padded(to: 8))  ")
        line.add(state.padded(to: 10), isRunning ? .green : .red)
        line.add("  (\(evidence)\(extras))")
        if !addresses.isEmpty { line.add("  " + addresses.joined(separator: " ")) }
        return line
    }
}
