package import InternetProtocol

/// The host's own addresses by interface.
package struct AddressTable: Equatable, Sendable {
    private var byInterface: [InterfaceIndex: [Key: InterfaceAddress]] = [:]

    /// What tells two addresses of an interface apart: IPv4 allows one address with several prefix lengths and several peers
    /// (net/ipv4/devinet.c, inet_rtm_deladdr), IPv6 only one of each address.
    private struct Key: Hashable {
        let address: IPAddress
        let prefixLength: Int
        let peer: IPAddress?

        init(_ entry: InterfaceAddress) {
            address = entry.address
            prefixLength = entry.prefixLength
            peer = entry.address.family == .v4 ? entry.peer : nil
        }
    }

    package init(_ addresses: some Sequence<InterfaceAddress> = []) {
        for address in addresses { insert(address) }
    }

    /// Adds or replaces an address; true if it was not there just so.
    @discardableResult
    package mutating func insert(_ entry: InterfaceAddress) -> Bool {
        byInterface[entry.interface, default: [:]].updateValue(entry, forKey: Key(entry)) != entry
    }

    /// Takes an address away; true if it was there.
    @discardableResult
    package mutating func remove(_ entry: InterfaceAddress) -> Bool {
        byInterface[entry.interface]?.removeValue(forKey: Key(entry)) != nil
    }

    /// The interface went down. Addresses that stay although it did (keep_addr_on_down) have to be looked at for duplicates again
    /// before they are of use, which the kernel tells only once that is over (net/ipv6/addrconf.c, addrconf_ifdown).
    package mutating func interfaceWentDown(_ interface: InterfaceIndex) {
        guard let entries = byInterface[interface] else { return }
        byInterface[interface] = entries.mapValues { entry in
            var entry = entry
            if entry.address.family == .v6, !entry.flags.contains(.withoutDuplicateDetection) {
                entry.flags.insert(.tentative)
            }
            return entry
        }
    }

    /// Forgets an interface with all it had.
    package mutating func removeAll(of interface: InterfaceIndex) {
        byInterface[interface] = nil
    }

    /// The addresses of an interface in a fixed order.
    package subscript(interface: InterfaceIndex) -> [InterfaceAddress] {
        (byInterface[interface] ?? [:]).values.sorted {
            ($0.address, $0.prefixLength, $0.peer ?? $0.address) < ($1.address, $1.prefixLength, $1.peer ?? $1.address)
        }
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
