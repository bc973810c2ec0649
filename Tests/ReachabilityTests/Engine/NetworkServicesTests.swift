import DesktopServices
import Testing

@testable import Reachability

/// What is made of the daemons' word.
@Suite struct NetworkServicesTests {
    private func services(_ networkManager: NetworkManagerFacts?) -> NetworkServices {
        var services = NetworkServices()
        services.apply(DesktopFacts(networkManager: networkManager))
        return services
    }

    @Test(
        arguments: [
            (["wlan0"], true), (["eth0"], false), (["eth1"], true), (["other"], true), (["tun0", "eth0"], false),
            (["tun0", "wlan0"], true), (["eth0", "wlan0"], true), ([], true),
        ] as [([String], Bool)])
    func theHostsValueCountsWhereNoDevicesDoes(interfaces: [String], isMetered: Bool) {
        let devices = ["wlan0": Metered.guessYes, "eth0": .guessNo, "eth1": .unknown]
        #expect(services(NetworkManagerFacts(metered: .yes, devices: devices)).isMetered(interfaces) == isMetered)
        let named = interfaces.contains("wlan0")
        for metered in [Metered.no, .guessNo, .unknown] {
            #expect(services(NetworkManagerFacts(metered: metered, devices: devices)).isMetered(interfaces) == named)
        }
    }

    @Test func aDaemonThatIsGoneLeavesNothing() {
        var services = services(
            NetworkManagerFacts(metered: .yes, connectivity: .portal, devices: ["wlan0": .yes, "eth0": .no]))
        #expect(services.connectivity == .portal && services.isMetered)
        services.apply(DesktopFacts())
        #expect(services == NetworkServices())
    }

    @Test func whatItsCheckFoundIsToldWithThePathAndDecidesNothing() {
        var host = FakeHost()
        host.addLink("eth0")
        host.own("192.0.2.2/24", "eth0")
        host.route("0.0.0.0/0", via: "192.0.2.1", dev: "eth0")
        var paths: [NetworkPath] = []
        for connectivity in [Connectivity.unknown, .none, .portal, .limited, .full] {
            host.view.services.connectivity = connectivity
            let report = host.report(.path(PathFilter()))
            #expect(report.path?.connectivity == connectivity)
            paths.append(NetworkPath(report))
        }
        #expect(Set(paths).count == 1 && paths[0].status == .satisfied)
    }
}
