import DesktopMocks
import DesktopServices
import Foundation
import PathEvents
import Testing

@Suite(
    "Paths and the desktop's daemons", .serialized, .timeLimit(.minutes(4)),
    .enabled(
        if: Laboratory.isPossible && PrivateBus.hasMocks,
        "needs network and mount namespaces, dbus-daemon, gdbus (libglib2.0-bin) and python3-dbusmock"))
struct DesktopTests {
    let laboratory: Laboratory
    let bus: PrivateBus

    init() throws {
        laboratory = try Laboratory()
        bus = try PrivateBus()
        try bus.start()
    }

    private func probe() throws -> PathProbe { try laboratory.probe(environment: bus.environment) }

    /// A link of a modem that nothing but its hardware type gives away.
    private func connectModem() throws {
        try laboratory.tun("wwan0", type: ARPHRD.rawIP)
        try laboratory.connectPointToPoint("wwan0")
    }

    @Test func theTechnologyGoesFrom4GTo5GToNone() throws {
        try connectModem()
        _ = try bus.runModemManager()
        try bus.addModem()
        let probe = try probe()
        probe.expect {
            $0
                == .radios(
                    technologies: [ModemManager.modem0: "CTRadioAccessTechnologyLTE"], dataService: ModemManager.modem0)
        }
        try bus.setModem("AccessTechnologies", "uint32 49152")
        probe.expect {
            $0
                == .radios(
                    technologies: [ModemManager.modem0: "CTRadioAccessTechnologyNRNSA"],
                    dataService: ModemManager.modem0)
        }
        try bus.setModem("AccessTechnologies", "uint32 32768")
        probe.expect {
            $0
                == .radios(
                    technologies: [ModemManager.modem0: "CTRadioAccessTechnologyNR"], dataService: ModemManager.modem0)
        }
        try bus.setModem("AccessTechnologies", "uint32 0")
        probe.expect { $0 == .radios(technologies: [:], dataService: ModemManager.modem0) }
        try bus.removeModem()
        probe.expect { $0 == .radios(technologies: [:], dataService: nil) }
        #expect(
            probe.types == ["cellular > cellular4G", "cellular4G > cellular5G", "cellular5G > cellular"])
        #expect(probe.paths.count == 1, "none of it is a change of path")
    }

    @Test func meteredIsFollowed() throws {
        try laboratory.veth("wlan0")
        try laboratory.connectIPv4("wlan0")
        _ = try bus.runNetworkManager()
        let probe = try probe()
        #expect(probe.expectPath()?.isExpensive == false)
        try bus.setDevice("Metered", "uint32 1")
        probe.expectPath { $0.isExpensive }
        try bus.setDevice("Metered", "uint32 4")
        probe.expectPath { !$0.isExpensive }
        try bus.setDevice("Metered", "uint32 3")
        probe.expectPath { $0.isExpensive }
        try bus.setDevice("Metered", "'yes'")
        probe.expectPath { !$0.isExpensive }
    }

    @Test func aTunnelOverAMeteredLinkIsExpensive() throws {
        try laboratory.veth("wlan0")
        try laboratory.connectIPv4("wlan0")
        try laboratory.tun("vpn0")
        try laboratory.sh(
            """
            ip addr add 10.9.0.2/32 dev vpn0; ip route add 0.0.0.0/1 dev vpn0; ip route add 128.0.0.0/1 dev vpn0
            """)
        _ = try bus.runNetworkManager()
        try bus.setDevice("Metered", "uint32 1")
        try probe().expectPath { $0.isExpensive && $0.interfaces.first == "vpn0:other" }
    }

    @Test func aBusThatIsKilledTakesItsWordAlongAndIsBelievedAgain() throws {
        try laboratory.veth("wlan0")
        try laboratory.connectIPv4("wlan0")
        _ = try bus.runNetworkManager()
        try bus.setDevice("Metered", "uint32 1")
        let probe = try probe()
        probe.expectPath { $0.isExpensive }
        bus.stop()
        probe.expectPath { !$0.isExpensive }
        try bus.start()
        _ = try bus.runNetworkManager()
        try bus.setDevice("Metered", "uint32 1")
        // No link changes meanwhile: the engine has to come back by itself.
        probe.expectPath { $0.isExpensive }
    }

    @Test func aDaemonThatIsKilledTakesItsWordAlongAndIsBelievedAgain() throws {
        try connectModem()
        let daemon = try bus.runModemManager()
        try bus.addModem()
        let probe = try probe()
        probe.expect { $0 == .type(old: "cellular", new: "cellular4G") }
        daemon.kill()
        probe.expect { $0 == .type(old: "cellular4G", new: "cellular") }
        _ = try bus.runModemManager()
        try bus.addModem()
        probe.expect { $0 == .type(old: "cellular", new: "cellular4G") }
    }

    @Test func aDaemonThatDoesNotAnswerHoldsNothingUp() throws {
        try laboratory.veth("eth0")
        try laboratory.connectIPv4("eth0")
        let daemon = try bus.runNetworkManager()
        daemon.signal(SIGSTOP)
        let probe = try probe()
        #expect(probe.expectPath()?.status == "satisfied")
        try laboratory.sh("ip link set eth0_p down")
        probe.expectPath { $0.status == "unsatisfied" }
        daemon.signal(SIGCONT)
    }

    @Test func aDialledLineThatAModemClaimsIsCellular() throws {
        try laboratory.tun("ppp0", type: ARPHRD.ppp)
        try laboratory.connectPointToPoint("ppp0")
        _ = try bus.runModemManager()
        try bus.addModem()
        let probe = try probe()
        #expect(probe.expectPath()?.interfaces == ["ppp0:other"])
        let watch = try laboratory.start(
            "ReachabilityExample", ["watch", "--json", "default"], environment: bus.environment)
        #expect(watch.line().contains(#""status":"viaWiFi""#))
        try bus.setModem("Ports", "[('ttyUSB0', uint32 3), ('ppp0', uint32 2)]")
        let path = probe.expectPath { $0.interfaces == ["ppp0:cellular"] }
        #expect(path?.isExpensive == true)
        probe.expectType("unknown > cellular4G")
        #expect(watch.line().contains(#""status":"viaWWAN""#))
        try bus.removeModem()
        probe.expectPath { $0.interfaces == ["ppp0:other"] && !$0.isExpensive }
        #expect(watch.line().contains(#""status":"viaWiFi""#))
    }

    @Test func theProgramShowsWhatTheDaemonsSay() throws {
        try connectModem()
        _ = try bus.runModemManager()
        try bus.addModem()
        let path = try laboratory.start("ReachabilityExample", ["path", "--json"], environment: bus.environment)
        let line = path.line()
        #expect(line.contains(#""type":"cellular4G""#) && line.contains(#""isExpensive":true"#), "\(line)")
        #expect(path.wait() == 0)
        let interfaces = try laboratory.start("ReachabilityExample", ["interfaces"], environment: bus.environment)
        var lines: [String] = []
        for _ in 0..<2 { lines.append(interfaces.line()) }
        #expect(lines.contains { $0.hasPrefix("wwan0") && $0.contains("claimed by ModemManager, 4G") }, "\(lines)")
    }

    @Test(arguments: [(1, "none"), (2, "portal"), (3, "limited"), (4, "full")])
    func theProgramShowsWhatTheCheckOfNetworkManagerFound(value: Int, word: String) throws {
        try connectModem()
        _ = try bus.runNetworkManager()
        try bus.setManager("Connectivity", "uint32 \(value)")
        let json = try laboratory.start("ReachabilityExample", ["path", "--json"], environment: bus.environment).line()
        #expect(json.contains(#""connectivity":"\#(word)""#) && json.contains(#""status":"satisfied""#), "\(json)")
        let path = try laboratory.start("ReachabilityExample", ["path"], environment: bus.environment)
        var lines: [String] = []
        while lines.last != "" { lines.append(path.line()) }
        #expect(lines.contains { $0.hasPrefix("connectivity") && $0.hasSuffix("\(word), says NetworkManager") })
    }
}
