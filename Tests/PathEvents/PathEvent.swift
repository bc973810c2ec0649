/// One line of what the path probe prints: JSON, an event a line.
package enum PathEvent: Codable, Equatable, Sendable {
    case path(Path)
    /// AANetworkMonitor's notification.
    case type(old: String, new: String)
    /// What CTTelephonyNetworkInfo says after it told of a change.
    case radios(technologies: [String: String], dataService: String?)

    /// A path as a monitor handed it over.
    package struct Path: Codable, Equatable, Sendable {
        package var status: String
        /// Interfaces as `name:type`, in the order of preference.
        package var interfaces: [String]
        /// The link under the tunnel, as `name:type`.
        package var underlying: String?
        package var gateways: [String]
        package var addresses: [String]
        package var dnsServers: [String]
        package var supportsIPv4: Bool
        package var supportsIPv6: Bool
        package var isExpensive: Bool
        /// The types that the path uses, in alphabetical order.
        package var uses: [String]
        /// `AANetworkMonitor.currentNetworkType()` at that moment.
        package var networkType: String
        package var reason: String?
        package var generation: UInt64

        package init(
            status: String, interfaces: [String], underlying: String?, gateways: [String], addresses: [String],
            dnsServers: [String], supportsIPv4: Bool, supportsIPv6: Bool, isExpensive: Bool, uses: [String],
            networkType: String, reason: String?, generation: UInt64
        ) {
            self.status = status
            self.interfaces = interfaces
            self.underlying = underlying
            self.gateways = gateways
            self.addresses = addresses
            self.dnsServers = dnsServers
            self.supportsIPv4 = supportsIPv4
            self.supportsIPv6 = supportsIPv6
            self.isExpensive = isExpensive
            self.uses = uses
            self.networkType = networkType
            self.reason = reason
            self.generation = generation
        }
    }
}
