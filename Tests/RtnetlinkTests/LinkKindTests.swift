import InternetProtocol
import Rtnetlink
import Testing

/// Rules.md, "Kinds of link", row by row: what a link is by itself.
@Suite struct LinkKindTests {
    /// A link as the tables write it.
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let kind: LinkKind
        var name = "x0"
        var hardwareType = HardwareType.ethernet
        var flags: LinkFlags = [.up, .running]
        var driver: String?
        var device = Link.DeviceFacts.unknown
        var isModem = false

        init(_ description: String, _ kind: LinkKind, _ change: (inout Row) -> Void = { _ in }) {
            testDescription = description
            self.kind = kind
            change(&self)
        }

        var finding: LinkKindFinding {
            var link = Link(index: InterfaceIndex(7), name: name, flags: flags, hardwareType: hardwareType)
            link.driver = driver.map(DriverKind.init(rawValue:))
            link.device = device
            return LinkKind.find(link, isModem: isModem)
        }
    }

    private static func device(_ type: String?, isWireless: Bool = false) -> Link.DeviceFacts {
        Link.DeviceFacts(deviceType: type, isWireless: isWireless)
    }

    @Test(arguments: [
        Row("wifi: DEVTYPE=wlan", .wifi) { $0.device = device("wlan") },
        Row("wifi: a phy80211 link", .wifi) { $0.device = device(nil, isWireless: true) },
        Row("wifi: without sysfs, a name wl*", .wifi) { $0.name = "wlp3s0" },
        Row("with sysfs a name wl* says nothing", .wired) {
            $0.name = "wlan0"
            $0.device = device(nil)
        },
        Row("a name wl* that is no Ethernet says nothing", .other) {
            $0.name = "wl0"
            $0.hardwareType = HardwareType(rawValue: 801)
        },
    ])
    func wifi(row: Row) { #expect(row.finding.kind == row.kind, "\(row.finding)") }

    @Test(arguments: [
        Row("DEVTYPE=wwan", .cellular) { $0.device = device("wwan") },
        Row("link kind wwan", .cellular) { $0.driver = "wwan" },
        Row("link kind rmnet", .cellular) { $0.driver = "rmnet" },
        Row("ARPHRD_RAWIP", .cellular) { $0.hardwareType = .rawIP },
        Row("name wwan*", .cellular) { $0.name = "wwan0" },
        Row("name rmnet*", .cellular) { $0.name = "rmnet_data0" },
        Row("ppp0 that ModemManager claims", .cellular) {
            $0.name = "ppp0"
            $0.hardwareType = .ppp
            $0.flags = [.up, .running, .pointToPoint]
            $0.isModem = true
        },
        Row("usb0 that ModemManager claims", .cellular) {
            $0.name = "usb0"
            $0.isModem = true
        },
        Row("a modem's point-to-point link without link address is no tunnel", .cellular) {
            $0.name = "wwan0"
            $0.hardwareType = .none
            $0.flags = [.up, .running, .pointToPoint]
            $0.device = device("wwan")
        },
        Row("usb0 of a phone that nobody claims is wired", .wired) { $0.name = "usb0" },
    ])
    func cellular(row: Row) { #expect(row.finding.kind == row.kind, "\(row.finding)") }

    @Test(arguments: [
        "tun", "wireguard", "ppp", "ipip", "sit", "gre", "ip6gre", "vti", "vti6", "xfrm", "ip6tnl",
    ])
    func tunnelsByLinkKind(kind: String) {
        let row = Row(kind, .tunnel) {
            $0.driver = kind
            $0.hardwareType = .none
        }
        #expect(row.finding.kind == .tunnel && row.finding.evidence == "link kind \(kind)")
    }

    @Test(arguments: [HardwareType.none, .ppp, .tunnel, .tunnel6, .sit])
    func tunnelsByHardwareType(hardwareType: HardwareType) {
        let tunnel = Row("point-to-point", .tunnel) {
            $0.hardwareType = hardwareType
            $0.flags = [.up, .running, .pointToPoint]
        }
        #expect(tunnel.finding.kind == .tunnel)
        let other = Row("not point-to-point", .other) { $0.hardwareType = hardwareType }
        #expect(other.finding.kind == .other)
    }

    @Test(arguments: [
        Row("tap, which the tun driver makes too", .wired) { $0.driver = "tun" },
        Row("veth", .wired) { $0.driver = "veth" },
        Row("bridge", .wired) { $0.driver = "bridge" },
        Row("vlan without its lower link", .wired) { $0.driver = "vlan" },
        Row("macvlan without its lower link", .wired) { $0.driver = "macvlan" },
        Row("an Ethernet card", .wired) { $0.device = device(nil) },
        Row("an Ethernet card without sysfs", .wired),
        Row("a point-to-point Ethernet link", .wired) { $0.flags = [.up, .running, .pointToPoint] },
        Row("loopback, by its flag", .loopback) {
            $0.flags = [.up, .running, .loopback]
            $0.hardwareType = .loopback
        },
        Row("loopback whatever it is named", .loopback) {
            $0.name = "wwan0"
            $0.flags = [.up, .loopback]
        },
        Row("hwsim's monitor", .monitor) { $0.hardwareType = .wirelessMonitor },
        Row("a monitor of a wireless card", .monitor) {
            $0.hardwareType = .wirelessMonitor
            $0.device = device("wlan", isWireless: true)
        },
        Row("InfiniBand", .other) { $0.hardwareType = HardwareType(rawValue: 32) },
    ])
    func theRest(row: Row) { #expect(row.finding.kind == row.kind, "\(row.finding)") }

    @Test func onlyTunnelsAndModemsAreTransient() {
        let kinds: [LinkKind] = [.wifi, .cellular, .wired, .loopback, .tunnel, .monitor, .other]
        #expect(kinds.filter(\.isTransient) == [.cellular, .tunnel])
    }

    @Test(arguments: ["vlan", "macvlan", "macvtap", "ipvlan", "ipvtap", "bond", "team"])
    func anotherLinkUnderANewNameDependsOnIt(kind: String) {
        #expect(Row(kind, .wired) { $0.driver = kind }.finding.dependsOnLinkBelow)
    }

    @Test(arguments: ["veth", "bridge", "tun", "vxlan", nil]) func otherLinksDependOnNone(kind: String?) {
        #expect(!Row("", .wired) { $0.driver = kind }.finding.dependsOnLinkBelow)
    }
}
