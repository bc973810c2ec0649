import ReachabilityTesting
import Testing

@testable import Reachability

@Suite("What a path costs", .timeLimit(.minutes(1)))
struct PathExpenseTests {
    let scene = PathScene()

    @Test func cellularCosts() throws {
        scene.network.connect("wwan0", .cellular)
        #expect(try scene.path().isExpensive)
    }

    @Test func wiFiAndEthernetCostNothing() throws {
        scene.network.connect("wlan0", .wifi)
        #expect(try !scene.path().isExpensive)
        scene.network.connect("eth0", .wiredEthernet, metric: -1)
        #expect(try !scene.path().isExpensive)
    }

    @Test func anInterfaceThatNetworkManagerCallsMeteredCosts() throws {
        scene.network.connect("wlan0", .wifi)
        scene.network.setMetered("wlan0", true)
        #expect(try scene.path().isExpensive)
        scene.network.setMetered("wlan0", false)
        #expect(try !scene.path().isExpensive)
    }

    @Test func aMeteredInterfaceThatPacketsDoNotLeaveByCostsNothing() throws {
        scene.network.connect("eth0", .wiredEthernet, metric: 100)
        scene.network.connect("wlan0", .wifi, metric: 600)
        scene.network.setMetered("wlan0", true)
        #expect(try !scene.path().isExpensive)
    }

    @Test func aTunnelOverAMeteredLinkCosts() throws {
        scene.network.connect("wlan0", .wifi, metric: 600)
        scene.network.connect("tun0", .other)
        #expect(try !scene.path().isExpensive)
        scene.network.setMetered("wlan0", true)
        #expect(try scene.path().isExpensive)
    }

    @Test func anInterfaceThatAModemClaimsCosts() throws {
        scene.network.connect("usb0", .wiredEthernet)
        #expect(try !scene.path().isExpensive)
        scene.network.setModem("/modem/0", interfaces: ["usb0"], technology: nil)
        #expect(try scene.path().isExpensive)
        scene.network.removeModem("/modem/0")
        #expect(try !scene.path().isExpensive)
    }

    @Test(arguments: [ScriptedPrefix.defaultIPv4, .defaultIPv6])
    func oneFamilyOverCellularIsEnough(family: ScriptedPrefix) throws {
        scene.network.connect("wwan0", .cellular, metric: 700)
        scene.network.connect("wlan0", .wifi, metric: 600)
        #expect(try !scene.path().isExpensive)
        scene.network.removeRoutes(family)
        scene.network.addRoute(family, .leaving(by: "wwan0"))
        #expect(try scene.path().isExpensive)
    }

    @Test func noPathCostsNothing() throws {
        scene.network.connect("wwan0", .cellular)
        scene.network.setMetered("wwan0", true)
        scene.network.setCarrier("wwan0", false)
        #expect(try !scene.path().isExpensive)
    }
}
