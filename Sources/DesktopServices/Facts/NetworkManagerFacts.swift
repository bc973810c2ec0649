/// What NetworkManager says about the host.
package struct NetworkManagerFacts: Equatable, Sendable {
    /// `Metered` of the manager: that of the device of the primary connection. For an interface whose device has a value of
    /// its own that one counts; this one is wrong there when IPv4 and IPv6 leave by different devices.
    package var metered = Metered.unknown
    /// `Connectivity` of the manager: what its own check found. For information; it decides nothing here.
    package var connectivity = Connectivity.unknown
    /// `Metered` of each device by the name of its interface. A device whose traffic uses another interface than its
    /// own (a modem's `wwan0` over `cdc-wdm0`, PPPoE's `ppp0` over `eth0`) stands under both names.
    package var devices: [String: Metered] = [:]

    /// Facts of which only what is given is known.
    package init(
        metered: Metered = .unknown, connectivity: Connectivity = .unknown, devices: [String: Metered] = [:]
    ) {
        self.metered = metered
        self.connectivity = connectivity
        self.devices = devices
    }
}

/// Whether traffic costs, D-Bus type `u`, values of `NMMetered`.
package struct Metered: RawRepresentable, Hashable, Sendable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// The daemon has not said, or does not know.
    package static let unknown = Metered(rawValue: 0)
    /// It costs, says the user.
    package static let yes = Metered(rawValue: 1)
    /// It does not cost, says the user.
    package static let no = Metered(rawValue: 2)
    /// It costs, guesses the daemon from the kind of device or from a hint of the DHCP server.
    package static let guessYes = Metered(rawValue: 3)
    /// It does not cost, guesses the daemon.
    package static let guessNo = Metered(rawValue: 4)

    /// True for yes and guess-yes, as NetworkManager's documentation advises.
    package var isMetered: Bool { self == .yes || self == .guessYes }
    /// True for no and guess-no.
    package var isUnmetered: Bool { self == .no || self == .guessNo }
}

/// What NetworkManager's connectivity check found, D-Bus type `u`, values of `NMConnectivityState`.
package struct Connectivity: RawRepresentable, Hashable, Sendable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// The daemon has not said, or does not check.
    package static let unknown = Connectivity(rawValue: 0)
    /// No network.
    package static let none = Connectivity(rawValue: 1)
    /// A portal that wants a log-in first.
    package static let portal = Connectivity(rawValue: 2)
    /// A network without Internet.
    package static let limited = Connectivity(rawValue: 3)
    /// Internet.
    package static let full = Connectivity(rawValue: 4)
}

extension Connectivity: CustomStringConvertible {
    /// NetworkManager's word for it: `full`, `limited`, `portal`, `none`, and `unknown` for a value that has none.
    package var description: String {
        switch self {
        case .none: "none"
        case .portal: "portal"
        case .limited: "limited"
        case .full: "full"
        default: "unknown"
        }
    }
}
