package import DesktopServices
package import InternetProtocol
package import Rtnetlink

/// What a path report says beyond the default route: an object, since few reports have it.
package final class PathFacts: Sendable {
    /// In the order of preference, the one that packets leave by first.
    package let interfaces: [NetworkInterface]
    package let gateways: [Hop]
    /// The addresses of the interfaces that packets leave by, link-local ones left out.
    package let localAddresses: [IPAddress]
    package let supportsIPv4: Bool
    package let supportsIPv6: Bool
    /// One of the families leaves by a cellular link, or by one that NetworkManager calls metered, under a tunnel too.
    package let isExpensive: Bool
    package let nameservers: [Server]
    package let radios: [NetworkServices.Radio]
    /// What NetworkManager's own check found, which decides nothing.
    package let connectivity: Connectivity

    /// A next hop and the interface it is reached by.
    package struct Hop: Hashable, Sendable {
        package let address: IPAddress
        package let interface: InterfaceIndex
    }

    /// A name server; a link-local one with the interface that its scope names, nil where there is no such interface.
    package struct Server: Hashable, Sendable {
        package let address: IPAddress
        package let interface: InterfaceIndex?
    }

    package init(
        interfaces: [NetworkInterface], gateways: [Hop], localAddresses: [IPAddress], supportsIPv4: Bool,
        supportsIPv6: Bool, isExpensive: Bool, nameservers: [Server], radios: [NetworkServices.Radio],
        connectivity: Connectivity
    ) {
        self.interfaces = interfaces
        self.gateways = gateways
        self.localAddresses = localAddresses
        self.supportsIPv4 = supportsIPv4
        self.supportsIPv6 = supportsIPv6
        self.isExpensive = isExpensive
        self.nameservers = nameservers
        self.radios = radios
        self.connectivity = connectivity
    }
}

extension PathFacts: Hashable {
    package static func == (a: PathFacts, b: PathFacts) -> Bool {
        a === b
            || a.interfaces == b.interfaces && a.interfaces.map(\.type) == b.interfaces.map(\.type)
                && a.gateways == b.gateways && a.localAddresses == b.localAddresses
                && a.supportsIPv4 == b.supportsIPv4 && a.supportsIPv6 == b.supportsIPv6
                && a.isExpensive == b.isExpensive && a.nameservers == b.nameservers && a.radios == b.radios
                && a.connectivity == b.connectivity
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(interfaces)
        hasher.combine(gateways)
    }
}
