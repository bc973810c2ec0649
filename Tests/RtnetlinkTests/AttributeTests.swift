import InternetProtocol
import Testing

@testable import Rtnetlink

@Suite struct AttributeTests {
    private func attributes(_ bytes: [UInt8], from start: Int = 0) -> [MessageBuilder.Attribute] {
        var found: [MessageBuilder.Attribute] = []
        // Sound: bytes have no padding to leave unset.
        forEachAttribute(in: unsafe bytes.span.bytes, from: start) { type, value in
            found.append(.bytes(type, value.array()))
        }
        return found
    }

    private let two = [MessageBuilder.Attribute.text(3, "eth0"), .number(4, 1500)].flatMap(\.encoded)

    @Test func attributesAreSeenInOrderFromTheStartOn() {
        #expect(attributes([9, 9, 9, 9] + two, from: 4).map(\.type) == [3, 4])
        #expect(attributes(two).map(\.value) == [Array("eth0".utf8) + [0], littleEndian(UInt32(1500))])
    }

    @Test func theFlagsOfAnAttributeAreNoPartOfItsType() {
        let nested = MessageBuilder.Attribute.nested(18 | 0x8000, [.number(1, 5)]).encoded
        let ordered = MessageBuilder.Attribute.number(7 | 0x4000, 5).encoded
        #expect(attributes(nested + ordered).map(\.type) == [18, 7])
    }

    @Test func anAttributeWithoutValueIsAnAttribute() {
        #expect(attributes(MessageBuilder.Attribute.bytes(5, []).encoded).map(\.type) == [5])
    }

    @Test(arguments: [0, 1, 3, 9, 0xffff])
    func aLengthThatCannotBeEndsTheWalk(length: UInt16) {
        var broken = MessageBuilder.Attribute.number(4, 1).encoded
        broken.replaceSubrange(0..<2, with: littleEndian(length))
        #expect(attributes(MessageBuilder.Attribute.number(3, 1).encoded + broken).map(\.type) == [3])
    }

    @Test(arguments: [-1, 1000, Int.max])
    func aStartOutsideOfTheBytesFindsNothing(start: Int) {
        #expect(attributes(two, from: start).isEmpty)
    }

    @Test func anAddressNeedsItsFamilysLength() {
        func address(_ count: Int, _ family: IPAddress.Family) -> IPAddress? {
            decoded(Array(repeating: 1, count: count)) { $0.address(family) }
        }
        #expect(address(4, .v4) == IPAddress("1.1.1.1"))
        #expect(address(16, .v6) == IPAddress("101:101:101:101:101:101:101:101"))
        for count in [0, 3, 5, 16] { #expect(address(count, .v4) == nil, "\(count)") }
        for count in [0, 4, 15, 17] { #expect(address(count, .v6) == nil, "\(count)") }
    }

    @Test func textEndsAtTheFirstZeroAndIsRepaired() {
        #expect(decoded(Array("wlan0\0junk".utf8)) { $0.text() } == "wlan0")
        #expect(decoded(Array("wlan0".utf8)) { $0.text() } == "wlan0")
        #expect(decoded([0x77, 0xff, 0]) { $0.text() } == "w\u{fffd}")
        #expect(decoded([]) { $0.text() } == "")
    }
}
