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
    /// How far the modem has come.
    package var state = State.unknown
    /// Whether the modem is in a network, and in whose.
    package var registration = Registration.unknown

    /// A modem of which only what is given is known.
    package init(
        path: String, ports: [String] = [], bearerInterfaces: [String] = [],
        accessTechnologies: AccessTechnologies = [], state: State = .unknown, registration: Registration = .unknown
    ) {
        self.path = path
        self.ports = ports
        self.bearerInterfaces = bearerInterfaces
        self.accessTechnologies = accessTechnologies
        self.state = state
        self.registration = registration
    }

    /// True if `interface` is one of the modem's ports or is used by one of its bearers.
    package func claims(interface: String) -> Bool {
        ports.contains(interface) || bearerInterfaces.contains(interface)
    }
}

extension Modem {
    /// `State` of the modem, D-Bus type `i`, values of `MMModemState`.
    package struct State: RawRepresentable, Hashable, Sendable {
        package let rawValue: Int32

        package init(rawValue: Int32) {
            self.rawValue = rawValue
        }

        /// The modem cannot be used.
        package static let failed = State(rawValue: -1)
        /// The daemon has not said.
        package static let unknown = State(rawValue: 0)
        /// The modem is being looked into.
        package static let initializing = State(rawValue: 1)
        /// The SIM wants its PIN.
        package static let locked = State(rawValue: 2)
        /// Switched off.
        package static let disabled = State(rawValue: 3)
        /// On the way to being switched off.
        package static let disabling = State(rawValue: 4)
        /// On the way to being switched on.
        package static let enabling = State(rawValue: 5)
        /// Switched on, and in no network.
        package static let enabled = State(rawValue: 6)
        /// Looking for a network.
        package static let searching = State(rawValue: 7)
        /// In a network, without data.
        package static let registered = State(rawValue: 8)
        /// Ending its data connection.
        package static let disconnecting = State(rawValue: 9)
        /// Making a data connection.
        package static let connecting = State(rawValue: 10)
        /// With a data connection.
        package static let connected = State(rawValue: 11)
    }

    /// `RegistrationState` of the modem's 3GPP interface, D-Bus type `u`, values of `MMModem3gppRegistrationState`.
    package struct Registration: RawRepresentable, Hashable, Sendable {
        package let rawValue: UInt32

        package init(rawValue: UInt32) {
            self.rawValue = rawValue
        }

        /// In no network, and not looking for one.
        package static let idle = Registration(rawValue: 0)
        /// In the network of its SIM.
        package static let home = Registration(rawValue: 1)
        /// Looking for a network.
        package static let searching = Registration(rawValue: 2)
        /// Refused by the network.
        package static let denied = Registration(rawValue: 3)
        /// The daemon has not said.
        package static let unknown = Registration(rawValue: 4)
        /// In a foreign network.
        package static let roaming = Registration(rawValue: 5)
        /// In the network of its SIM, for messages only.
        package static let homeSMSOnly = Registration(rawValue: 6)
        /// In a foreign network, for messages only.
        package static let roamingSMSOnly = Registration(rawValue: 7)

        /// True when the network is a foreign one.
        package var isRoaming: Bool { self == .roaming || self == .roamingSMSOnly }
    }
}
