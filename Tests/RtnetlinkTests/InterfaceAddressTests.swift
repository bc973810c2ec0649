import InternetProtocol
import Rtnetlink
import Testing

@Suite struct InterfaceAddressTests {
    private func address(_ builder: MessageBuilder) -> InterfaceAddress? {
        decoded(builder.payload) { InterfaceAddress($0) }
    }

    @Test func anIPv4AddressIsReadWithItsPrefix() throws {
        let found = address(
            .address(family: .v4, prefixLength: 24, [.address(1, "192.0.2.2"), .address(2, "192.0.2.2")]))
        let wanted = InterfaceAddress(
            interface: InterfaceIndex(7), address: try #require(IPAddress("192.0.2.2")), prefixLength: 24)
        #expect(found == wanted)
    }

    /// On a point-to-point link IFA_ADDRESS is the peer's, and may stand before or after IFA_LOCAL.
    @Test func onAPointToPointLinkTheLocalAddressIsOurs() {
        let peer = MessageBuilder.Attribute.address(1, "198.51.100.2")
        let local = MessageBuilder.Attribute.address(2, "198.51.100.1")
        for attributes in [[peer, local], [local, peer]] {
            let found = address(.address(family: .v4, prefixLength: 32, attributes))
            #expect(found?.address == IPAddress("198.51.100.1"))
        }
    }

    @Test func anIPv6AddressHasNoLocalAttribute() {
        let found = address(.address(family: .v6, prefixLength: 64, [.address(1, "2001:db8::2")]))
        #expect(found?.address == IPAddress("2001:db8::2") && found?.prefixLength == 64)
    }

    @Test func theFlagsOf32BitsReplaceThoseOf8() {
        let managed: UInt32 = 0x100 | 0x40  // IFA_F_MANAGETEMPADDR, IFA_F_TENTATIVE
        let both = address(
            .address(family: .v6, prefixLength: 64, flags: 0x80, [.address(1, "fe80::1"), .number(8, managed)]))
        #expect(both?.flags.rawValue == managed && both?.isUsable == false)
        let old = address(.address(family: .v6, prefixLength: 64, flags: 0x40, [.address(1, "fe80::1")]))
        #expect(old?.flags == [.tentative])
        let cut = address(
            .address(family: .v6, prefixLength: 64, flags: 0x80, [.address(1, "fe80::1"), .bytes(8, [1])]))
        #expect(cut?.flags == [.permanent])
    }

    @Test(
        arguments: [
            ([], true), ([.permanent], true), ([.deprecated], true), ([.secondary], true), ([.tentative], false),
            ([.tentative, .optimistic], true), ([.duplicate], false), ([.duplicate, .tentative, .optimistic], false),
        ] as [(InterfaceAddress.Flags, Bool)])
    func anAddressIsUsableOnceNobodyElseHasIt(flags: InterfaceAddress.Flags, isUsable: Bool) {
        let found = InterfaceAddress(
            interface: InterfaceIndex(1), address: .unspecified(.v6), prefixLength: 64, flags: flags)
        #expect(found.isUsable == isUsable)
    }

    @Test func otherThingsAreRefused() {
        #expect(address(.address(family: .v4, prefixLength: 24)) == nil, "no address")
        #expect(address(.address(family: .v4, prefixLength: 24, [.address(1, "2001:db8::2")])) == nil, "wrong family")
        var bluetooth = MessageBuilder.address(family: .v4, prefixLength: 24, [.address(1, "192.0.2.2")])
        bluetooth.fixed[0] = 31
        #expect(address(bluetooth) == nil, "unknown family")
        let payload = MessageBuilder.address(family: .v4, prefixLength: 24, [.address(1, "192.0.2.2")]).payload
        for length in 0..<16 {
            #expect(decoded(Array(payload[..<length])) { InterfaceAddress($0) } == nil, "\(length) bytes")
        }
    }
}
