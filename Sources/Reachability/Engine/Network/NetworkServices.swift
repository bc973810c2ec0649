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
        metered = Set((facts.networkManager?.devices ?? [:]).filter(\.value.isMetered).keys)
    }
}
