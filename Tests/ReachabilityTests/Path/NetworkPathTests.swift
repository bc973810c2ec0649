import ReachabilityTesting
import Rtnetlink
import Testing

@testable import Reachability

@Suite("What a path says", .timeLimit(.minutes(1)))
struct NetworkPathTests {
    let scene = PathScene()

    @Test func aHostOnWiFiIsSatisfiedByIt() throws {
        scene.network.connect("wlan0", .wifi)
        let path = try scene.path()
        #expect(path.status == .satisfied)
        #expect(path.reason == nil)
        #expect(path.names == ["wlan0"])
        #expect(path.availableInterfaces.map(\.type) == [.wifi])
        #expect(path.underlyingInterface == nil)
        #expect(path.usesInterfaceType(.wifi) && !path.usesInterfaceType(.cellular))
        #expect(path.localAddresses.map(\.description) == ["192.0.2.2", "2001:db8::2"])
        #expect(path.dnsServers.map(\.description) == ["192.0.2.53"])
        #expect(!path.isExpensive && !path.isConstrained)
    }

    @Test(
        arguments: [
            (ReachabilityReason.noRoute, ScriptedRoute?.none), (.blackhole, .rejecting(.blackhole)),
            (.prohibited, .rejecting(.prohibited)), (.unreachableRoute, .rejecting(.unreachableRoute)),
        ])
    func anUnsatisfiedPathSaysWhy(reason: ReachabilityReason, route: ScriptedRoute?) throws {
        if let route { scene.network.addRoute(.defaultIPv4, route) }
        let path = try scene.path()
        #expect(path.status == .unsatisfied)
        #expect(path.reason == reason)
        #expect(path.unsatisfiedReason == .notAvailable)
    }

    @Test func anUnsatisfiedPathHasNothingInItButTheReason() throws {
        scene.network.connect("wwan0", .cellular)
        scene.network.setMetered("wwan0", true)
        scene.network.setCarrier("wwan0", false)
        let path = try scene.path()
        #expect(path.reason == .linkDown)
        #expect(path.availableInterfaces.isEmpty && path.gateways.isEmpty && path.localAddresses.isEmpty)
        #expect(!path.isExpensive && !path.supportsIPv4 && !path.supportsIPv6 && !path.supportsDNS)
        #expect(!path.usesInterfaceType(.cellular))
    }

    @Test func aKernelThatRefusesIsNoPathWithThatReason() throws {
        scene.network.connect("wlan0", .wifi)
        scene.network.refuse(1)
        let path = try scene.path()
        #expect(path.status == .unsatisfied)
        #expect(path.reason == .notPermitted)
    }

    @Test func theFamiliesAreToldApartWithAGatewayEach() throws {
        scene.network.batch { network in
            network.addLink("eth0", .wiredEthernet)
            network.addLink("wlan0", .wifi)
            network.addRoute(.defaultIPv4, .leaving(by: "wlan0", gateway: "192.0.2.1"))
            network.addRoute(.defaultIPv6, .leaving(by: "eth0", gateway: "fe80::1"))
        }
        let path = try scene.path()
        #expect(path.supportsIPv4 && path.supportsIPv6)
        #expect(path.names == ["wlan0", "eth0"], "IPv4's first")
        #expect(path.gateways.map(\.withoutScope) == ["192.0.2.1", "fe80::1"])
        #expect(path.gateways.last?.scope == InterfaceIndex(2), "eth0's, without which it leads nowhere")
        #expect(path.localAddresses.map(\.description) == ["192.0.2.3", "2001:db8::3", "192.0.2.2", "2001:db8::2"])
        scene.network.removeRoutes(.defaultIPv4)
        let alone = try scene.path()
        #expect(!alone.supportsIPv4 && alone.supportsIPv6)
        #expect(alone.names == ["eth0"])
        #expect(alone.gateways.map(\.withoutScope) == ["fe80::1"])
    }

    @Test func oneFamilyIsEnoughToBeSatisfied() throws {
        scene.network.connect("eth0", .wiredEthernet)
        scene.network.removeRoutes(.defaultIPv6)
        let path = try scene.path()
        #expect(path.status == .satisfied && path.supportsIPv4 && !path.supportsIPv6)
    }

    @Test func interfacesComeInTheOrderOfPreference() throws {
        scene.network.batch { network in
            network.connect("wwan0", .cellular, metric: 700)
            network.connect("wlan0", .wifi, metric: 600)
            network.connect("eth0", .wiredEthernet, metric: 100)
            network.addLink("docker0", .wiredEthernet)
        }
        #expect(try scene.path().names == ["eth0", "wlan0", "wwan0"], "without the one that leads nowhere")
        scene.network.setCarrier("wlan0", false)
        #expect(try scene.path().names == ["eth0", "wwan0"], "a link that is down could not take over")
    }

    @Test func theKernelsChoiceComesFirstWhateverTheOthersMetrics() throws {
        scene.network.batch { network in
            network.connect("eth0", .wiredEthernet, metric: 100)
            network.addLink("tun0", .other)
            network.addRoute("0.0.0.0/1", .leaving(by: "tun0", metric: 900))
            network.addRoute("128.0.0.0/1", .leaving(by: "tun0", metric: 900))
        }
        #expect(try scene.path().names == ["tun0", "eth0"])
    }

    @Test(arguments: [NetworkInterface.InterfaceType.wifi, .cellular, .wiredEthernet])
    func aTunnelIsOtherAndUsesTheLinkUnderIt(type: NetworkInterface.InterfaceType) throws {
        scene.network.connect("link0", type, metric: 100)
        scene.network.connect("tun0", .other)
        let path = try scene.path()
        #expect(path.availableInterfaces.first?.type == .other)
        #expect(path.underlyingInterface?.name == "link0" && path.underlyingInterface?.type == type)
        #expect(path.usesInterfaceType(.other) && path.usesInterfaceType(type))
        #expect(path.isExpensive == (type == .cellular))
    }

    @Test func namesCanBeAskedForWhereAServerIsConfiguredAndPacketsCanLeave() throws {
        scene.network.connect("wlan0", .wifi)
        scene.network.setNameservers(["2001:db8::53", "192.0.2.54"])
        let path = try scene.path()
        #expect(path.dnsServers.map(\.description) == ["2001:db8::53", "192.0.2.54"])
        #expect(path.supportsDNS)
        scene.network.setNameservers([])
        #expect(try !scene.path().supportsDNS)
        scene.network.setNameservers(["192.0.2.54"])
        scene.network.disconnect("wlan0")
        let offline = try scene.path()
        #expect(!offline.supportsDNS)
        #expect(offline.dnsServers.count == 1, "configured it is")
    }

    /// Without its scope the address of a link-local server leads nowhere.
    @Test func aLinkLocalNameServerHasTheScopeOfItsConfiguration() throws {
        scene.network.connect("wlan0", .wifi)
        scene.network.connect("eth0", .wiredEthernet)
        scene.network.setNameservers(["fe80::1%eth0", "fe80::1%2", "2001:db8::53%eth0", "fe80::1%nosuch", "fe80::1"])
        let servers = try scene.path().dnsServers
        #expect(servers.map(\.withoutScope) == ["fe80::1", "fe80::1", "2001:db8::53", "fe80::1", "fe80::1"])
        #expect(servers.map(\.scopeID) == [3, 2, 0, 0, 0])
    }

    @Test func aNameServersScopeFollowsItsLink() throws {
        scene.network.connect("wlan0", .wifi)
        scene.network.setNameservers(["fe80::1%usb0"])
        let log = scene.watch()
        scene.network.connect("usb0", .wiredEthernet, metric: 900)
        scene.settle()
        #expect(log.all.map { $0.dnsServers.map(\.scopeID) } == [[0], [3]])
    }

    @Test(arguments: 1...12)
    func aLinkThatVanishesWhileItIsReadLeavesNoStaleClaim(lookup: Int) throws {
        scene.network.connect("wlan0", .wifi, metric: 600)
        scene.network.connect("tun0", .other)
        let lookups = HeardEvents<Int>()
        scene.network.beforeEachLookup { [weak network = scene.network] in
            lookups.add(1)
            guard lookups.all.count == lookup else { return }
            network?.disconnect("tun0")
            network?.disconnect("wlan0")
        }
        let path = try scene.path()
        #expect(lookups.all.count >= lookup, "it was asked often enough")
        #expect(path.status == .unsatisfied && path.reason == .noRoute)
        #expect(path.availableInterfaces.isEmpty && path.underlyingInterface == nil && path.localAddresses.isEmpty)
    }

    @Test func textHasTheShapeOfApples() throws {
        #expect(try scene.path().debugDescription == "unsatisfied (No network route)")
        scene.network.connect("wlan0", .wifi, metric: 600)
        #expect(
            try scene.path().debugDescription
                == "satisfied (Path is satisfied), interface: wlan0[802.11], ipv4, ipv6, dns, uses wifi")
        scene.network.connect("wwan0", .cellular)
        scene.network.disconnect("wlan0")
        scene.network.setNameservers([])
        scene.network.removeRoutes(.defaultIPv4)
        #expect(
            try scene.path().debugDescription
                == "satisfied (Path is satisfied), interface: wwan0, ipv6, expensive, uses cell")
        scene.network.setCarrier("wwan0", false)
        #expect(try scene.path().debugDescription == "unsatisfied (The link that packets leave by is down)")
    }

    @Test func textOfAMonitorNamesItsFilter() {
        let monitor = scene.monitor(prohibited: [.wifi, .cellular])
        #expect(
            monitor.debugDescription
                == #"NetworkPathMonitor(unsatisfied (No network route), prohibits ["cellular", "wifi"])"#)
        #expect(scene.monitor(required: .wifi).debugDescription.hasSuffix(", requires wifi)"))
    }
}

extension SocketAddress {
    /// The address as text, its scope left out: the script's interfaces have names that the host does not know.
    fileprivate var withoutScope: String { "\(ip)" }
}
