package import InternetProtocol

/// The host's own addresses by interface.
package struct AddressTable: Equatable, Sendable {
    private var byInterface: [InterfaceIndex: [Key: InterfaceAddress]] = [:]

    /// What tells two addresses of an interface apart: IPv4 allows one address with several prefix lengths.
    private struct Key: Hashable {
        let address: IPAddress
        let prefixLength: Int
    }

    package init(_ addresses: some Sequence<InterfaceAddress> = []) {
        for address in addresses { insert(address) }
    }

    /// Adds or replaces an address; true if it was not there just so.
    @discardableResult
    package mutating func insert(_ entry: InterfaceAddress) -> Bool {
        let key = Key(address: entry.address, prefixLength: entry.prefixLength)
        return byInterface[entry.interface, default: [:]].updateValue(entry, forKey: key) != entry
    }

    /// Takes an address away; true if it was there.
    @discardableResult
    package mutating func remove(_ entry: InterfaceAddress) -> Bool {
        let key = Key(address: entry.address, prefixLength: entry.prefixLength)
        return byInterface[entry.interface]?.removeValue(forKey: key) != nil
    }

    /// Forgets an interface with all it had.
    package mutating func removeAll(of interface: InterfaceIndex) {
        byInterface[interface] = nil
    }

    /// The addresses of an interface in a fixed order.
    package subscript(interface: InterfaceIndex) -> [InterfaceAddress] {
        (byInterface[interface] ?? [:]).values.sorted { ($0.address, $0.prefixLength) < ($1.address, $1.prefixLength) }
    }

    /// The interfaces that have the address for use.
    package func owners(of address: IPAddress) -> [InterfaceIndex] {
        byInterface.compactMap { interface, entries in
            entries.values.contains { $0.address == address && $0.isUsable } ? interface : nil
        }.sorted()
    }

    /// True if the interface has the address for use.
    package func owns(_ address: IPAddress, on interface: InterfaceIndex) -> Bool {
        byInterface[interface]?.values.contains { $0.address == address && $0.isUsable } ?? false
    }

    /// The interfaces that have a usable link-local IPv6 address.
    package var interfacesWithLinkLocalIPv6: [InterfaceIndex] {
        byInterface.compactMap { interface, entries in
            entries.values.contains { $0.address.family == .v6 && $0.address.isLinkLocal && $0.isUsable }
                ? interface : nil
        }.sorted()
    }
}
