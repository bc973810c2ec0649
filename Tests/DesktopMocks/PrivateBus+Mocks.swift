import DesktopServices

/// Mocks of the daemons, made with python-dbusmock.
extension PrivateBus {
    private static let mock = "org.freedesktop.DBus.Mock"

    /// NetworkManager with one Wi-Fi device, `wlan0`; nothing is metered.
    package func runNetworkManager() throws -> ChildProcess {
        let child = try run(
            [Self.python, "-m", "dbusmock", "--system", "--template", "networkmanager"],
            name: NetworkManagerModel.busName)
        try call(
            NetworkManagerModel.busName, NetworkManager.path, "\(Self.mock).AddProperty", NetworkManager.manager,
            "Metered", "<uint32 4>")
        try call(
            NetworkManagerModel.busName, NetworkManager.path, "\(Self.mock).AddWiFiDevice", "wlan0", "wlan0", "100")
        try call(
            NetworkManagerModel.busName, "\(NetworkManager.path)/Devices/wlan0", "\(Self.mock).AddProperty",
            NetworkManager.device, "Metered", "<uint32 4>")
        return child
    }

    /// ModemManager with no modem.
    package func runModemManager() throws -> ChildProcess {
        try run(
            [
                Self.python, "-m", "dbusmock", "--system", "--is-object-manager", ModemManagerModel.busName,
                ModemManager.path, ModemManagerModel.busName,
            ], name: ModemManagerModel.busName)
    }

    /// Adds a modem on `wwan0` in an LTE network, with one bearer, and has the daemon tell of it.
    package func addModem(_ path: String = ModemManager.modem0) throws {
        let properties = """
            {'AccessTechnologies': <uint32 16384>, 'State': <int32 11>, 'Bearers': <[objectpath '\(ModemManager.bearer0)']>,\
            'Ports': <[('wwan0', uint32 2), ('cdc-wdm0', uint32 6)]>}
            """
        try call(
            ModemManagerModel.busName, ModemManager.path, "\(Self.mock).AddObject", ModemManager.bearer0,
            ModemManager.bearer, "{'Interface': <'wwan0'>, 'Connected': <true>}", "@a(ssss) []")
        try call(
            ModemManagerModel.busName, ModemManager.path, "\(Self.mock).AddObject", path, ModemManager.modem,
            properties, "@a(ssss) []")
        try call(
            ModemManagerModel.busName, ModemManager.path, "\(Self.mock).EmitSignal", BusName.objectManager,
            "InterfacesAdded", "oa{sa{sv}}",
            "[<objectpath '\(path)'>, <{'\(ModemManager.modem)': \(properties)}>]")
    }

    /// Takes a modem away, and has the daemon tell of it.
    package func removeModem(_ path: String = ModemManager.modem0) throws {
        try call(ModemManagerModel.busName, ModemManager.path, "\(Self.mock).RemoveObject", path)
        try call(ModemManagerModel.busName, ModemManager.path, "\(Self.mock).RemoveObject", ModemManager.bearer0)
        try call(
            ModemManagerModel.busName, ModemManager.path, "\(Self.mock).EmitSignal", BusName.objectManager,
            "InterfacesRemoved", "oas", "[<objectpath '\(path)'>, <['\(ModemManager.modem)']>]")
    }

    /// Changes a property of the modem. The value is in GVariant text form.
    package func setModem(_ property: String, _ value: String) throws {
        try update(ModemManagerModel.busName, ModemManager.modem0, ModemManager.modem, property, value)
    }

    /// Changes a property of NetworkManager's manager object.
    package func setManager(_ property: String, _ value: String) throws {
        try update(NetworkManagerModel.busName, NetworkManager.path, NetworkManager.manager, property, value)
    }

    /// Changes a property of NetworkManager's device `wlan0`.
    package func setDevice(_ property: String, _ value: String) throws {
        try update(
            NetworkManagerModel.busName, "\(NetworkManager.path)/Devices/wlan0", NetworkManager.device, property,
            value)
    }

    private func update(
        _ name: String, _ path: String, _ interface: String, _ property: String, _ value: String
    ) throws {
        try call(name, path, "\(Self.mock).UpdateProperties", interface, "{'\(property)': <\(value)>}")
    }
}
