import PathEvents
import Testing

@Suite("VPNs over real links", .enabled(if: Laboratory.isPossible, Laboratory.requirement), .timeLimit(.minutes(2)))
struct TunnelTests {
    /// A kind of link to run a VPN over.
    enum Base: String, CaseIterable {
        case wifi
        case cellular
        case wiredEthernet
    }

    let laboratory: Laboratory

    init() throws { laboratory = try Laboratory() }

    private func connect(_ base: Base) throws {
        switch base {
        case .wifi:
            try laboratory.veth("link0")
            try laboratory.disguise("link0", as: "wlan")
            try laboratory.connectIPv4("link0", metric: 600)
        case .wiredEthernet:
            try laboratory.veth("link0")
            try laboratory.connectIPv4("link0", metric: 100)
        case .cellular:
            try laboratory.tun("link0", type: ARPHRD.rawIP)
            try laboratory.connectPointToPoint("link0", metric: 700)
        }
        try laboratory.tun("vpn0")
        try laboratory.sh("ip addr add 10.9.0.2/32 dev vpn0")
    }

    private func expect(_ path: PathEvent.Path?, over base: Base) {
        #expect(path?.interfaces == ["vpn0:other", "link0:\(base.rawValue)"])
        #expect(path?.underlying == "link0:\(base.rawValue)")
        #expect(path?.uses == ["other", base.rawValue].sorted())
        #expect(path?.isExpensive == (base == .cellular))
        #expect(path?.networkType == base.rawValue)
        #expect(path?.addresses == ["10.9.0.2"])
    }

    @Test(arguments: Base.allCases)
    func byTheTwoHalvesOfTheAddressSpace(base: Base) throws {
        try connect(base)
        let probe = try laboratory.probe()
        #expect(probe.expectPath()?.interfaces == ["link0:\(base.rawValue)"])
        try laboratory.sh("ip route add 0.0.0.0/1 dev vpn0; ip route add 128.0.0.0/1 dev vpn0")
        expect(probe.expectPath { $0.underlying != nil }, over: base)
        #expect(probe.types.isEmpty, "what connects the host is what it was")
        try laboratory.sh("ip route del 0.0.0.0/1; ip route del 128.0.0.0/1")
        #expect(probe.expectPath { $0.underlying == nil }?.interfaces.first == "link0:\(base.rawValue)")
    }

    @Test(arguments: Base.allCases)
    func byATableAndRulesAsWireGuardsScriptMakesThem(base: Base) throws {
        try connect(base)
        let probe = try laboratory.probe()
        #expect(probe.expectPath()?.interfaces == ["link0:\(base.rawValue)"])
        try laboratory.sh(
            """
            ip route add default dev vpn0 table 51820
            ip rule add not fwmark 51820 table 51820
            ip rule add table main suppress_prefixlength 0
            """)
        expect(probe.expectPath { $0.underlying != nil }, over: base)
        try laboratory.sh("ip rule del not fwmark 51820 table 51820")
        #expect(probe.expectPath { $0.underlying == nil }?.interfaces.first == "link0:\(base.rawValue)")
    }

    @Test func itMovesWithTheLinkUnderIt() throws {
        try connect(.wifi)
        try laboratory.tun("wwan0", type: ARPHRD.rawIP)
        try laboratory.connectPointToPoint("wwan0", network: 2, metric: 700)
        try laboratory.sh("ip route add 0.0.0.0/1 dev vpn0; ip route add 128.0.0.0/1 dev vpn0")
        let probe = try laboratory.probe()
        probe.expectPath { $0.underlying == "link0:wifi" && !$0.isExpensive }
        try laboratory.sh("ip link set link0_p down")
        probe.expectPath { $0.underlying == "wwan0:cellular" && $0.isExpensive && $0.interfaces.first == "vpn0:other" }
        try laboratory.sh("ip link set link0_p up")
        probe.expectPath { $0.underlying == "link0:wifi" && !$0.isExpensive }
    }

    @Test func withNothingUnderItIsATunnelToNowhereThatTheKernelChose() throws {
        try laboratory.tun("vpn0")
        try laboratory.connectPointToPoint("vpn0")
        let path = try laboratory.probe().expectPath()
        #expect(path?.status == "satisfied" && path?.underlying == nil)
        #expect(path?.uses == ["other"] && path?.networkType == "unknown")
    }
}
