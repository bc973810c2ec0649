internal import DesktopServices
internal import InternetProtocol
internal import NameResolution
internal import Reachability
internal import Rtnetlink
internal import Synchronization

/// The radio technology of a scripted modem.
public enum ScriptedTechnology: Hashable, Sendable, CaseIterable {
    /// Second generation.
    case gprs, edge, cdma1x
    /// Third generation.
    case umts, hsdpa, hsupa, evdo0, evdoA, evdoB
    /// Fourth generation.
    case lte
    /// Fifth generation, beside LTE and alone.
    case nrBesideLTE, nr

    var technologies: AccessTechnologies {
        switch self {
        case .gprs: .gprs
        case .edge: .edge
        case .cdma1x: .cdma1x
        case .umts: .umts
        case .hsdpa: .hsdpa
        case .hsupa: .hsupa
        case .evdo0: .evdo0
        case .evdoA: .evdoA
        case .evdoB: .evdoB
        case .lte: .lte
        case .nrBesideLTE: [.nr, .lte]
        case .nr: .nr
        }
    }
}

/// What others than the kernel say of a scripted network. Each call is told as one change.
extension ScriptedNetwork {
    /// A modem that claims the interfaces, as ModemManager tells of it: they are cellular whatever they look like.
    /// One of the name is replaced. Without a technology its generation is not known.
    public func setModem(_ service: String, interfaces: [String], technology: ScriptedTechnology?) {
        batch { $0.setModem(service, interfaces: interfaces, technology: technology) }
    }

    /// The modem is gone.
    public func removeModem(_ service: String) {
        batch { $0.removeModem(service) }
    }

    /// Traffic over the interface costs money, as NetworkManager tells it, or does not.
    public func setMetered(_ interface: String, _ isMetered: Bool) {
        batch { $0.setMetered(interface, isMetered) }
    }

    /// The name servers that are configured, in the order in which they are asked, a link-local one with its interface
    /// (`fe80::1%eth0`). What is no address is left out.
    public func setNameservers(_ servers: [String]) {
        state.withLock { $0.nameservers = servers.compactMap { Nameserver($0) } }
        changeResolverConfiguration()
    }

    /// Gives the interface one more address; does nothing if the text is no address, or there is no such interface.
    public func addAddress(_ address: String, to interface: String) {
        batch { $0.addAddress(address, to: interface) }
    }

    /// Takes the address from the interface.
    public func removeAddress(_ address: String, from interface: String) {
        batch { $0.removeAddress(address, from: interface) }
    }
}

extension ScriptedNetwork.Batch {
    /// See `ScriptedNetwork.setModem`.
    public borrowing func setModem(_ service: String, interfaces: [String], technology: ScriptedTechnology?) {
        let radio = NetworkServices.Radio(
            service: service, interfaces: Set(interfaces), technologies: technology?.technologies ?? [])
        change(.services) { script in
            script.view.services.radios.removeAll { $0.service == service }
            script.view.services.radios.append(radio)
            script.updateModems()
        }
    }

    /// See `ScriptedNetwork.removeModem`.
    public borrowing func removeModem(_ service: String) {
        change(.services) { script in
            script.view.services.radios.removeAll { $0.service == service }
            script.updateModems()
        }
    }

    /// See `ScriptedNetwork.setMetered`.
    public borrowing func setMetered(_ interface: String, _ isMetered: Bool) {
        change(.services) { script in
            if isMetered {
                script.view.services.metered.insert(interface)
            } else {
                script.view.services.metered.remove(interface)
            }
        }
    }

    /// See `ScriptedNetwork.addAddress`.
    public borrowing func addAddress(_ address: String, to interface: String) {
        change(.address) { script in
            guard let ip = IPAddress(address), let link = script.view.links[name: interface] else { return }
            let length = ip.family == .v4 ? 24 : 64
            script.view.addresses.insert(InterfaceAddress(interface: link.index, address: ip, prefixLength: length))
        }
    }

    /// See `ScriptedNetwork.removeAddress`.
    public borrowing func removeAddress(_ address: String, from interface: String) {
        change(.address) { script in
            guard let ip = IPAddress(address), let link = script.view.links[name: interface] else { return }
            for entry in script.view.addresses[link.index] where entry.address == ip {
                script.view.addresses.remove(entry)
            }
        }
    }
}

extension ScriptedState {
    mutating func updateModems() {
        view.services.modems = view.services.radios.reduce(into: []) { $0.formUnion($1.interfaces) }
    }
}
