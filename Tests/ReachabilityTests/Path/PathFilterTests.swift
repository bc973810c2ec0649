import ReachabilityTesting
import Testing

@testable import Reachability

@Suite("Filters of a path", .timeLimit(.minutes(1)))
struct PathFilterTests {
    let scene = PathScene()

    @Test func theAllowedLinkWithTheLowestMetricCarriesThePath() throws {
        scene.network.batch { network in
            network.connect("eth0", .wiredEthernet, metric: 100)
            network.connect("wlan1", .wifi, metric: 700)
            network.connect("wlan0", .wifi, metric: 600)
        }
        #expect(try scene.path(required: .wifi).names == ["wlan0", "wlan1"])
        #expect(try scene.path(prohibited: [.wiredEthernet]).names == ["wlan0", "wlan1"])
    }

    @Test func eachFamilyLeavesByAnAllowedLinkOfItsOwn() throws {
        scene.network.batch { network in
            network.addLink("wlan0", .wifi)
            network.addLink("wlan1", .wifi)
            network.addRoute(.defaultIPv4, .leaving(by: "wlan1", gateway: "192.0.2.1"))
            network.addRoute(.defaultIPv6, .leaving(by: "wlan0", gateway: "fe80::1"))
            network.connect("eth0", .wiredEthernet)
        }
        let path = try scene.path(required: .wifi)
        #expect(path.supportsIPv4 && path.supportsIPv6)
        #expect(path.names == ["wlan1", "wlan0"])
        #expect(path.gateways.count == 2)
    }

    @Test func aFilteredPathIsAsExpensiveAsItsOwnLinks() throws {
        scene.network.connect("eth0", .wiredEthernet, metric: 100)
        scene.network.connect("wwan0", .cellular, metric: 700)
        #expect(try scene.path(required: .cellular).isExpensive)
        #expect(try !scene.path(prohibited: [.cellular]).isExpensive)
    }

    @Test func aTunnelIsOfTypeOtherToAFilter() throws {
        scene.network.connect("wlan0", .wifi, metric: 600)
        scene.network.connect("tun0", .other)
        #expect(try scene.path(required: .other).names == ["tun0"])
        #expect(try scene.path(required: .wifi).names == ["wlan0"])
        #expect(try scene.path(prohibited: [.other]).names == ["wlan0"])
    }

    @Test func aVPNOverAProhibitedLinkIsNoWayAroundTheProhibition() throws {
        scene.network.connect("wwan0", .cellular, metric: 700)
        scene.network.connect("tun0", .other)
        #expect(try scene.path(prohibited: [.cellular]).status == .unsatisfied)
        #expect(try scene.path(prohibited: [.wifi]).names == ["tun0", "wwan0"])
        scene.network.connect("wlan0", .wifi, metric: 600)
        #expect(try scene.path(prohibited: [.cellular]).names == ["tun0", "wlan0"], "it now runs over Wi-Fi")
    }

    @Test func loopbackIsNeverAPath() throws {
        #expect(try scene.path(required: .loopback).status == .unsatisfied)
    }

    @Test func aFilteredMonitorFollowsItsLinkAlone() throws {
        scene.network.connect("eth0", .wiredEthernet, metric: 100)
        let log = scene.watch(required: .wifi)
        scene.network.connect("wlan0", .wifi, metric: 600)
        scene.settle()
        scene.network.setCarrier("eth0", false)
        scene.settle()
        scene.network.setCarrier("wlan0", false)
        scene.settle()
        #expect(log.all.map(\.status) == [.unsatisfied, .satisfied, .unsatisfied])
        #expect(log.all.last?.reason == .noRoute, "no allowed link is left")
    }
}
