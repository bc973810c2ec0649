import ReachabilityTesting
import Testing

@testable import Reachability

@Suite("The cellular monitor", .timeLimit(.minutes(1)))
struct CellularMonitorTests {
    let scene = PathScene()
    let log = HeardEvents<CellularMonitor.Radios>()

    private func watch() -> CellularMonitor {
        let monitor = CellularMonitor({ [log] _, new in log.add(new) }, queue: scene.queue, engine: scene.engine)
        scene.settle()
        return monitor
    }

    @Test func withoutModemsItKnowsNoneAndTellsNothing() {
        scene.network.connect("wwan0", .cellular)
        let monitor = watch()
        #expect(monitor.radios == CellularMonitor.Radios(all: [], dataService: nil))
        #expect(log.all.isEmpty)
    }

    @Test func aModemIsToldWithItsInterfacesAndTechnology() throws {
        scene.network.connect("wwan0", .cellular)
        let monitor = watch()
        scene.network.setModem("/modem/0", interfaces: ["wwan0", "ppp0"], technology: .nrBesideLTE)
        scene.settle()
        let radio = try #require(monitor.radios.all.first)
        #expect(radio.service == "/modem/0")
        #expect(radio.interfaces == ["ppp0", "wwan0"])
        #expect(radio.technology == "NRNSA")
        #expect(radio.generation == 5)
        #expect(log.all == [monitor.radios])
        scene.network.removeModem("/modem/0")
        scene.settle()
        #expect(monitor.radios.all.isEmpty && monitor.radios.dataService == nil)
        #expect(log.all.count == 2)
    }

    @Test(
        arguments: [
            (.gprs, "GPRS"), (.edge, "Edge"), (.cdma1x, "CDMA1x"), (.umts, "WCDMA"), (.hsdpa, "HSDPA"),
            (.hsupa, "HSUPA"), (.evdo0, "CDMAEVDORev0"), (.evdoA, "CDMAEVDORevA"), (.evdoB, "CDMAEVDORevB"),
            (.lte, "LTE"), (.nrBesideLTE, "NRNSA"), (.nr, "NR"), (nil, nil),
        ] as [(ScriptedTechnology?, String?)])
    func technologiesHaveTheNamesOfCoreTelephony(technology: ScriptedTechnology?, name: String?) {
        scene.network.setModem("/modem/0", interfaces: ["wwan0"], technology: technology)
        let monitor = watch()
        #expect(monitor.radios.all.map(\.technology) == [name])
    }

    @Test func theDataServiceIsThatOfTheInterfaceThatPacketsLeaveBy() {
        scene.network.batch { network in
            network.connect("wwan0", .cellular, metric: 700)
            network.connect("wwan1", .cellular, metric: 600)
            network.setModem("/modem/0", interfaces: ["wwan0"], technology: .lte)
            network.setModem("/modem/1", interfaces: ["wwan1"], technology: .lte)
        }
        let monitor = watch()
        #expect(monitor.radios.all.map(\.service) == ["/modem/0", "/modem/1"])
        #expect(monitor.radios.dataService == "/modem/1")
        scene.network.disconnect("wwan1")
        scene.settle()
        #expect(monitor.radios.dataService == "/modem/0")
        scene.network.connect("tun0", .other)
        scene.settle()
        #expect(monitor.radios.dataService == "/modem/0", "it carries the tunnel")
    }

    @Test func theOnlyModemIsTheDataServiceEvenBehindWiFi() {
        scene.network.connect("wlan0", .wifi)
        scene.network.setModem("/modem/0", interfaces: ["wwan0"], technology: .lte)
        #expect(watch().radios.dataService == "/modem/0")
    }

    @Test func ofTwoIdleModemsNoneIsTheDataService() {
        scene.network.connect("wlan0", .wifi)
        scene.network.setModem("/modem/0", interfaces: ["wwan0"], technology: .lte)
        scene.network.setModem("/modem/1", interfaces: ["wwan1"], technology: .lte)
        #expect(watch().radios.dataService == nil)
    }

    @Test func whatIsNoNewsOfModemsIsNotTold() {
        scene.network.setModem("/modem/0", interfaces: ["wwan0"], technology: .lte)
        let monitor = watch()
        let before = log.all.count
        scene.network.connect("eth0", .wiredEthernet)
        scene.network.setMetered("eth0", true)
        scene.settle()
        #expect(log.all.count == before)
        withExtendedLifetime(monitor) {}
    }

    @Test func lettingItGoEndsIt() {
        weak var released: CellularMonitor?
        do {
            let monitor = watch()
            released = monitor
        }
        #expect(released == nil)
        scene.network.setModem("/modem/0", interfaces: ["wwan0"], technology: .lte)
        scene.settle()
        #expect(log.all.isEmpty)
    }
}
