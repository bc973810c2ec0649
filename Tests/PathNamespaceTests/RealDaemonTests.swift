import DesktopMocks
import DesktopServices
import Foundation
import Glibc
import PathEvents
import Testing

@Suite("Paths and the real daemons", .serialized, .timeLimit(.minutes(4)))
struct RealDaemonTests {
    let laboratory: Laboratory
    let bus: PrivateBus

    init() throws {
        laboratory = try Laboratory()
        bus = try PrivateBus()
        try bus.start()
    }

    @Test(
        "NetworkManager's word on a metered connection makes the path expensive",
        .enabled(
            if: Laboratory.isPossible && PrivateBus.isAvailable && ChildProcess.exists("NetworkManager"),
            "needs network and mount namespaces, dbus-daemon, gdbus and network-manager"))
    func networkManager() throws {
        let daemon = try bus.run(
            [PrivateBus.script("networkmanager.sh"), bus.directory.path], name: NetworkManagerModel.busName)
        func nmcli(_ arguments: String...) throws {
            try ChildProcess.run(["nmcli"] + arguments, environment: bus.environment)
        }
        let probe = PathProbe(
            try ChildProcess(
                ["nsenter", "-t", "\(daemon.identifier)", "-n", Laboratory.path(of: "PathProbe")],
                environment: bus.environment))
        #expect(probe.expectPath()?.status == "unsatisfied")
        try nmcli(
            "connection", "add", "type", "ethernet", "ifname", "eth0", "con-name", "wired", "ipv4.method", "manual",
            "ipv4.addresses", "192.0.2.2/24", "ipv4.gateway", "192.0.2.1", "ipv6.method", "disabled")
        try nmcli("connection", "up", "wired")
        let path = probe.expectPath { $0.gateways == ["192.0.2.1"] }
        #expect(path?.interfaces == ["eth0:wiredEthernet"] && path?.isExpensive == false)
        try nmcli("connection", "modify", "wired", "connection.metered", "yes")
        try nmcli("device", "reapply", "eth0")
        probe.expectPath { $0.isExpensive }
        try nmcli("connection", "modify", "wired", "connection.metered", "no")
        try nmcli("device", "reapply", "eth0")
        probe.expectPath { !$0.isExpensive }
        try nmcli("connection", "down", "wired")
        probe.expectPath { $0.status == "unsatisfied" }
    }

    @Test(
        "ModemManager's word on the technology comes out of CoreTelephony",
        .enabled(
            if: Laboratory.isPossible && PrivateBus.hasMocks && ChildProcess.exists("ModemManager"),
            "needs network and mount namespaces, dbus-daemon, gdbus, python3-dbusmock and modemmanager"))
    func modemManager() throws {
        // The daemon asks PolicyKit before it enables a modem.
        try bus.run(
            [PrivateBus.python, "-m", "dbusmock", "--system", "--template", "polkitd"],
            name: "org.freedesktop.PolicyKit1")
        try bus.call(
            "org.freedesktop.PolicyKit1", "/org/freedesktop/PolicyKit1/Authority",
            "org.freedesktop.DBus.Mock.AllowUnknown", "true")
        let port = "abstract:path-modem-\(getpid())"
        let modem = try ChildProcess([PrivateBus.python, PrivateBus.script("modem.py"), port])
        #expect(modem.line() == "ready")
        let daemon = try bus.run(
            [
                "ModemManager", "--test-enable", "--test-no-udev", "--no-auto-scan", "--test-no-suspend-resume",
                "--test-no-qrtr", "--log-level=WARN",
            ], name: ModemManagerModel.busName)
        let probe = try laboratory.probe(environment: bus.environment)
        probe.expectPath()
        try bus.call(
            ModemManagerModel.busName, ModemManager.path, "\(ModemManagerModel.busName).Test.SetProfile", "lab",
            "generic", "['\(port)']")
        probe.expect { $0 == .radios(technologies: [:], dataService: ModemManager.modem0) }
        try bus.call(ModemManagerModel.busName, ModemManager.modem0, "\(ModemManager.modem).Enable", "true")
        func radios(_ name: String) -> PathEvent {
            .radios(technologies: [ModemManager.modem0: name], dataService: ModemManager.modem0)
        }
        probe.expect { $0 == radios("CTRadioAccessTechnologyLTE") }
        try modem.write("act 2\n")
        probe.expect { $0 == radios("CTRadioAccessTechnologyWCDMA") }
        daemon.kill()
        probe.expect { $0 == .radios(technologies: [:], dataService: nil) }
    }
}
