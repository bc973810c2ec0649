/// A modem as ModemManager tells of it. What the daemon did not say, or said in the wrong type, is empty or unknown.
package struct Modem: Hashable, Sendable {
    /// The modem's object path, such as `/org/freedesktop/ModemManager1/Modem/0`.
    package var path: String
    /// The network interfaces among its ports, such as `wwan0`; control ports are left out.
    package var ports: [String] = []
    /// The interfaces its connected bearers use, such as `ppp0`, ordered by bearer.
    package var bearerInterfaces: [String] = []
    /// The technologies in use; empty when unknown.
    package var accessTechnologies: AccessTechnologies = []

    /// A modem of which only what is given is known.
    package init(
        path: String, ports: [String] = [], bearerInterfaces: [String] = [], accessTechnologies: AccessTechnologies = []
    ) {
        self.path = path
        self.ports = ports
        self.bearerInterfaces = bearerInterfaces
        self.accessTechnologies = accessTechnologies
    }
}
