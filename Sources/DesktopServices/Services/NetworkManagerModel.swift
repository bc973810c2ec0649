/// What NetworkManager has told: whether traffic costs, for the host and for each device.
///
/// Properties are read object by object. The daemon's tree in one piece would hold every access point and every
/// connection, and mocks of the daemon need not have an object manager.
package struct NetworkManagerModel: ServiceModel {
    /// NetworkManager's name.
    package static let busName = "org.freedesktop.NetworkManager"
    /// The first question: the properties of the manager.
    package static let root = BusMethod.getAll(managerInterface, of: managerPath)

    /// Bound to interfaces by `arg0`: access points change their signal strength every few seconds, and would wake us.
    package static let signalRules =
        [managerInterface, deviceInterface].map {
            "path_namespace='\(managerPath)',interface='\(BusName.properties)',member='PropertiesChanged',arg0='\($0)'"
        }
        + ["DeviceAdded", "DeviceRemoved"].map {
            "path='\(managerPath)',interface='\(managerInterface)',member='\($0)'"
        }
        // A daemon may own its name before its object is there.
        + ["path='/org/freedesktop',interface='\(BusName.objectManager)',arg0path='\(managerPath)'"]

    private static let managerPath = "/org/freedesktop/NetworkManager"
    private static let managerInterface = "org.freedesktop.NetworkManager"
    private static let deviceInterface = "org.freedesktop.NetworkManager.Device"

    /// A host of containers has hundreds of devices; a bound on what a lying daemon can make us keep and ask.
    private static let deviceLimit = 4096

    private struct Device {
        var interface: String?
        var ipInterface: String?
        var metered = Metered.unknown

        static let names = ["Interface", "IpInterface", "Metered"]

        /// Sets one property; nil or a wrong type makes it unknown.
        mutating func set(_ name: String, _ value: BusValue?) {
            switch name {
            case "Interface": interface = value?.interfaceName
            case "IpInterface": ipInterface = value?.interfaceName
            case "Metered": metered = NetworkManagerModel.metered(value)
            default: break
            }
        }
    }

    private var metered = Metered.unknown
    private var connectivity = Connectivity.unknown
    /// By object path. A device that has not answered is there, unknown.
    private var devices: [String: Device] = [:]
    private var isKnown = false

    /// Nothing is known.
    package init() {}

    /// What is known now; nil before the manager has answered.
    package var facts: NetworkManagerFacts? {
        guard isKnown else { return nil }
        var names: [String: Metered] = [:]
        let ordered = devices.sorted { $0.key < $1.key }.map(\.value)
        for device in ordered { Self.claim(device.interface, device.metered, &names) }
        // The interface that carries a device's traffic is that device's, whoever else has the name.
        var carriers: [String: Metered] = [:]
        for device in ordered { Self.claim(device.ipInterface, device.metered, &carriers) }
        names.merge(carriers) { _, carrier in carrier }
        return NetworkManagerFacts(metered: metered, connectivity: connectivity, devices: names)
    }

    package mutating func reply(to method: BusMethod, _ body: [BusValue]?) -> [BusMethod]? {
        let properties = body.flatMap { $0.count == 1 ? Properties($0[0]) : nil }
        if method == Self.root {
            guard let properties else { return nil }
            isKnown = true
            metered = Self.metered(properties["Metered"])
            connectivity = Self.connectivity(properties["Connectivity"])
            devices = [:]
            return setDevices(properties["Devices"] ?? properties["AllDevices"])
        }
        guard devices[method.path] != nil else { return [] }
        var device = Device()
        for name in Device.names { device.set(name, properties?[name]) }
        devices[method.path] = device
        return []
    }

    package mutating func signal(_ signal: BusSignal) -> [BusMethod] {
        // Without the manager's answer nothing is kept; one on its way is younger than this signal.
        guard isKnown else { return [] }
        switch (signal.interface, signal.member) {
        case (BusName.properties, "PropertiesChanged"):
            guard let change = PropertiesChanged(signal.body) else { return [Self.root] }
            switch change.interface {
            case Self.managerInterface where signal.path == Self.managerPath: return applyManager(change)
            case Self.deviceInterface: return applyDevice(change, path: signal.path)
            default: return []
            }
        case (Self.managerInterface, "DeviceAdded"):
            guard let path = signal.body?.first?.objectPath else { return [Self.root] }
            guard devices[path] == nil, devices.count < Self.deviceLimit else { return [] }
            devices[path] = Device()
            return [.getAll(Self.deviceInterface, of: path)]
        case (Self.managerInterface, "DeviceRemoved"):
            guard let path = signal.body?.first?.objectPath else { return [Self.root] }
            devices[path] = nil
            return []
        default:
            return []
        }
    }

    private mutating func applyManager(_ change: PropertiesChanged) -> [BusMethod] {
        if let value = change.changed["Metered"] { metered = Self.metered(value) }
        if let value = change.changed["Connectivity"] { connectivity = Self.connectivity(value) }
        if change.invalidated.contains("Metered") { metered = .unknown }
        if change.invalidated.contains("Connectivity") { connectivity = .unknown }
        let isIncomplete = !change.invalidated.isDisjoint(with: ["Metered", "Connectivity", "Devices"])
        let questions = change.changed["Devices"].map { setDevices($0) } ?? []
        return questions + (isIncomplete ? [Self.root] : [])
    }

    private mutating func applyDevice(_ change: PropertiesChanged, path: String) -> [BusMethod] {
        guard var device = devices[path] else { return [] }
        var isIncomplete = false
        for name in Device.names {
            if let value = change.changed[name] {
                device.set(name, value)
            } else if change.invalidated.contains(name) {
                device.set(name, nil)
                isIncomplete = true
            }
        }
        devices[path] = device
        return isIncomplete ? [.getAll(Self.deviceInterface, of: path)] : []
    }

    /// Takes the list of devices, keeps what is known of those in it, and asks about the others.
    private mutating func setDevices(_ value: BusValue?) -> [BusMethod] {
        let old = devices
        devices = [:]
        var questions: [BusMethod] = []
        for path in (value?.objectPaths ?? []).prefix(Self.deviceLimit) where devices[path] == nil {
            devices[path] = old[path] ?? Device()
            if old[path] == nil { questions.append(.getAll(Self.deviceInterface, of: path)) }
        }
        return questions
    }

    private static func metered(_ value: BusValue?) -> Metered {
        value?.uint32.map(Metered.init) ?? .unknown
    }

    private static func connectivity(_ value: BusValue?) -> Connectivity {
        value?.uint32.map(Connectivity.init) ?? .unknown
    }

    /// Puts a device's value under a name. Of two devices with one name the first that knows its value counts.
    private static func claim(_ name: String?, _ metered: Metered, _ names: inout [String: Metered]) {
        guard let name, names[name] ?? .unknown == .unknown else { return }
        names[name] = metered
    }
}
