import DesktopMocks
import Foundation
import Glibc
import Testing
import Timing

@testable import DesktopServices

@Suite(
    "The bus with mocks of the daemons", .serialized,
    .enabled(if: PrivateBus.hasMocks, "needs dbus-daemon, gdbus (libglib2.0-bin) and python3-dbusmock"))
struct DesktopBusTests {
    let bus: PrivateBus

    init() throws {
        bus = try PrivateBus()
        try bus.start()
    }

    @Test("the access technology goes from 4G to 5G to none")
    func accessTechnology() throws {
        _ = try bus.runModemManager()
        try bus.addModem()
        let listener = Listener(address: bus.address)
        listener.expect { $0.generation(interface: "wwan0") == .fourth }
        try bus.setModem("AccessTechnologies", "uint32 49152")
        listener.expect { $0.generation(interface: "wwan0") == .fifth }
        #expect(listener.facts.modem(interface: "wwan0")?.accessTechnologies.radioAccessTechnologySuffix == "NRNSA")
        try bus.setModem("AccessTechnologies", "uint32 0")
        listener.expect { $0.generation(interface: "wwan0") == nil }
        #expect(listener.facts.isCellular(interface: "wwan0"))
    }

    @Test("a modem with its ports and bearers is known whole, and goes and comes back")
    func modem() throws {
        _ = try bus.runModemManager()
        let listener = Listener(address: bus.address)
        #expect(listener.wait { $0.isConnected })
        try bus.addModem()
        let modem = Modem(
            path: ModemManager.modem0, ports: ["wwan0"], bearerInterfaces: ["wwan0"], accessTechnologies: [.lte])
        listener.expect { $0.modems == [modem] }
        try bus.removeModem()
        listener.expect { $0.modems.isEmpty }
        try bus.addModem()
        listener.expect { $0.modems == [modem] }
    }

    @Test("metered is followed on the manager and on the device")
    func metered() throws {
        _ = try bus.runNetworkManager()
        let listener = Listener(address: bus.address)
        listener.expect {
            $0.networkManager
                == NetworkManagerFacts(metered: .guessNo, connectivity: .full, devices: ["wlan0": .guessNo])
        }
        try bus.setManager("Metered", "uint32 1")
        listener.expect { $0.networkManager?.metered == .yes && !$0.isMetered(interface: "wlan0") }
        try bus.setDevice("Metered", "uint32 3")
        listener.expect { $0.isMetered(interface: "wlan0") }
        try bus.setDevice("Metered", "uint32 2")
        listener.expect { !$0.isMetered(interface: "wlan0") }
        try bus.setManager("Connectivity", "uint32 2")
        listener.expect { $0.networkManager?.connectivity == .portal }
    }

    @Test("a device that appears is asked")
    func deviceAdded() throws {
        _ = try bus.runNetworkManager()
        let listener = Listener(address: bus.address)
        listener.expect { $0.networkManager?.devices.count == 1 }
        try bus.call(
            NetworkManagerModel.busName, NetworkManager.path, "org.freedesktop.DBus.Mock.AddEthernetDevice", "eth0",
            "eth0", "100")
        listener.expect { $0.networkManager?.devices.keys.sorted() == ["eth0", "wlan0"] }
    }

    @Test("a daemon that is killed takes its facts along, and is asked again when it is back")
    func daemonRestart() throws {
        let modemManager = try bus.runModemManager()
        try bus.addModem()
        let networkManager = try bus.runNetworkManager()
        let listener = Listener(address: bus.address)
        listener.expect { $0.isCellular(interface: "wwan0") && $0.networkManager?.devices.count == 1 }
        modemManager.kill()
        listener.expect { $0.modems.isEmpty }
        #expect(listener.facts.networkManager?.devices.count == 1, "the other one stays")
        networkManager.kill()
        listener.expect { $0 == DesktopFacts() }
        #expect(listener.bus.deadline == nil)
        _ = try bus.runNetworkManager()
        _ = try bus.runModemManager()
        try bus.addModem()
        listener.expect { $0.isCellular(interface: "wwan0") && $0.networkManager?.devices.count == 1 }
    }

    @Test("a bus that is killed takes everything along, and is found again when it is back")
    func busRestart() throws {
        _ = try bus.runModemManager()
        try bus.addModem()
        let listener = Listener(address: bus.address)
        listener.expect { $0.isCellular(interface: "wwan0") }
        bus.stop()
        listener.expect { $0 == DesktopFacts() }
        #expect(listener.wait { $0.fault != nil })
        try bus.start()
        _ = try bus.runModemManager()
        try bus.addModem()
        listener.expect { $0.isCellular(interface: "wwan0") }
        #expect(listener.bus.fault == nil)
    }

    @Test("a bus whose socket is gone for a while is looked for with back-off")
    func socketGone() throws {
        let listener = Listener(address: bus.address)
        #expect(listener.wait { $0.isConnected })
        bus.stop()
        #expect(unsafe unlink(bus.socketPath) == 0)
        #expect(listener.wait { $0.fault == .noBus })
        #expect(listener.bus.deadline != nil)
        try bus.start()
        #expect(listener.wait { $0.isConnected })
    }

    @Test("a bus that comes up later is found on a nudge, with nothing to wait for meanwhile")
    func busLater() throws {
        let later = try PrivateBus()
        let listener = Listener(address: later.address)
        #expect(listener.bus.fault == .noBus)
        #expect(listener.bus.deadline == nil)
        #expect(listener.pollSet.entries.isEmpty)
        try later.start()
        #expect(listener.bus.nudge(now: listener.now) == nil)
        #expect(listener.wait { $0.isConnected })
        #expect(listener.bus.fault == nil)
    }

    @Test("property values of the wrong type are unknown, and right ones are believed again")
    func wrongTypes() throws {
        _ = try bus.runModemManager()
        try bus.addModem()
        _ = try bus.runNetworkManager()
        try bus.setDevice("Metered", "uint32 1")
        let listener = Listener(address: bus.address)
        listener.expect { $0.generation(interface: "wwan0") == .fourth && $0.isMetered(interface: "wlan0") }
        try bus.setModem("AccessTechnologies", "'LTE'")
        listener.expect { $0.modems.first?.accessTechnologies == [] }
        try bus.setModem("Ports", "[(uint32 1, 'wwan0')]")
        listener.expect { $0.modems.first?.ports == [] }
        try bus.setModem("Bearers", "['/not/a/path']")
        listener.expect { !$0.isCellular(interface: "wwan0") }
        try bus.setDevice("Metered", "true")
        listener.expect { $0.networkManager?.devices["wlan0"] == .unknown }
        try bus.setManager("Connectivity", "-1.5")
        listener.expect { $0.networkManager?.connectivity == .unknown }
        try bus.setModem("Ports", "[('usb0', uint32 2)]")
        listener.expect { $0.isCellular(interface: "usb0") }
        try bus.setDevice("Metered", "uint32 1")
        listener.expect { $0.isMetered(interface: "wlan0") }
    }

    @Test("a daemon that stops answering is not believed after ten seconds, and is believed when it answers")
    func stopped() throws {
        let daemon = try bus.runModemManager()
        try bus.addModem()
        daemon.signal(SIGSTOP)
        let listener = Listener(address: bus.address)
        #expect(listener.wait { $0.isConnected })
        #expect(listener.wait { $0.deadline != nil }, "the answer is due at some time")
        listener.ahead = .seconds(11)
        listener.process()
        #expect(listener.facts == DesktopFacts())
        daemon.signal(SIGCONT)
        listener.expect { $0.isCellular(interface: "wwan0") }
    }

    @Test("at rest there is nothing to wait for and nothing to read, and what is told is told once")
    func idle() throws {
        _ = try bus.runModemManager()
        try bus.addModem()
        _ = try bus.runNetworkManager()
        let listener = Listener(address: bus.address)
        listener.expect { $0.isCellular(interface: "wwan0") && $0.networkManager?.devices.count == 1 }
        #expect(listener.wait { $0.deadline == nil })
        #expect(!listener.poll(for: .zero))
        let changes = listener.changes
        try bus.setModem("State", "int32 11")
        #expect(listener.poll(for: .seconds(20)), "the signal comes")
        listener.process()
        #expect(listener.changes == changes, "and changes nothing")
        #expect(listener.bus.deadline == nil)
    }

    @Test("a closed bus is silent for good")
    func closed() throws {
        let listener = Listener(address: bus.address)
        #expect(listener.wait { $0.isConnected })
        #expect(listener.pollSet.entries.count == 1)
        listener.bus.close()
        #expect(listener.pollSet.entries.isEmpty)
        listener.bus.start(now: listener.now)
        #expect(listener.bus.nudge(now: listener.now) == nil)
        #expect(listener.bus.process(now: listener.now) == nil)
        #expect(listener.bus.deadline == nil)
        #expect(listener.pollSet.entries.isEmpty)
    }

    @Test("descriptors stay flat over a thousand connections")
    func descriptors() throws {
        func round() {
            let listener = Listener(address: bus.address)
            #expect(listener.wait { $0.isConnected })
            listener.bus.close()
        }
        func open() throws -> Int { try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count }
        round()
        let before = try open()
        for _ in 0..<1000 { round() }
        // Other suites open and close descriptors meanwhile; one that each connection leaves behind would be a thousand.
        #expect(try open() < before + 500)
    }
}
