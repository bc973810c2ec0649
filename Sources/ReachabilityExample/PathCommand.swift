internal import Foundation
internal import Reachability

/// `path`: the way that packets leave by, in full.
struct PathCommand {
    private let options: Options

    init(_ options: Options) { self.options = options }

    func run() -> Int32 {
        guard let reading = PathReader.read() else {
            Terminal.complain("nothing is known of the path yet")
            return ExitStatus.notReachable
        }
        if options.isJSON {
            Terminal.print(PathRow(reading).json)
        } else {
            for line in lines(reading) { Terminal.print(line) }
        }
        return reading.path.status == .satisfied ? ExitStatus.success : ExitStatus.notReachable
    }

    private func lines(_ reading: PathReading) -> [String] {
        let path = reading.path
        let isSatisfied = path.status == .satisfied
        let rows: [(String, String)] = [
            ("path", Terminal.paint(path.status.rawValue, isSatisfied ? .green : .red)),
            ("reason", path.reason?.description ?? ""),
            ("type", reading.type.rawValue),
            ("interfaces", path.availableInterfaces.map { "\($0.name) (\($0.type.rawValue))" }.joined(separator: ", ")),
            ("under the tunnel", path.underlyingInterface.map { "\($0.name) (\($0.type.rawValue))" } ?? ""),
            ("gateways", path.gateways.map(\.description).joined(separator: ", ")),
            ("addresses", path.localAddresses.map(\.description).joined(separator: ", ")),
            ("name servers", path.dnsServers.map(\.description).joined(separator: ", ")),
            ("supports", path.supported.joined(separator: ", ")),
            ("expensive", path.isExpensive ? "yes" : "no"),
            ("connectivity", reading.connectivity.map { "\($0), says NetworkManager" } ?? ""),
        ]
        return rows.filter { !$0.1.isEmpty }
            .map { $0.0.padded(to: 18) + $0.1 }
    }
}
