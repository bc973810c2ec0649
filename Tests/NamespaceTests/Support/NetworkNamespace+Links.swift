import CNamespace
import Foundation
import Glibc
import InternetProtocol
import Rtnetlink

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
        // An address is to be there at once, and nothing is to happen later; duplicate detection has tests of its own.
        try set("net/ipv6/conf/\(name)/accept_dad", to: "0")
        try set("net/ipv6/conf/\(name)p/disable_ipv6", to: "1")
        try ip("link set \(name)p up", "link set \(name) up")
        for address in addresses { try addAddress(address, to: name) }
        guard let gateway else { return }
        try ip("route add default via \(gateway) dev \(name)" + (metric.map { " metric \($0)" } ?? ""))
    }

    /// Adds an address and waits until the host has it: IPv6 leaves that to a worker of the kernel.
    func addAddress(_ prefix: String, to link: String, _ options: String = "") throws {
        let text = String(prefix.prefix { $0 != "/" })
        guard let address = IPAddress(text), address.family == .v6 else {
            return try ip("addr add \(prefix) dev \(link) \(options)")
        }
        let changes = try listen(to: [.ipv6Route])
        try ip("addr add \(prefix) dev \(link) nodad \(options)")
        guard changes.wait(for: { $0 == .route(AddressPrefix(address, length: 128)) }) else {
            throw NamespaceError("\(prefix) never became an address of the host")
        }
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
