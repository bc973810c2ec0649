import InternetProtocol
import TestSupport
import Testing

@testable import Rtnetlink

/// No sequence of bytes makes a decoder trap, or read what was not there.
@Suite struct FuzzTests {
    private static let real: [[UInt8]] = [
        KernelMessages.linkChanged, KernelMessages.enslaved, KernelMessages.bridgePortAdded, KernelMessages.linkRemoved,
        KernelMessages.addressAdded, KernelMessages.peerAddressAdded, KernelMessages.addressV6Added,
        KernelMessages.routeAdded, KernelMessages.routeV6Added, KernelMessages.ruleAdded, KernelMessages.nextHopAdded,
        KernelMessages.netconfChanged, KernelMessages.lookupThroughGateway, KernelMessages.lookupThroughIPv6Gateway,
        KernelMessages.lookupOfSeveralHops, KernelMessages.lookupOfExpiringEntry, KernelMessages.lookupOfUnreachable,
        KernelMessages.addressDump,
    ].map { bytes(hex: $0) }

    /// All that are looked into, and one that is not.
    private static let types: [MessageType] = [
        .newLink, .deleteLink, .newAddress, .deleteAddress, .newRoute, .deleteRoute, .newRule, .getLink,
    ]

    /// Every decoder, whatever the message says that it is. Returns how many values came out.
    @discardableResult
    private func decodeEverything(_ bytes: [UInt8]) -> Int {
        var values = 0
        let (found, _) = messages(in: bytes)
        for payload in found.map(\.payload) + [bytes] {
            if let message = decoded(payload, by: { LinkMessage($0) }) {
                values += 1
                _ = message.apply(to: nil).map { LinkKind.find($0) }
            }
            if let address = decoded(payload, by: { InterfaceAddress($0) }) {
                values += 1
                #expect((0...255).contains(address.prefixLength))
            }
            if let route = decoded(payload, by: { Route($0) }) {
                values += 1
                #expect(route.destination.length <= route.destination.address.family.bitWidth)
                #expect(route.lifetime.map { $0 >= .zero } ?? true)
            }
            for type in Self.types {
                if decoded(payload, by: { NetworkChange(type, $0) }) != nil { values += 1 }
            }
        }
        return values
    }

    @Test func noRandomBytesTrap() {
        var random = SeededGenerator(seed: 1)
        for round in 0..<4000 {
            decodeEverything(random.bytes(Int.random(in: 0...200, using: &random)))
            // Bytes that pass for the fixed part of something come deeper.
            let family: UInt8 = round % 2 == 0 ? 2 : 10
            decodeEverything([family, 0, 0, 0] + random.bytes(Int.random(in: 0...200, using: &random)))
        }
    }

    @Test func noRandomAttributesTrap() {
        var random = SeededGenerator(seed: 2)
        for _ in 0..<4000 {
            let attributes = (0..<Int.random(in: 0...6, using: &random)).map { _ in randomAttribute(depth: 2, &random) }
            for builder in [
                MessageBuilder.link(attributes), .address(family: .v6, prefixLength: 64, attributes),
                .route(family: 10, attributes), .route(attributes),
            ] { decodeEverything(builder.message) }
        }
    }

    private func randomAttribute(depth: Int, _ random: inout SeededGenerator) -> MessageBuilder.Attribute {
        let type = UInt16.random(in: 0...40, using: &random)
        if depth > 0, Bool.random(using: &random) {
            let parts = (0..<Int.random(in: 0...3, using: &random)).map { _ in
                randomAttribute(depth: depth - 1, &random)
            }
            return .nested(type, parts)
        }
        return .bytes(type, random.bytes([0, 1, 2, 3, 4, 8, 16, 28, 32].randomElement(using: &random) ?? 0))
    }

    @Test(arguments: real.indices)
    func noCutRealMessageTraps(number: Int) {
        let whole = Self.real[number]
        #expect(decodeEverything(whole) > 0)
        for length in whole.indices {
            decodeEverything(Array(whole[..<length]))
            // The length in the header made to fit, so that the payload itself is cut.
            guard length >= 16 else { continue }
            decodeEverything(littleEndian(UInt32(length)) + whole[4..<length])
        }
    }

    @Test(arguments: real.indices)
    func noChangedRealMessageTraps(number: Int) {
        var random = SeededGenerator(seed: UInt64(number))
        let whole = Self.real[number]
        for _ in 0..<400 {
            var changed = whole
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                // Lengths and types stand at even places, and are where a walk can be led astray.
                let place = Int.random(in: 16..<changed.count, using: &random)
                let edges: [UInt8] = [0, 1, 3, 4, 0x7f, 0x80, 0xff]
                changed[place] = Bool.random(using: &random) ? .random(in: 0...255, using: &random) : edges[place % 7]
            }
            decodeEverything(changed)
        }
    }

    @Test func readsOutsideOfTheBytesAreNil() {
        for offset in [-1, 5, 8, Int.max, Int.min] {
            #expect(decoded([1, 2, 3, 4, 5, 6, 7, 8]) { $0.load(UInt32.self, at: offset) } == nil, "\(offset)")
        }
        #expect(decoded([1, 0, 0, 0, 5]) { $0.load(UInt32.self, at: 1) } == 5 << 24)
        for (lower, upper) in [(-5, 100), (3, 2), (9, 12), (Int.min, Int.max)] {
            let range = decoded([1, 2, 3]) { $0.clamp(lower, upper) }
            #expect(range.map { $0.lowerBound >= 0 && $0.upperBound <= 3 } == true)
        }
    }
}
