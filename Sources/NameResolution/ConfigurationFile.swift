/// A file that says how names are resolved.
package enum ConfigurationFile: CaseIterable, Hashable, Sendable {
    /// resolv.conf(5)
    case resolver
    /// hosts(5)
    case hosts
    /// nsswitch.conf(5)
    case services

    /// Where the system has it.
    package var systemPath: String {
        switch self {
        case .resolver: ResolverConfiguration.systemPath
        case .hosts: HostsFile.systemPath
        case .services: NameServices.systemPath
        }
    }

    /// Where the system has all of them.
    package static var systemPaths: [ConfigurationFile: String] {
        Dictionary(uniqueKeysWithValues: allCases.map { ($0, $0.systemPath) })
    }

    /// The largest one that is read, in bytes.
    var sizeLimit: Int { self == .hosts ? HostsFile.sizeLimit : ResolverConfiguration.sizeLimit }
}
