internal import Foundation
internal import Reachability

/// `path`: the way that packets leave by, in full.
struct PathCommand {
    private let options: Options

    init(_ options: Options) { self.options = options }

    func run() -> Int32 {
        guard let (path, type) = PathReader.read() else {
            Terminal.complain("nothing is known of the path yet")
            return ExitStatus.notReachable
        }
        if options.isJSON {
            Terminal.print(PathRow(path, type).json)
        } else {
            for line in lines(path, type) { Terminal.print(line) }
        }
        return path.status == .satisfied ? ExitStatus.success : ExitStatus.notReachable
    }

    private func lines(_ path: NetworkPath, _ type: NetworkType) -> [String] {
        let isSatisfied = path.status == .satisfied
        let rows: [(String, String)] = [
            ("path", Terminal.paint(path.status.rawValue, isSatisfied ? .green : .red)),
            ("reason", path.reason?.description ?? ""),
            ("type", type.rawValue),
            ("interfaces", path.availableInterfaces.map { "\($0.name) (\($0.type.rawValue))" }.joined(separator: ", ")),
            ("under the tunnel", path.underlyingInterface.map { "\($0.name) (\($0.type.rawValue))" } ?? ""),
            ("gateways", path.gateways.map(\.description).joined(separator: ", ")),
            ("addresses", path.localAddresses.map(\.description).joined(separator: ", ")),
            ("name servers", path.dnsServers.map(\.description).joined(separator: ", ")),
            ("supports", supports(path).joined(separator: ", ")),
            ("expensive", path.isExpensive ? "yes" : "no"),
        ]
        return rows.filter { !$0.1.isEmpty }
            .map { $0.0.padding(toLength: 18, withPad: " ", startingAt: 0) + $0.1 }
    }

    private func supports(_ path: NetworkPath) -> [String] {
        [(path.supportsIPv4, "IPv4"), (path.supportsIPv6, "IPv6"), (path.supportsDNS, "DNS")].filter(\.0).map(\.1)
    }
}

/// Reads the path once.
enum PathReader {
    /// How long a daemon of the desktop is given to tell of modems and metered connections, where a bus is there.
    private static let patience = Duration.milliseconds(250)

    /// The path and type, with what the daemons say of them if they say it soon; nil if nothing is known.
    static func read() -> (NetworkPath, NetworkType)? {
        let watcher = Watcher()
        watcher.followPath()
        var found: Report?
        var deadline: ContinuousClock.Instant?
        while true {
            switch watcher.next(before: deadline) {
            case .reports(let reports):
                found = reports.last?.report ?? found
                guard hasBus else { return found.map(describe) }
                deadline = deadline ?? .now + patience
            case .interrupted, .timedOut: return found.map(describe)
            }
        }
    }

    private static func describe(_ report: Report) -> (NetworkPath, NetworkType) {
        (NetworkPath(report), NetworkType(report))
    }

    private static var hasBus: Bool {
        ProcessInfo.processInfo.environment["DBUS_SYSTEM_BUS_ADDRESS"] != nil
            || FileManager.default.fileExists(atPath: "/run/dbus/system_bus_socket")
    }
}

/// The path as JSON.
struct PathRow: Encodable {
    let status: String
    let reason: Nullable<String>
    let type: String
    let interfaces: [Interface]
    let underlying: Nullable<Interface>
    let gateways: [String]
    let addresses: [String]
    let dnsServers: [String]
    let supportsIPv4: Bool
    let supportsIPv6: Bool
    let supportsDNS: Bool
    let isExpensive: Bool
    let isConstrained: Bool

    struct Interface: Encodable {
        let name: String
        let index: Int
        let type: String

        init(_ interface: NetworkInterface) {
            name = interface.name
            index = interface.index
            type = interface.type.rawValue
        }
    }

    init(_ path: NetworkPath, _ type: NetworkType) {
        status = path.status.rawValue
        reason = Nullable(path.reason?.rawValue)
        self.type = type.rawValue
        interfaces = path.availableInterfaces.map { Interface($0) }
        underlying = Nullable(path.underlyingInterface.map { Interface($0) })
        gateways = path.gateways.map(\.description)
        addresses = path.localAddresses.map(\.description)
        dnsServers = path.dnsServers.map(\.description)
        supportsIPv4 = path.supportsIPv4
        supportsIPv6 = path.supportsIPv6
        supportsDNS = path.supportsDNS
        isExpensive = path.isExpensive
        isConstrained = path.isConstrained
    }

    var json: String { JSONLine.text(of: self) }
}
