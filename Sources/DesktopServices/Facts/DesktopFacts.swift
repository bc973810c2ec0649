/// What the desktop's network daemons say now. Empty when there is no bus, no daemon or no answer: nothing in it is
/// older than the daemon that said it.
package struct DesktopFacts: Equatable, Sendable {
    /// ModemManager's modems, ordered by object path.
    package var modems: [Modem] = []
    /// NetworkManager's word; nil when it is not there or has not answered.
    package var networkManager: NetworkManagerFacts?

    /// Facts as told; without arguments, that nothing is known.
    package init(modems: [Modem] = [], networkManager: NetworkManagerFacts? = nil) {
        self.modems = modems
        self.networkManager = networkManager
    }

    /// The modem that claims an interface as its port or through a bearer; the first of several.
    package func modem(interface: String) -> Modem? {
        modems.first { $0.claims(interface: interface) }
    }

    /// True if a modem claims the interface: this is how `ppp0` and `usb0` of a modem are known for what they are.
    package func isCellular(interface: String) -> Bool {
        modem(interface: interface) != nil
    }

    /// The technologies in use by the modem that claims the interface; nil if none does.
    package func accessTechnologies(interface: String) -> AccessTechnologies? {
        modem(interface: interface)?.accessTechnologies
    }

    /// The generation of the network behind the interface; nil if no modem claims it or its technology is not known.
    package func generation(interface: String) -> CellularGeneration? {
        accessTechnologies(interface: interface)?.generation
    }

    /// True if NetworkManager says, or guesses, that traffic over the interface costs. The device's own value is used;
    /// the manager's follows the best default device and is wrong when IPv4 and IPv6 leave by different ones.
    package func isMetered(interface: String) -> Bool {
        networkManager?.devices[interface]?.isMetered ?? false
    }
}
