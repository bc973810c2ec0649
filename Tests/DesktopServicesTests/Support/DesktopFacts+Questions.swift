import DesktopServices

/// What tests ask of facts about one interface.
extension DesktopFacts {
    /// The modem that claims an interface as its port or through a bearer; the first of several.
    func modem(interface: String) -> Modem? {
        modems.first { $0.ports.contains(interface) || $0.bearerInterfaces.contains(interface) }
    }

    /// True if a modem claims the interface.
    func isCellular(interface: String) -> Bool { modem(interface: interface) != nil }

    /// The generation of the network behind the interface; nil if no modem claims it or its technology is not known.
    func generation(interface: String) -> CellularGeneration? {
        modem(interface: interface)?.accessTechnologies.generation
    }

    /// True if NetworkManager says of the device, or guesses, that its traffic costs.
    func isMetered(interface: String) -> Bool { networkManager?.devices[interface]?.isMetered ?? false }
}
