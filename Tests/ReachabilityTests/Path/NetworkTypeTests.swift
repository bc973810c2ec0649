import Foundation
import ReachabilityTesting
import Testing

@testable import Reachability

@Suite("Network types", .timeLimit(.minutes(1)))
struct NetworkTypeTests {
    let scene = PathScene()

    private var type: NetworkType {
        let monitor = NetworkTypeMonitor(
            queue: scene.queue, notificationCenter: .init(), notificationName: .networkTypeDidChange,
            engine: scene.engine)
        return monitor.currentNetworkType()
    }

    @Test func theNamesAreThoseItsUsersKnow() {
        #expect(
            NetworkType.allCases.map(\.rawValue) == [
                "unknown", "offline", "wifi", "loopback", "wiredEthernet", "cellular", "cellular2G", "cellular3G",
                "cellular4G", "cellular5G",
            ])
        #expect(NetworkType.allCases.filter { !$0.isAvailable } == [.offline])
    }

    @Test(
        arguments: [
            (NetworkInterface.InterfaceType.wifi, NetworkType.wifi), (.wiredEthernet, .wiredEthernet),
            (.cellular, .cellular), (.other, .unknown),
        ])
    func eachKindOfLinkHasItsType(kind: NetworkInterface.InterfaceType, expected: NetworkType) {
        scene.network.connect("link0", kind)
        #expect(type == expected)
    }

    @Test func nothingIsOffline() {
        #expect(type == .offline)
        scene.network.connect("wlan0", .wifi)
        scene.network.setCarrier("wlan0", false)
        #expect(type == .offline)
    }

    @Test func aKernelThatCannotBeAskedIsUnknown() {
        scene.network.connect("wlan0", .wifi)
        scene.network.refuse(1)
        #expect(type == .unknown)
    }

    @Test(
        arguments: [
            (.gprs, .cellular2G), (.edge, .cellular2G), (.cdma1x, .cellular2G), (.umts, .cellular3G),
            (.hsdpa, .cellular3G), (.hsupa, .cellular3G), (.evdo0, .cellular3G), (.evdoA, .cellular3G),
            (.evdoB, .cellular3G), (.lte, .cellular4G), (.nrBesideLTE, .cellular5G), (.nr, .cellular5G),
            (nil, .cellular),
        ] as [(ScriptedTechnology?, NetworkType)])
    func eachTechnologyHasItsGeneration(technology: ScriptedTechnology?, expected: NetworkType) {
        scene.network.connect("wwan0", .cellular)
        scene.network.setModem("/modem/0", interfaces: ["wwan0"], technology: technology)
        #expect(type == expected)
    }

    @Test func theGenerationIsThatOfTheModemThatCarriesTheData() {
        scene.network.connect("wwan0", .cellular, metric: 700)
        scene.network.connect("wwan1", .cellular, metric: 600)
        scene.network.setModem("/modem/0", interfaces: ["wwan0"], technology: .nr)
        scene.network.setModem("/modem/1", interfaces: ["wwan1"], technology: .edge)
        #expect(type == .cellular2G)
        scene.network.disconnect("wwan1")
        #expect(type == .cellular5G)
    }

    @Test func aModemBehindWiFiIsNotWhatConnects() {
        scene.network.connect("wlan0", .wifi, metric: 600)
        scene.network.connect("wwan0", .cellular, metric: 700)
        scene.network.setModem("/modem/0", interfaces: ["wwan0"], technology: .lte)
        #expect(type == .wifi)
    }

    @Test func pppOfAModemIsCellular() {
        scene.network.connect("ppp0", .other)
        #expect(type == .unknown, "a dialled line of a kind that nobody tells")
        scene.network.setModem("/modem/0", interfaces: ["ttyUSB0", "ppp0"], technology: .hsdpa)
        #expect(type == .cellular3G)
    }

    @Test(
        arguments: [
            (.wifi, .wifi), (.wiredEthernet, .wiredEthernet), (.cellular, .cellular4G),
        ] as [(NetworkInterface.InterfaceType, NetworkType)])
    func aTunnelIsWhatLiesUnderIt(kind: NetworkInterface.InterfaceType, expected: NetworkType) {
        scene.network.connect("link0", kind, metric: 600)
        if kind == .cellular { scene.network.setModem("/modem/0", interfaces: ["link0"], technology: .lte) }
        scene.network.connect("tun0", .other)
        #expect(type == expected)
    }
}
