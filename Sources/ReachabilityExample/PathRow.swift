internal import Reachability

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
    let connectivity: Nullable<String>

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

    init(_ reading: PathReading) {
        let path = reading.path
        status = path.status.rawValue
        reason = Nullable(path.reason?.rawValue)
        type = reading.type.rawValue
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
        connectivity = Nullable(reading.connectivity)
    }

    var json: String { JSONLine.text(of: self) }
}
