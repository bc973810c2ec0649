/// What ModemManager has told: its modems with ports, bearers and access technologies.
package struct ModemManagerModel: ServiceModel {
    /// ModemManager's name.
    package static let busName = "org.freedesktop.ModemManager1"
    /// The first question: all modems with their properties.
    package static let root = BusMethod.getManagedObjects(of: managerPath)

    /// Only these interfaces: each matched signal wakes this process, and a modem has a dozen more.
    package static let signalRules =
        [modemInterface, bearerInterface].map {
            "path_namespace='\(managerPath)',interface='\(BusName.properties)',member='PropertiesChanged',arg0='\($0)'"
        } + ["path='\(managerPath)',interface='\(BusName.objectManager)'"]

    private static let managerPath = "/org/freedesktop/ModemManager1"
    private static let modemInterface = "org.freedesktop.ModemManager1.Modem"
    private static let bearerInterface = "org.freedesktop.ModemManager1.Bearer"

    /// More than any host has, and a bound on what a lying daemon can make us keep, for each of modems, ports of a
    /// modem and bearers of a modem.
    private static let limit = 32

    /// `MM_MODEM_PORT_TYPE_NET` of ModemManager-enums.h.
    private static let networkPort: UInt32 = 2

    /// A modem before its bearers' interfaces are looked up.
    private struct Record {
        var modem: Modem
        var bearers: [String] = []

        /// A modem with the properties given; those missing or of a wrong type are unknown.
        init(path: String, _ properties: Properties?) {
            modem = Modem(path: path)
            for name in Self.names { set(name, properties?[name]) }
        }

        static let names = ["Ports", "Bearers", "AccessTechnologies"]

        /// Sets one property; nil or a wrong type makes it unknown.
        mutating func set(_ name: String, _ value: BusValue?) {
            switch name {
            case "Ports": modem.ports = ModemManagerModel.networkPorts(value)
            case "Bearers": bearers = Array((value?.objectPaths ?? []).prefix(limit))
            case "AccessTechnologies": modem.accessTechnologies = AccessTechnologies(rawValue: value?.uint32 ?? 0)
            default: break
            }
        }
    }

    private var records: [String: Record] = [:]
    /// The interface of each bearer that a modem names, by the bearer's path.
    private(set) var bearerInterfaces: [String: String] = [:]
    private var isKnown = false

    /// Nothing is known.
    package init() {}

    /// The modems known now, ordered by path.
    package var modems: [Modem] {
        records.values.sorted { $0.modem.path < $1.modem.path }.map { record in
            var modem = record.modem
            modem.bearerInterfaces = record.bearers.compactMap { bearerInterfaces[$0] }
            return modem
        }
    }

    package mutating func reply(to method: BusMethod, _ body: [BusValue]?) -> [BusMethod]? {
        if method == Self.root {
            guard let tree = ManagedObjects.tree(body) else { return nil }
            isKnown = true
            records = [:]
            bearerInterfaces = [:]
            return tree.keys.sorted().flatMap { add(path: $0, tree[$0] ?? [:]) }
        }
        let properties = body.flatMap { $0.count == 1 ? Properties($0[0]) : nil }
        switch method.arguments {
        case [Self.bearerInterface] where names(bearer: method.path):
            bearerInterfaces[method.path] = properties?["Interface"]?.interfaceName
        case [Self.modemInterface]:
            guard let old = records[method.path] else { return [] }
            let record = Record(path: method.path, properties)
            records[method.path] = record
            return newBearers(of: record, since: old)
        default: break
        }
        return []
    }

    package mutating func signal(_ signal: BusSignal) -> [BusMethod] {
        guard isKnown else { return [] }  // the answer on its way is younger than this signal
        switch (signal.interface, signal.member) {
        case (BusName.properties, "PropertiesChanged"):
            guard let change = PropertiesChanged(signal.body) else { return [Self.root] }
            return apply(change, path: signal.path)
        case (BusName.objectManager, "InterfacesAdded"):
            guard let (path, interfaces) = ManagedObjects.added(signal.body) else { return [Self.root] }
            return add(path: path, interfaces)
        case (BusName.objectManager, "InterfacesRemoved"):
            guard let (path, interfaces) = ManagedObjects.removed(signal.body) else { return [Self.root] }
            if interfaces.contains(Self.modemInterface) { records[path] = nil }
            forgetUnnamedBearers()
            return []
        default:
            return []
        }
    }

    /// Takes interfaces that an object has, or got.
    private mutating func add(path: String, _ interfaces: [String: Properties]) -> [BusMethod] {
        guard let properties = interfaces[Self.modemInterface], records[path] != nil || records.count < Self.limit
        else { return [] }
        let record = Record(path: path, properties)
        records[path] = record
        // One may be told of again with other bearers, and again.
        forgetUnnamedBearers()
        return record.bearers.map { .getAll(Self.bearerInterface, of: $0) }
    }

    private mutating func apply(_ change: PropertiesChanged, path: String) -> [BusMethod] {
        switch change.interface {
        case Self.modemInterface:
            guard let old = records[path] else { return [Self.root] }
            var record = old
            var isIncomplete = false
            for name in Record.names {
                if let value = change.changed[name] {
                    record.set(name, value)
                } else if change.invalidated.contains(name) {
                    record.set(name, nil)
                    isIncomplete = true
                }
            }
            records[path] = record
            return newBearers(of: record, since: old) + (isIncomplete ? [.getAll(Self.modemInterface, of: path)] : [])
        case Self.bearerInterface where names(bearer: path):
            if let value = change.changed["Interface"] {
                bearerInterfaces[path] = value.interfaceName
            } else if change.invalidated.contains("Interface") {
                bearerInterfaces[path] = nil
                return [.getAll(Self.bearerInterface, of: path)]
            }
        default: break
        }
        return []
    }

    /// Questions about bearers that a modem did not name before. Bearers are no part of the managed objects.
    private mutating func newBearers(of record: Record, since old: Record) -> [BusMethod] {
        guard record.bearers != old.bearers else { return [] }
        forgetUnnamedBearers()
        return record.bearers.filter { !old.bearers.contains($0) }.map { .getAll(Self.bearerInterface, of: $0) }
    }

    private mutating func forgetUnnamedBearers() {
        bearerInterfaces = bearerInterfaces.filter { names(bearer: $0.key) }
    }

    private func names(bearer path: String) -> Bool {
        records.values.contains { $0.bearers.contains(path) }
    }

    /// The network interfaces of `Ports`, D-Bus type `a(su)`: name and kind of port. A wrong type means none.
    private static func networkPorts(_ value: BusValue?) -> [String] {
        var names: [String] = []
        for port in (value?.array ?? []).prefix(limit) {
            guard let fields = port.structure, fields.count == 2 else { return [] }
            if fields[1].uint32 == networkPort, let name = fields[0].interfaceName, !names.contains(name) {
                names.append(name)
            }
        }
        return names
    }
}
