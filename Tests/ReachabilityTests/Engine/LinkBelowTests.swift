import Reachability
import Rtnetlink
import Testing

/// A VLAN, macvlan or bond has the kind of the link below (Rules.md, "Kinds of link").
@Suite struct LinkBelowTests {
    private func link(
        _ index: UInt32, _ name: String, driver: String? = nil, lower: UInt32? = nil, master: UInt32? = nil,
        flags: LinkFlags = [.up, .running]
    ) -> Link {
        var link = Link(index: InterfaceIndex(index), name: name, flags: flags)
        link.driver = driver.map(DriverKind.init(rawValue:))
        link.lower = lower.map { InterfaceIndex($0) }
        link.master = master.map { InterfaceIndex($0) }
        return link
    }

    /// The kind of the link with index 9, by both ways of asking.
    private func kind(of links: [Link], modems: Set<String> = []) -> LinkKind? {
        let view = NetworkView(links: LinkTable(links), modems: modems)
        guard let entry = view.links.entry(InterfaceIndex(9)) else { return nil }
        #expect(view.kind(of: entry) == view.kind(of: entry.link))
        return view.kind(of: entry)
    }

    @Test(arguments: ["vlan", "macvlan", "macvtap", "ipvlan"]) func itHasTheKindOfItsLowerLink(driver: String) {
        for (name, wanted) in [("wlan0", LinkKind.wifi), ("wwan0", .cellular), ("eth0", .wired)] {
            #expect(kind(of: [link(3, name), link(9, "x", driver: driver, lower: 3)]) == wanted)
        }
    }

    @Test func chainsAreFollowed() {
        let chain = [
            link(3, "wlan0"), link(4, "a", driver: "vlan", lower: 3), link(5, "b", driver: "macvlan", lower: 4),
            link(9, "c", driver: "vlan", lower: 5),
        ]
        #expect(kind(of: chain) == .wifi)
    }

    @Test func aBondHasTheKindOfItsRunningMember() {
        let bond = link(9, "bond0", driver: "bond")
        let card = link(3, "eth0", master: 9, flags: [.up])
        let wireless = link(4, "wlan0", master: 9)
        #expect(kind(of: [bond, card, wireless]) == .wifi)
        #expect(kind(of: [bond, card]) == .wired, "a member that does not run is better than none")
        #expect(kind(of: [bond]) == .wired)
        #expect(kind(of: [link(5, "x", driver: "vlan", lower: 9), bond, wireless]) == .wifi)
    }

    @Test func aVLANOnABondIsFollowedToTheMember() {
        let links = [
            link(3, "wwan0", master: 4), link(4, "bond0", driver: "bond"), link(9, "v", driver: "vlan", lower: 4),
        ]
        #expect(kind(of: links) == .cellular)
    }

    @Test func aCircleEnds() {
        #expect(kind(of: [link(8, "a", driver: "vlan", lower: 9), link(9, "b", driver: "vlan", lower: 8)]) == .wired)
        #expect(kind(of: [link(9, "b", driver: "bond", master: 9)]) == .wired)
    }

    @Test func withoutTheLowerLinkItIsWhatItIsByItself() {
        #expect(kind(of: [link(9, "v", driver: "vlan")]) == .wired)
        #expect(kind(of: [link(9, "v", driver: "vlan", lower: 77)]) == .wired)
    }

    @Test func otherLinksAreNotFollowed() {
        #expect(kind(of: [link(3, "wlan0"), link(9, "veth0", driver: "veth", lower: 3)]) == .wired)
        #expect(kind(of: [link(3, "wlan0", master: 9), link(9, "br0", driver: "bridge")]) == .wired)
    }

    @Test func whatModemManagerClaimsIsCellularWhateverItIs() {
        let links = [link(3, "eth0"), link(9, "eth0.5", driver: "vlan", lower: 3)]
        #expect(kind(of: links, modems: ["eth0"]) == .cellular)
        #expect(kind(of: links, modems: ["eth0.5"]) == .cellular)
        #expect(kind(of: links, modems: ["usb0"]) == .wired)
    }

    @Test(
        arguments: [
            (.wifi, .wifi), (.cellular, .cellular), (.wired, .wiredEthernet), (.loopback, .loopback),
            (.tunnel, .other), (.monitor, .other), (.other, .other),
        ] as [(LinkKind, NetworkInterface.InterfaceType)])
    func everyKindIsAnInterfaceType(kind: LinkKind, type: NetworkInterface.InterfaceType) {
        #expect(kind.interfaceType == type)
    }
}
