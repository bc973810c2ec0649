/// One place where a bus may listen, in the text form of the D-Bus specification.
///
/// Only `unix:` addresses with a path or an abstract name are taken. `tcp:` would resolve names, `unixexec:` would run
/// a program: both block.
package struct BusAddress: Equatable, Sendable {
    /// The entry as it was given, for the library to read.
    package let text: String
    /// The file of the socket; nil for an abstract one, which has none.
    package let socketPath: String?

    /// Where the system bus listens unless `DBUS_SYSTEM_BUS_ADDRESS` says otherwise.
    package static let system = "unix:path=/run/dbus/system_bus_socket"

    /// The usable entries of an address list, which are separated by semicolons, in their order.
    package static func list(_ text: String) -> [BusAddress] {
        text.utf8.split(separator: UInt8(ascii: ";")).compactMap { BusAddress(entry: String(Substring($0))) }
    }

    private init?(entry: String) {
        guard entry.hasPrefix("unix:") else { return nil }
        var path: String?
        var isAbstract = false
        for pair in entry.utf8.dropFirst("unix:".utf8.count).split(separator: UInt8(ascii: ",")) {
            let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1)
            guard parts.count == 2, let value = Self.unescaped(parts[1]) else { return nil }
            switch String(Substring(parts[0])) {
            case "path": path = value
            case "abstract": isAbstract = true
            default: break  // guid, and keys of later versions
            }
        }
        guard (path != nil) != isAbstract, path?.isEmpty != true else { return nil }
        text = entry
        socketPath = path
    }

    /// A value with its `%xx` escapes resolved; nil if one is broken or the result is no text.
    private static func unescaped(_ value: Substring.UTF8View) -> String? {
        var bytes: [UInt8] = []
        var rest = value[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard rest.count >= 2, let code = UInt8(String(Substring(rest.prefix(2))), radix: 16), code != 0
            else { return nil }
            bytes.append(code)
            rest = rest.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
