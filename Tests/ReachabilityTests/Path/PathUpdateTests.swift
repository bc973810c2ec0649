import Dispatch
import ReachabilityTesting
import Testing

@testable import Reachability

@Suite("When a path is told", .timeLimit(.minutes(1)))
struct PathUpdateTests {
    let scene = PathScene()
    let log: HeardEvents<NetworkPath>

    init() {
        scene.network.batch { network in
            network.addLink("eth0", .wiredEthernet)
            network.addRoute(.defaultIPv4, .leaving(by: "eth0", gateway: "192.0.2.1", metric: 100))
            network.addRoute(.defaultIPv6, .leaving(by: "eth0", gateway: "fe80::1", metric: 100))
        }
        log = scene.watch()
    }

    /// What is told of a change, each as one update.
    private func told(of change: (ScriptedNetwork) -> Void) -> [NetworkPath] {
        let before = log.all.count
        change(scene.network)
        scene.settle()
        return Array(log.all.dropFirst(before))
    }

    // MARK: - Each attribute makes one

    @Test func status() {
        let told = told { $0.setCarrier("eth0", false) }
        #expect(told.map(\.status) == [.unsatisfied])
        #expect(told.map(\.causes) == [["link"]])
    }

    @Test func reason() {
        _ = told { $0.setCarrier("eth0", false) }
        #expect(told { $0.disconnect("eth0") }.map(\.reason) == [.noRoute])
    }

    @Test func availableInterfaces() {
        let told = told { $0.connect("wlan0", .wifi, metric: 600) }
        #expect(told.map(\.names) == [["eth0", "wlan0"]])
        #expect(told.map(\.causes) == [["link", "address", "route"]])
    }

    @Test func gateways() {
        let told = told { network in
            network.batch { batch in
                batch.removeRoutes(.defaultIPv4)
                batch.addRoute(.defaultIPv4, .leaving(by: "eth0", gateway: "192.0.2.254", metric: 100))
            }
        }
        #expect(told.map { $0.gateways.first?.description } == ["192.0.2.254"])
        #expect(told.map(\.causes) == [["route"]])
    }

    @Test func localAddresses() {
        #expect(told { $0.addAddress("198.51.100.7", to: "eth0") }.map(\.localAddresses.count) == [3])
        #expect(told { $0.removeAddress("198.51.100.7", from: "eth0") }.map(\.localAddresses.count) == [2])
    }

    @Test func dnsServers() {
        let told = told { $0.setNameservers(["192.0.2.99"]) }
        #expect(told.map { $0.dnsServers.map(\.description) } == [["192.0.2.99"]])
        #expect(told.map(\.causes) == [["names"]])
    }

    @Test func supportOfAFamily() {
        #expect(told { $0.removeRoutes(.defaultIPv6) }.map(\.supportsIPv6) == [false])
        #expect(told { $0.removeRoutes(.defaultIPv4) }.map(\.supportsIPv4) == [false])
    }

    @Test func isExpensive() {
        let told = told { $0.setMetered("eth0", true) }
        #expect(told.map(\.isExpensive) == [true])
        #expect(told.map(\.causes) == [["services"]])
    }

    @Test func typeOfAnInterface() {
        let told = told { $0.setModem("/modem/0", interfaces: ["eth0"], technology: .lte) }
        #expect(told.map { $0.availableInterfaces.map(\.type) } == [[.cellular]])
    }

    @Test func typeOfTheLinkUnderATunnel() {
        _ = told { network in
            network.setMetered("eth0", true)
            network.connect("tun0", .other)
        }
        let told = told { $0.setModem("/modem/0", interfaces: ["eth0"], technology: .lte) }
        #expect(told.map { $0.usesInterfaceType(.cellular) } == [true])
        #expect(told.map { $0.underlyingInterface?.type } == [.cellular])
    }

    @Test func theLinkUnderATunnel() {
        _ = told { network in
            network.connect("tun0", .other)
            network.batch { $0.addLink("eth1", .wiredEthernet) }
        }
        let told = told { network in
            network.batch { batch in
                batch.removeRoutes("0.0.0.0/0")
                batch.removeRoutes("::/0")
                batch.addRoute(.defaultIPv4, .leaving(by: "tun0"))
                batch.addRoute(.defaultIPv4, .leaving(by: "eth1", metric: 50))
            }
        }
        #expect(told.map { $0.underlyingInterface?.name } == ["eth1"])
    }

    // MARK: - What makes none

    @Test func linkLocalAddressesMakeNone() {
        #expect(told { $0.addAddress("fe80::5", to: "eth0") }.isEmpty)
        #expect(told { $0.addAddress("169.254.7.7", to: "eth0") }.isEmpty)
        #expect(told { $0.removeAddress("fe80::5", from: "eth0") }.isEmpty)
    }

    @Test func aLinkThatLeadsNowhereMakesNone() {
        let told = told { network in
            network.batch { $0.addLink("docker0", .wiredEthernet) }
            for number in 0..<20 {
                network.batch { $0.addLink("veth\(number)", .wiredEthernet) }
                network.setCarrier("veth\(number)", false)
                network.disconnect("veth\(number)")
            }
        }
        #expect(told.isEmpty)
    }

    @Test func aRouteToSomewhereElseMakesNone() {
        #expect(told { $0.addRoute("203.0.113.0/24", .leaving(by: "eth0", gateway: "192.0.2.9")) }.isEmpty)
    }

    @Test func messagesThatSayNothingNewMakeNone() {
        #expect(told { $0.overrun() }.isEmpty)
        #expect(told { $0.setCarrier("eth0", true) }.isEmpty)
        #expect(told { $0.changeResolverConfiguration() }.isEmpty)
        #expect(told { $0.setMetered("wlan9", true) }.isEmpty)
    }

    @Test func theGenerationOfAModemIsNoPartOfThePath() {
        _ = told { $0.setModem("/modem/0", interfaces: ["eth0"], technology: .lte) }
        #expect(told { $0.setModem("/modem/0", interfaces: ["eth0"], technology: .nr) }.isEmpty)
    }

    // MARK: - Order

    @Test func generationsGrow() {
        _ = told { $0.setCarrier("eth0", false) }
        _ = told { $0.setCarrier("eth0", true) }
        let generations = log.all.map(\.generation)
        #expect(generations.count == 3)
        #expect(generations == generations.sorted() && Set(generations).count == 3)
        #expect(log.all.first == log.all.last, "equal paths with a break between them")
    }

    @Test func aBlockedQueueIsToldTheNewestAlone() {
        scene.queue.suspend()
        for metric in 1...50 {
            scene.network.connect("wlan0", .wifi, metric: metric)
            scene.settleEngine()
        }
        scene.network.disconnect("eth0")
        scene.settleEngine()
        scene.queue.resume()
        scene.settle()
        #expect(log.all.map(\.names) == [["eth0"], ["wlan0"]])
    }
}
