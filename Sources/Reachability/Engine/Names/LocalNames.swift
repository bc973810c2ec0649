package import InternetProtocol
package import NameResolution

/// The names that need no server: localhost and those of the hosts file.
package enum LocalNames {
    /// What this host itself says of a name; nil if a server has to be asked. Reads the hosts file unless the path is nil.
    package static func addresses(of name: HostName, hostsPath: String? = HostsFile.systemPath) -> [IPAddress]? {
        if let hostsPath, let hosts = try? HostsFile.read(path: hostsPath) {
            let addresses = hosts.addresses(of: name)
            if !addresses.isEmpty { return addresses }
        }
        return name.isLocalhost ? loopback : nil
    }

    /// What localhost means where the hosts file does not say (RFC 6761, 6.3).
    private static let loopback = [IPAddress(v4: 0x7f00_0001), IPAddress(family: .v6, bits: 1)]
}
