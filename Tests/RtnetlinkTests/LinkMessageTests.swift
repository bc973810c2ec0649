import InternetProtocol
import Rtnetlink
import Testing

@Suite struct LinkMessageTests {
    private func read(_ builder: MessageBuilder) -> LinkMessage? { decoded(builder.payload) { LinkMessage($0) } }

    private let full: [MessageBuilder.Attribute] = [
        .text(3, "eth0.5"), .bytes(1, [2, 0, 0, 0, 0, 1]), .number(4, 1500), .bytes(16, [6]), .number(5, 3),
        .number(10, 4), .nested(18, [.text(1, "vlan")]),
    ]

    @Test func aFullDescriptionIsReadWhole() throws {
        let message = try #require(read(.link(flags: [.up, .running, .lowerUp], full)))
        #expect(message.index == InterfaceIndex(7) && message.name == "eth0.5")
        #expect(message.flags == [.up, .running, .lowerUp] && message.hardwareType == .ethernet)
        #expect(message.operationalState == .up && message.hardwareAddress == [2, 0, 0, 0, 0, 1])
        #expect(message.lower == InterfaceIndex(3) && message.master == InterfaceIndex(4) && message.driver == .vlan)
        #expect(message.isComplete && !message.isAboutBridgePort && !message.lowerIsElsewhere)

        let link = try #require(message.apply(to: nil))
        #expect(link.name == "eth0.5" && link.lower == InterfaceIndex(3) && link.master == InterfaceIndex(4))
        #expect(link.driver == .vlan && link.operationalState == .up && link.hardwareAddress == [2, 0, 0, 0, 0, 1])
    }

    /// Wireless events carry flags and a name, and no state (net/wireless/wext-core.c, rtnetlink_ifinfo_prep).
    @Test func aPartialMessageKeepsWhatWasKnown() throws {
        let known = try #require(read(.link(full))?.apply(to: nil))
        let event = try #require(read(.link(flags: [.up], [.text(3, "eth0.5"), .bytes(11, [1, 2, 3, 4])])))
        #expect(!event.isComplete && event.operationalState == nil && event.master == nil)
        var wanted = known
        wanted.flags = [.up]
        #expect(event.apply(to: known) == wanted)
    }

    @Test func aFullDescriptionTakesMasterAndLowerLinkAway() throws {
        let known = try #require(read(.link(full))?.apply(to: nil))
        let freed = try #require(read(.link([.text(3, "eth0.5"), .bytes(16, [6])]))?.apply(to: known))
        #expect(freed.master == nil && freed.lower == nil)
        #expect(freed.driver == .vlan && freed.hardwareAddress == known.hardwareAddress)
    }

    @Test func aNewNameReplacesTheOld() throws {
        let known = try #require(read(.link(full))?.apply(to: nil))
        #expect(read(.link([.text(3, "lan0")]))?.apply(to: known)?.name == "lan0")
    }

    @Test func aLinkWithoutNameIsNoLinkYet() {
        #expect(read(.link())?.apply(to: nil) == nil)
    }

    @Test func aLowerLinkInAnotherNamespaceIsNone() throws {
        let elsewhere = try #require(read(.link(full + [.number(37, 0)])))
        #expect(elsewhere.lowerIsElsewhere && elsewhere.lower == InterfaceIndex(3))
        #expect(elsewhere.apply(to: nil)?.lower == nil)
    }

    @Test func aLinkThatIsItsOwnLowerLinkHasNone() {
        #expect(read(.link(index: 3, full))?.apply(to: nil)?.lower == nil)
    }

    @Test func aBridgesWordOnItsPortIsMarked() {
        #expect(read(.link(family: 7, full))?.isAboutBridgePort == true)
    }

    /// IFLA_INFO_KIND, the type of the far end within IFLA_INFO_DATA, the far end.
    @Test(
        arguments: [
            ("gre", 7, "192.0.2.9"), ("gretap", 7, "192.0.2.9"), ("ip6gre", 7, "2001:db8::9"), ("ipip", 3, "192.0.2.9"),
            ("sit", 3, "192.0.2.9"), ("ip6tnl", 3, "2001:db8::9"), ("vti", 5, "192.0.2.9"), ("vti6", 5, "2001:db8::9"),
        ] as [(String, UInt16, String)])
    func aTunnelTellsItsFarEnd(kind: String, attribute: UInt16, remote: String) throws {
        let data = MessageBuilder.Attribute.nested(2, [.number(1, 3), .address(attribute, remote)])
        // The kernel puts the kind first, but nothing says that it has to.
        for info in [[.text(1, kind), data], [data, .text(1, kind)]] {
            let message = try #require(read(.link([.text(3, "t0"), .nested(18, info)])))
            #expect(message.driver?.rawValue == kind && message.tunnelRemote == IPAddress(remote))
            #expect(message.apply(to: nil)?.tunnelRemote == IPAddress(remote))
        }
    }

    @Test(arguments: ["0.0.0.0", "::"]) func anyFarEndIsNone(remote: String) {
        let info = MessageBuilder.Attribute.nested(18, [.text(1, "gre"), .nested(2, [.address(7, remote)])])
        #expect(read(.link([info]))?.tunnelRemote == nil)
    }

    @Test func aTunnelThatLostItsFarEndHasNone() throws {
        func described(_ remote: String) -> MessageBuilder {
            .link([
                .text(3, "gre1"), .bytes(16, [0]), .nested(18, [.text(1, "gre"), .nested(2, [.address(7, remote)])]),
            ])
        }
        let known = try #require(read(described("192.0.2.9"))?.apply(to: nil))
        #expect(known.tunnelRemote == IPAddress("192.0.2.9"))
        #expect(read(described("0.0.0.0"))?.apply(to: known)?.tunnelRemote == nil)
    }

    @Test func otherKindsHaveNoFarEnd() {
        let info = MessageBuilder.Attribute.nested(18, [.text(1, "vxlan"), .nested(2, [.address(7, "192.0.2.9")])])
        #expect(read(.link([info]))?.tunnelRemote == nil)
    }

    @Test(arguments: [0, -1, Int32.min]) func anIndexThatCannotBeIsRefused(index: Int32) {
        #expect(read(.link(index: index, full)) == nil)
    }

    @Test func aCutFixedPartIsRefused() {
        let payload = MessageBuilder.link(full).payload
        for length in 0..<16 { #expect(decoded(Array(payload[..<length])) { LinkMessage($0) } == nil) }
        #expect(decoded(Array(payload[..<16])) { LinkMessage($0) }?.name == nil)
    }

    @Test func attributesThatAreTooShortSayNothing() throws {
        let short = try #require(read(.link([.bytes(5, [1]), .bytes(10, []), .bytes(16, []), .bytes(18, [1, 2])])))
        #expect(short.lower == nil && short.master == nil && short.operationalState == nil && short.driver == nil)
    }
}
