package import InternetProtocol

/// The names that need no server: localhost and those of the hosts file, as far as nsswitch.conf(5) has it asked. Lookups
/// and live reads decide by this alike. A value: any thread.
package struct LocalNames: Hashable, Sendable {
    /// What stands in the hosts file; not asked where `services` leaves it out.
    package let hosts: HostsFile
    /// Where names are looked for.
    package let services: NameServices

    /// By default no name stands in the hosts file, and there are servers for the others.
    package init(hosts: HostsFile = HostsFile(), services: NameServices = .default) {
        self.hosts = hosts
        self.services = services
    }

    /// What the files at these paths say now; one that cannot be read says nothing. Any thread; reads the disk.
    package static func read(
        hostsPath: String = HostsFile.systemPath, servicesPath: String = NameServices.systemPath
    ) -> LocalNames {
        let services = NameServices.read(path: servicesPath)
        // A block list may have megabytes: it is not read for nothing.
        guard services.contains(.hostsFile) else { return LocalNames(services: services) }
        return LocalNames(hosts: (try? HostsFile.read(path: hostsPath)) ?? HostsFile(), services: services)
    }

    /// What this host itself says of a name: its addresses in the hosts file, or loopback for localhost and the names below
    /// it (RFC 6761, 6.3). None: the name does not exist, as no server is to be asked. Nil: a server has to be asked.
    package func addresses(of name: HostName) -> [IPAddress]? {
        let listed = services.contains(.hostsFile) ? hosts.addresses(of: name) : []
        if !listed.isEmpty { return listed }
        if name.isLocalhost { return Self.loopback }
        return services.contains(.servers) ? nil : []
    }

    private static let loopback = IPAddress.Family.allCases.map { IPAddress.loopback($0) }
}
