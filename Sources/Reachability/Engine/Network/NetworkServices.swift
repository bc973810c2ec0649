package import DesktopServices
package import NameResolution

/// What others than the kernel say of the network: the resolver's configuration, ModemManager, NetworkManager.
///
/// All of it may be missing at any time; nothing depends on it but what it says itself.
package struct NetworkServices: Equatable, Sendable {
    /// Names of the interfaces that ModemManager claims.
    package var modems: Set<String>
    /// Names of the interfaces whose traffic NetworkManager knows or guesses to cost money.
    package var metered: Set<String>
    /// Names of the interfaces whose traffic NetworkManager knows or guesses to cost nothing.
    package var unmetered: Set<String> = []
    /// NetworkManager knows or guesses that the host's traffic costs money. For interfaces it says nothing of.
    package var isMetered = false
    /// What NetworkManager's own check found. For information: nothing is decided by it.
    package var connectivity = Connectivity.unknown
    /// The modems with what they talk to the network by.
    package var radios: [Radio]
    /// The name servers with their scopes, in the order in which they are asked.
    package var nameservers: [Nameserver]

    /// A modem.
    package struct Radio: Hashable, Sendable {
        /// ModemManager's name of it, an object path.
        package var service: String
        package var interfaces: Set<String>
        package var technologies: AccessTechnologies

        package init(service: String, interfaces: Set<String>, technologies: AccessTechnologies) {
            self.service = service
            self.interfaces = interfaces
            self.technologies = technologies
        }
    }

    package init(
        modems: Set<String> = [], metered: Set<String> = [], radios: [Radio] = [], nameservers: [Nameserver] = []
    ) {
        self.modems = modems
        self.metered = metered
        self.radios = radios
        self.nameservers = nameservers
    }

    /// Takes over what the desktop's daemons say.
    package mutating func apply(_ facts: DesktopFacts) {
        radios = facts.modems.map { modem in
            Radio(
                service: modem.path, interfaces: Set(modem.ports + modem.bearerInterfaces),
                technologies: modem.accessTechnologies)
        }
        modems = radios.reduce(into: []) { $0.formUnion($1.interfaces) }
        let devices = facts.networkManager?.devices ?? [:]
        metered = Set(devices.filter(\.value.isMetered).keys)
        unmetered = Set(devices.filter(\.value.isUnmetered).keys)
        isMetered = facts.networkManager?.metered.isMetered ?? false
        connectivity = facts.networkManager?.connectivity ?? .unknown
    }

    /// True if NetworkManager says that traffic over these interfaces costs money: the one that packets leave by and
    /// the one under it. The host's value stands in where neither has one, as for interfaces that it does not manage.
    package func isMetered(_ interfaces: [String]) -> Bool {
        if interfaces.contains(where: metered.contains) { return true }
        return isMetered && !interfaces.contains(where: unmetered.contains)
    }
}
