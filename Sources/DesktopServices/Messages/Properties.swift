/// The properties of one interface of an object, by name: D-Bus type `a{sv}`.
package struct Properties: Equatable, Sendable {
    private var values: [String: BusValue] = [:]

    /// Reads a dictionary with string keys; nil for any other type. Of a key that comes twice the last one counts.
    package init?(_ value: BusValue?) {
        guard let entries = value?.dictionary else { return nil }
        for entry in entries {
            guard let name = entry.key.string else { return nil }
            values[name] = entry.value
        }
    }

    /// The property's value, nil if it is not there.
    package subscript(name: String) -> BusValue? { values[name] }
}

/// The arguments of the signal `org.freedesktop.DBus.Properties.PropertiesChanged`.
package struct PropertiesChanged: Equatable, Sendable {
    /// The interface whose properties changed.
    package var interface: String
    /// The new values.
    package var changed: Properties
    /// Properties that changed to a value that was not sent.
    package var invalidated: Set<String>

    /// Nil if the arguments are not of type `sa{sv}as`.
    package init?(_ body: [BusValue]?) {
        guard let body, body.count == 3, let interface = body[0].string, let changed = Properties(body[1]),
            let invalidated = body[2].strings
        else { return nil }
        self.interface = interface
        self.changed = changed
        self.invalidated = Set(invalidated)
    }
}

/// Objects of an object manager with their interfaces.
package enum ManagedObjects {
    /// The interfaces of one object, D-Bus type `a{sa{sv}}`; nil for another type.
    package static func interfaces(_ value: BusValue?) -> [String: Properties]? {
        guard let entries = value?.dictionary else { return nil }
        var interfaces: [String: Properties] = [:]
        for entry in entries {
            guard let name = entry.key.string, let properties = Properties(entry.value) else { return nil }
            interfaces[name] = properties
        }
        return interfaces
    }

    /// The answer of `GetManagedObjects`, D-Bus type `a{oa{sa{sv}}}`; nil for another type.
    package static func tree(_ body: [BusValue]?) -> [String: [String: Properties]]? {
        guard let body, body.count == 1, let entries = body[0].dictionary else { return nil }
        var tree: [String: [String: Properties]] = [:]
        for entry in entries {
            guard let path = entry.key.objectPath, let interfaces = interfaces(entry.value) else { return nil }
            tree[path] = interfaces
        }
        return tree
    }

    /// The arguments of `InterfacesAdded`, D-Bus type `oa{sa{sv}}`; nil for another type.
    package static func added(_ body: [BusValue]?) -> (path: String, interfaces: [String: Properties])? {
        guard let body, body.count == 2, let path = body[0].objectPath, let interfaces = interfaces(body[1])
        else { return nil }
        return (path, interfaces)
    }

    /// The arguments of `InterfacesRemoved`, D-Bus type `oas`; nil for another type.
    package static func removed(_ body: [BusValue]?) -> (path: String, interfaces: [String])? {
        guard let body, body.count == 2, let path = body[0].objectPath, let interfaces = body[1].strings
        else { return nil }
        return (path, interfaces)
    }
}
