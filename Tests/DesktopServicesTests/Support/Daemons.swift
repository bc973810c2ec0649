import DesktopMocks
import DesktopServices
import Testing

/// Answers of ModemManager, as its D-Bus reference gives them.
extension ModemManager {
    /// A connected modem with one network port and one bearer.
    static let properties: [String: BusValue] = [
        "AccessTechnologies": .uint32(0x4000), "State": .int32(11), "Bearers": .paths(bearer0),
        "Ports": .ports(["wwan0": 2, "cdc-wdm0": 6]), "Manufacturer": .string("lab"),
    ]

    static func tree(_ properties: [String: BusValue] = properties) -> [BusValue] {
        [.objects([modem0: [modem: properties, registration: ["RegistrationState": .uint32(1)]]])]
    }
}

/// Answers of NetworkManager, as its D-Bus reference gives them.
extension NetworkManager {
    static func managerProperties(devices: Int..., metered: UInt32 = 4) -> [BusValue] {
        [
            .properties([
                "Metered": .uint32(metered), "Connectivity": .uint32(4),
                "Devices": .array(devices.map { .objectPath(device($0)) }), "Version": .string("1.42.4"),
            ])
        ]
    }

    static func deviceProperties(_ interface: String, _ metered: UInt32, carrier: String? = nil) -> [BusValue] {
        [
            .properties([
                "Interface": .string(interface), "IpInterface": .string(carrier ?? interface),
                "Metered": .uint32(metered),
            ])
        ]
    }
}

extension Conversation {
    /// A property of a daemon's object changed.
    mutating func changed(
        from sender: String, _ path: String, _ interface: String, _ values: [String: BusValue],
        invalidated: [String] = []
    ) {
        signal(
            from: sender, path, BusName.properties, "PropertiesChanged",
            [.string(interface), .properties(values), .array(invalidated.map { .string($0) })])
    }

    mutating func modemChanged(_ values: [String: BusValue], invalidated: [String] = []) {
        changed(
            from: Self.modemManager, ModemManager.modem0, ModemManager.modem, values, invalidated: invalidated)
    }

    /// With ModemManager there and a modem answered for.
    static func withModem() -> Conversation {
        var conversation = Conversation(modemManager: modemManager)
        conversation.answer("GetManagedObjects", ModemManager.path, ModemManager.tree())
        conversation.answer("GetAll", ModemManager.bearer0, [.properties(["Interface": .string("wwan0")])])
        return conversation
    }

    /// With NetworkManager there, and two devices answered for: `eth0`, not metered, and `wlan0`, guessed to be.
    static func withDevices() -> Conversation {
        var conversation = Conversation(networkManager: networkManager)
        conversation.answer("GetAll", NetworkManager.path, NetworkManager.managerProperties(devices: 1, 2))
        conversation.answer("GetAll", NetworkManager.device(1), NetworkManager.deviceProperties("eth0", 4))
        conversation.answer("GetAll", NetworkManager.device(2), NetworkManager.deviceProperties("wlan0", 3))
        return conversation
    }
}
