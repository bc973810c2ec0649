import PathEvents
import Testing

@Suite("Paths over real links", .enabled(if: Laboratory.isPossible, Laboratory.requirement), .timeLimit(.minutes(2)))
struct LinkTests {
    let laboratory: Laboratory

    init() throws { laboratory = try Laboratory() }

    private func path() throws -> PathEvent.Path {
        try #require(try laboratory.probe().expectPath())
    }

    @Test func aWiredLink() throws {
        try laboratory.veth("eth0")
        try laboratory.connectIPv4("eth0")
        let path = try path()
        #expect(path.status == "satisfied")
        #expect(path.interfaces == ["eth0:wiredEthernet"])
        #expect(path.uses == ["wiredEthernet"] && path.networkType == "wiredEthernet")
        #expect(path.gateways == ["10.1.0.1"] && path.addresses == ["10.1.0.2"])
        #expect(path.dnsServers == ["192.0.2.53"])
        #expect(!path.isExpensive)
    }

    @Test func aWirelessLinkBySysfs() throws {
        try laboratory.veth("radio0")
        try laboratory.disguise("radio0", as: "wlan")
        try laboratory.connectIPv4("radio0")
        let path = try path()
        #expect(path.interfaces == ["radio0:wifi"] && path.networkType == "wifi")
    }

    @Test func aWiredLinkWithAWirelessNameIsWiredWhereSysfsCanBeAsked() throws {
        try laboratory.veth("wlan0")
        try laboratory.connectIPv4("wlan0")
        #expect(try path().interfaces == ["wlan0:wiredEthernet"])
    }

    @Test func aCellularLinkBySysfs() throws {
        try laboratory.veth("modem0")
        try laboratory.disguise("modem0", as: "wwan")
        try laboratory.connectIPv4("modem0")
        let path = try path()
        #expect(path.interfaces == ["modem0:cellular"] && path.networkType == "cellular")
        #expect(path.isExpensive)
    }

    @Test(
        arguments: [
            (ARPHRD.rawIP, "cellular", "cellular"), (ARPHRD.ppp, "other", "unknown"), (ARPHRD.none, "other", "unknown"),
        ])
    func aTunDeviceOfEachHardwareType(type: UInt16, interfaceType: String, networkType: String) throws {
        try laboratory.tun("dev0", type: type)
        try laboratory.connectPointToPoint("dev0")
        let path = try path()
        #expect(path.interfaces == ["dev0:\(interfaceType)"])
        #expect(path.networkType == networkType)
        #expect(path.isExpensive == (interfaceType == "cellular"))
        #expect(path.gateways.isEmpty, "a point-to-point link has none")
    }

    @Test func aBridgeIsWired() throws {
        try laboratory.veth("eth0")
        try laboratory.sh(
            "ip link add br0 type bridge; ip link set eth0 master br0; ip link set br0 address 02:00:00:00:00:01 up")
        try laboratory.connectIPv4("br0")
        #expect(try path().interfaces == ["br0:wiredEthernet"])
    }

    @Test(arguments: [("wlan", "wifi"), ("wwan", "cellular"), ("", "wiredEthernet")])
    func aMacvlanIsOfTheKindOfTheLinkBelow(device: String, type: String) throws {
        try laboratory.veth("base0")
        if !device.isEmpty { try laboratory.disguise("base0", as: device) }
        try laboratory.sh("ip link add mv0 link base0 type macvlan mode bridge; ip link set mv0 up")
        try laboratory.connectIPv4("mv0")
        #expect(try path().interfaces == ["mv0:\(type)"])
    }

    // MARK: - Families

    @Test func iPv4Only() throws {
        try laboratory.veth("eth0")
        try laboratory.connectIPv4("eth0")
        let path = try path()
        #expect(path.supportsIPv4 && !path.supportsIPv6)
    }

    @Test func iPv6Only() throws {
        try laboratory.veth("eth0")
        try laboratory.connectIPv6("eth0")
        let path = try path()
        #expect(!path.supportsIPv4 && path.supportsIPv6)
        #expect(path.status == "satisfied" && path.interfaces == ["eth0:wiredEthernet"])
        #expect(path.gateways == ["2001:db8:1::1"] && path.addresses == ["2001:db8:1::2"])
    }

    @Test func aLinkLocalGatewayCarriesItsInterface() throws {
        try laboratory.veth("eth0")
        try laboratory.sh(
            "ip -6 addr add 2001:db8::2/64 dev eth0 nodad; ip -6 route add default via fe80::1 dev eth0")
        let path = try path()
        #expect(path.gateways == ["fe80::1%eth0"])
        #expect(path.addresses == ["2001:db8::2"], "link-local ones are left out")
    }

    @Test func bothFamiliesByDifferentLinks() throws {
        try laboratory.veth("wlan0")
        try laboratory.disguise("wlan0", as: "wlan")
        try laboratory.tun("wwan0", type: ARPHRD.rawIP)
        try laboratory.connectIPv4("wlan0")
        try laboratory.sh(
            "ip -6 addr add 2001:db8:2::2/64 dev wwan0 nodad; ip -6 route add default dev wwan0 metric 1024")
        let path = try path()
        #expect(path.supportsIPv4 && path.supportsIPv6)
        #expect(path.interfaces == ["wlan0:wifi", "wwan0:cellular"])
        #expect(path.gateways == ["10.1.0.1"])
        #expect(path.addresses == ["10.1.0.2", "2001:db8:2::2"])
        #expect(path.isExpensive, "IPv6 leaves by the modem")
        #expect(path.networkType == "wifi")
    }

    @Test func preferenceFollowsMetrics() throws {
        for (position, name) in ["eth2", "eth1", "eth0"].enumerated() {
            try laboratory.veth(name)
            try laboratory.connectIPv4(name, network: position + 1, metric: 300 - 100 * position)
        }
        let probe = try laboratory.probe()
        probe.expectPath { $0.interfaces.map { $0.prefix(4) } == ["eth0", "eth1", "eth2"] }
        try laboratory.sh("ip link set eth0_p down")
        probe.expectPath { $0.status == "unsatisfied" && $0.reason == "linkDown" }
        try laboratory.sh("ip route del default via 10.3.0.1 dev eth0")
        probe.expectPath { $0.interfaces.map { $0.prefix(4) } == ["eth1", "eth2"] }
    }
}
