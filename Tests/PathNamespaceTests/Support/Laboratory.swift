import DesktopMocks
import Foundation
import Glibc
import PathEvents
import Testing

/// Network and mount namespaces of a test's own, with links that look like what it needs, gone with it.
///
/// A child holds them; everything else enters them by `nsenter`, and the test's own process stays where it is.
final class Laboratory {
    static let isPossible = (try? ChildProcess.run(["unshare", "--net", "--mount", "ip", "link"])) != nil
    static let requirement: Comment = "needs iproute2 and the right to make network and mount namespaces"

    let folder: URL
    private let holder: ChildProcess
    private var devices: [ChildProcess] = []

    /// Namespaces with loopback up, a sysfs that shows them, and one name server configured, 192.0.2.53.
    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("paths-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data("nameserver 192.0.2.53\n".utf8).write(to: folder.appendingPathComponent("resolv.conf"))
        let script = """
            mount --make-rprivate /; mount -t sysfs sysfs /sys; mount --bind \(folder.path)/resolv.conf /etc/resolv.conf
            echo 0 > /proc/sys/net/ipv6/conf/default/accept_dad; ip link set lo up; echo ready; exec cat
            """
        holder = try ChildProcess(["unshare", "--net", "--mount", "sh", "-euc", script])
        guard holder.line() == "ready" else { throw ChildProcess.Failure("no namespace") }
    }

    deinit {
        for device in devices { device.kill() }
        holder.kill()
        try? FileManager.default.removeItem(at: folder)
    }

    // MARK: - Programs

    private var entry: [String] { ["nsenter", "-t", "\(holder.identifier)", "-n", "-m", "--"] }

    /// Runs a shell script in the namespaces; each line has to succeed.
    @discardableResult
    func sh(_ script: String) throws -> String {
        try ChildProcess.run(entry + ["sh", "-euc", script])
    }

    /// Starts a product of this package in the namespaces.
    func start(_ product: String, _ arguments: [String] = [], environment: [String: String] = [:]) throws
        -> ChildProcess
    {
        try start(path: Self.path(of: product), arguments, environment: environment)
    }

    /// Starts a program in the namespaces.
    func start(path: String, _ arguments: [String], environment: [String: String]) throws -> ChildProcess {
        // Without a system bus unless a test has one: the host's is no part of it.
        let variables = ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=\(folder.path)/nobus"].merging(environment) { $1 }
        return try ChildProcess(entry + [path] + arguments, environment: variables)
    }

    /// Starts to watch the path.
    func probe(environment: [String: String] = [:]) throws -> PathProbe {
        PathProbe(try start("PathProbe", environment: environment))
    }

    /// Where a product was built: beside this test's own executable.
    static func path(of product: String) -> String {
        let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        let beside = URL(fileURLWithPath: own).deletingLastPathComponent().appendingPathComponent(product).path
        if FileManager.default.isExecutableFile(atPath: beside) { return beside }
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        return root.appendingPathComponent(".build/debug/\(product)").path
    }

    // MARK: - Links

    /// A veth pair, up on both ends, the far one called `NAME_p`. Its carrier follows the far end.
    func veth(_ name: String) throws {
        try sh("ip link add \(name) type veth peer name \(name)_p; ip link set \(name)_p up; ip link set \(name) up")
    }

    /// A tun device of a hardware type (ARPHRD_…), up and with a carrier.
    func tun(_ name: String, type: UInt16 = ARPHRD.none) throws {
        let device = try start("PathProbe", ["tun", name, "\(type)"])
        let answer = device.line()
        guard answer == "ready" else { throw ChildProcess.Failure("\(name): \(answer)") }
        devices.append(device)
        try sh("ip link set \(name) up")
    }

    /// Has sysfs say that a link is a device of the type: `wlan` or `wwan`, as a driver of such devices would.
    func disguise(_ name: String, as type: String) throws {
        try sh(
            """
            printf 'DEVTYPE=\(type)\\nINTERFACE=\(name)\\n' > \(folder.path)/\(name).uevent
            mount --bind \(folder.path)/\(name).uevent /sys/class/net/\(name)/uevent
            """)
    }

    /// An address and a default route of IPv4 by way of a gateway.
    func connectIPv4(_ name: String, network: Int = 1, metric: Int = 0) throws {
        try sh(
            """
            ip addr add 10.\(network).0.2/24 dev \(name)
            ip route add default via 10.\(network).0.1 dev \(name) metric \(metric)
            """)
    }

    /// An address and a default route of IPv6 by way of a gateway.
    func connectIPv6(_ name: String, network: Int = 1, metric: Int = 1024) throws {
        try sh(
            """
            ip -6 addr add 2001:db8:\(network)::2/64 dev \(name) nodad
            ip -6 route add default via 2001:db8:\(network)::1 dev \(name) metric \(metric)
            """)
    }

    /// An address and a default route without a gateway, as point-to-point links have them.
    func connectPointToPoint(_ name: String, network: Int = 1, metric: Int = 0) throws {
        try sh("ip addr add 10.\(network).0.2/32 dev \(name); ip route add default dev \(name) metric \(metric)")
    }
}

/// Hardware types, linux/if_arp.h.
enum ARPHRD {
    static let ppp: UInt16 = 512
    static let rawIP: UInt16 = 519
    static let none: UInt16 = 0xfffe
}
