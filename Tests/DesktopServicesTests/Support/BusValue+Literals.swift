import DesktopServices

extension BusValue {
    /// Properties as a daemon sends them: `a{sv}`.
    static func properties(_ values: [String: BusValue]) -> BusValue {
        .dictionary(values.sorted { $0.key < $1.key }.map { Entry(.string($0.key), .variant($0.value)) })
    }

    /// Interfaces of an object: `a{sa{sv}}`.
    static func interfaces(_ interfaces: [String: [String: BusValue]]) -> BusValue {
        .dictionary(interfaces.sorted { $0.key < $1.key }.map { Entry(.string($0.key), .properties($0.value)) })
    }

    /// A tree of objects: `a{oa{sa{sv}}}`.
    static func objects(_ objects: [String: [String: [String: BusValue]]]) -> BusValue {
        .dictionary(objects.sorted { $0.key < $1.key }.map { Entry(.objectPath($0.key), .interfaces($0.value)) })
    }

    /// Object paths: `ao`.
    static func paths(_ paths: String...) -> BusValue { .array(paths.map { .objectPath($0) }) }

    /// A modem's ports: `a(su)`, each a name and a kind; kind 2 is a network interface.
    static func ports(_ ports: KeyValuePairs<String, UInt32>) -> BusValue {
        .array(ports.map { .structure([.string($0.key), .uint32($0.value)]) })
    }
}
