import DesktopMocks
import Foundation
import Glibc
import Testing

@testable import DesktopServices

@Suite("The bus with the real daemons", .serialized)
struct RealDaemonTests {
    static let mayUnshare =
        (try? ChildProcess.run(["unshare", "--net", "--mount", "true"], environment: [:])) != nil

    let bus: PrivateBus

    init() throws {
        bus = try PrivateBus()
        try bus.start()
    }

    @Test(
        "NetworkManager tells of its devices and whether they are metered",
        .enabled(
            if: PrivateBus.isAvailable && ChildProcess.exists("NetworkManager") && mayUnshare,
            "needs dbus-daemon, gdbus, network-manager, and the right to make network and mount namespaces"))
    func networkManager() throws {
        let daemon = try bus.run(
            [PrivateBus.script("networkmanager.sh"), bus.directory.path],
            name: NetworkManagerModel.busName)
        let listener = Listener(address: bus.address)
        listener.expect { $0.networkManager?.devices["eth0"] != nil && $0.networkManager?.devices["lo"] != nil }
        #expect(!listener.facts.isMetered(interface: "eth0"))

        func nmcli(_ arguments: String...) throws {
            try ChildProcess.run(["nmcli"] + arguments, environment: bus.environment)
        }
        try nmcli(
            "connection", "add", "type", "ethernet", "ifname", "eth0", "con-name", "wired", "ipv4.method", "manual",
            "ipv4.addresses", "192.0.2.2/24", "ipv4.gateway", "192.0.2.1", "ipv6.method", "disabled")
        try nmcli("connection", "up", "wired")
        listener.expect { $0.networkManager?.metered == .guessNo && $0.networkManager?.devices["eth0"] == .guessNo }
        try nmcli("connection", "modify", "wired", "connection.metered", "yes")
        try nmcli("device", "reapply", "eth0")
        listener.expect { $0.isMetered(interface: "eth0") && $0.networkManager?.metered == .yes }
        try nmcli("connection", "modify", "wired", "connection.metered", "no")
        try nmcli("device", "reapply", "eth0")
        listener.expect { $0.networkManager?.devices["eth0"] == .no }

        func ip(_ arguments: String...) throws {
            try ChildProcess.run(
                ["nsenter", "-t", "\(daemon.identifier)", "-n", "ip"] + arguments, environment: [:])
        }
        try ip("link", "add", "eth1", "type", "veth", "peer", "name", "peer1")
        listener.expect { $0.networkManager?.devices["eth1"] != nil }
        try ip("link", "delete", "eth1")
        listener.expect { $0.networkManager?.devices["eth1"] == nil }
        #expect(listener.wait { $0.deadline == nil })
    }

    @Test(
        "ModemManager tells of a modem and its technology",
        .enabled(
            if: PrivateBus.hasMocks && ChildProcess.exists("ModemManager"),
            "needs dbus-daemon, gdbus, python3-dbusmock and modemmanager"))
    func modemManager() throws {
        // The daemon asks PolicyKit before it enables a modem.
        try bus.run(
            [PrivateBus.python, "-m", "dbusmock", "--system", "--template", "polkitd"],
            name: "org.freedesktop.PolicyKit1")
        try bus.call(
            "org.freedesktop.PolicyKit1", "/org/freedesktop/PolicyKit1/Authority",
            "org.freedesktop.DBus.Mock.AllowUnknown", "true")
        let port = "abstract:modem-\(getpid())"
        let modem = try ChildProcess(
            [PrivateBus.python, PrivateBus.script("modem.py"), port], environment: [:])
        #expect(modem.line() == "ready")
        let daemon = try bus.run(
            [
                "ModemManager", "--test-enable", "--test-no-udev", "--no-auto-scan", "--test-no-suspend-resume",
                "--test-no-qrtr", "--log-level=WARN",
            ], name: ModemManagerModel.busName)
        let listener = Listener(address: bus.address)
        #expect(listener.wait { $0.isConnected })
        try bus.call(
            ModemManagerModel.busName, ModemManager.path, "\(ModemManagerModel.busName).Test.SetProfile", "lab",
            "generic", "['\(port)']")
        listener.expect { !$0.modems.isEmpty }
        let path = try #require(listener.facts.modems.first).path
        try bus.call(ModemManagerModel.busName, path, "\(ModemManager.modem).Enable", "true")
        listener.expect { $0.modems.first?.accessTechnologies == [.lte] }
        try modem.write("act 2\n")
        listener.expect { $0.modems.first?.accessTechnologies.generation == .third }
        daemon.kill()
        listener.expect { $0.modems.isEmpty }
    }
}
