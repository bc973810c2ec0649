import CNamespace
import Foundation
import Glibc

extension NetworkNamespace {
    /// Runs commands of iproute2's `ip` one after the other, as they would be typed after the word `ip`.
    func ip(_ commands: String...) throws { try ip(commands) }

    func ip(_ commands: [String]) throws {
        try ChildProcess.run(Self.ipPath, ["-batch", "-"], input: commands.joined(separator: "\n") + "\n", in: self)
    }

    /// Runs commands of which some may fail, and are passed over.
    func tryIP(_ commands: [String]) {
        let input = commands.joined(separator: "\n") + "\n"
        _ = try? ChildProcess.run(Self.ipPath, ["-force", "-batch", "-"], input: input, in: self)
    }

    private static let ipPath =
        ["/usr/sbin/ip", "/sbin/ip", "/usr/bin/ip", "/bin/ip"].first(where: FileManager.default.isExecutableFile)
        ?? "ip"

    /// Adds a link that is up and has carrier: one end of a pair, the other being its name with a "p" behind.
    func addLink(_ name: String, _ addresses: String..., gateway: String? = nil, metric: Int? = nil) throws {
        try ip("link add \(name) type veth peer name \(name)p")
        // An address is to be there at once; duplicate detection has tests of its own.
        try set("net/ipv6/conf/\(name)/accept_dad", to: "0")
        try ip("link set \(name)p up", "link set \(name) up")
        try ip(addresses.map { "addr add \($0) dev \(name)" + ($0.contains(":") ? " nodad" : "") })
        guard let gateway else { return }
        try ip("route add default via \(gateway) dev \(name)" + (metric.map { " metric \($0)" } ?? ""))
    }

    /// Takes a link's carrier away, or gives it back, by the other end.
    func setCarrier(_ name: String, _ isOn: Bool) throws {
        try ip("link set \(name)p \(isOn ? "up" : "down")")
    }

    /// Writes a setting of the IP stack.
    func set(_ key: String, to value: String) throws {
        try run {
            // Sound: open reads the path; write reads the array's own bytes.
            let file = unsafe open("/proc/sys/" + key, O_WRONLY | O_CLOEXEC)
            guard file >= 0 else { throw NamespaceError(call: "open \(key)") }
            defer { close(file) }
            let bytes = Array(value.utf8)
            let count = unsafe bytes.withUnsafeBytes { unsafe write(file, $0.baseAddress, $0.count) }
            guard count > 0 else { throw NamespaceError(call: "write \(key)") }
        }
    }

    /// Adds a tun device that is up, of a hardware type (linux/if_arp.h ARPHRD_…), with no IPv6 on it.
    func addTun(_ name: String, _ addresses: String..., hardwareType: UInt16 = 0xfffe) throws -> TunDevice {
        let tun = try run {
            // Sound: the C function reads the string it is given.
            let descriptor = unsafe namespace_open_tun(name, 0, hardwareType)
            guard descriptor >= 0 else { throw NamespaceError(call: "tun device \(name)") }
            return TunDevice(descriptor)
        }
        try set("net/ipv6/conf/\(name)/disable_ipv6", to: "1")
        try ip("link set \(name) up")
        try ip(addresses.map { "addr add \($0) dev \(name)" })
        return tun
    }
}

/// A tun device, there as long as this is.
final class TunDevice: Sendable {
    private let descriptor: Int32

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }
}
