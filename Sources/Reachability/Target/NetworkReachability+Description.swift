internal import Foundation
internal import InternetProtocol
internal import NameResolution
internal import Synchronization

extension NetworkReachability: CustomStringConvertible {
    /// What CFCopyDescription says of the object: its target, what is known of a name, and, while it is scheduled, flags
    /// and interface (Rules.md, "NetworkReachability"). An object without an allocator has 0x0 for it.
    public var description: String {
        let (isScheduled, latest) = state.withLock { ($0.machine.isScheduled, $0.machine.latest) }
        var body = label
        if isName, isScheduled, !isBypassing { body += " (\(Self.progress(latest)))" }
        if isBypassing { body += ", !resolve" }
        if isScheduled, let findings = try? findings() {
            let flags = String(findings.flags.rawValue, radix: 16)
            body += ", flags = 0x" + String(repeating: "0", count: 8 - flags.count) + flags
            body += ", if_index = \(findings.interface)"
        }
        let address = String(UInt(bitPattern: ObjectIdentifier(self)), radix: 16)
        return "<SCNetworkReachability 0x\(address) [0x0]> {\(body)}"
    }

    /// True for a name that is not looked up.
    private var isBypassing: Bool { isName && target.kind == .default }

    private static func progress(_ report: Report?) -> String {
        guard let report, report.isKnown else { return "DNS query active" }
        guard !report.addresses.isEmpty else { return "complete, no addresses" }
        return "complete, " + report.addresses.map(\.description).joined(separator: ", ")
    }

    /// The target, before it is scheduled.
    static func label(_ target: ReachabilityTarget) -> String {
        switch target.content {
        case .defaultRoute, .path: "default path"
        case .address(let address): "address = \(text(address))"
        case .pair(let local, let remote): label(local, remote)
        case .name(let name): "name = \(name)"
        case .refused(let error):
            switch error.problem {
            case .mixedPair(let local, let remote): label(local, remote)
            case .name(let name, _): "name = \(name)"
            case .emptyPair, .address, .urlWithoutHost: error.description
            }
        }
    }

    /// The same for a target that text was given for, which a name shows as it was written.
    static func label(_ target: ReachabilityTarget, name: String) -> String {
        target.kind == .name ? "name = \(name)" : label(target)
    }

    private static func label(_ local: SocketAddress?, _ remote: SocketAddress?) -> String {
        [
            local.map { "local address = \(text($0))" },
            remote.map { "remote address = \(text($0))" } ?? "default path",
        ].compactMap { $0 }.joined(separator: ", ")
    }

    /// The address with its scope and without its port.
    private static func text(_ address: SocketAddress) -> String {
        SocketAddress(ip: address.ip, scopeID: address.scopeID).description
    }
}
