internal import CRtnetlink
package import InternetProtocol

/// Which route messages the event socket wants: those whose prefix overlaps one that somebody asked about.
///
/// A classic BPF program in the kernel tests each message, so that a storm of routes that concern nobody costs this
/// process nothing. It may let through more than is wanted, never less.
package struct RouteFilter: Equatable, Sendable {
    /// What gets through, by family.
    package let wanted: [AddressPrefix]

    /// A program holds 4,096 instructions (BPF_MAXINSNS); so many prefixes of each family stay well below.
    static let limit = 128

    /// The filter for messages that can change the answer to a question about one of the addresses.
    package init(destinations: some Sequence<IPAddress>) {
        let destinations = Set(destinations)
        wanted = IPAddress.Family.allCases.flatMap { family in
            Self.cover(destinations.filter { $0.family == family }, family)
        }
    }

    /// The longest prefixes of one length that hold all the addresses and are few enough.
    private static func cover(_ addresses: Set<IPAddress>, _ family: IPAddress.Family) -> [AddressPrefix] {
        // Of IPv6 only the first 32 bits are looked at: a prefix of a provider, which tells apart well enough.
        var length = 32
        while true {
            let prefixes = Set(addresses.map { AddressPrefix($0, length: length) })
            if prefixes.count <= limit || length == 0 { return prefixes.sorted { $0.address < $1.address } }
            length -= 1
        }
    }

    /// True if a message about the prefix gets through.
    package func accepts(_ prefix: AddressPrefix) -> Bool {
        let cut = AddressPrefix(prefix.address, length: min(prefix.length, 32))
        return prefix.length == 0 || wanted.contains { $0.overlaps(cut) }
    }

    /// The program as the kernel takes it.
    var program: [sock_filter] {
        var code = FilterAssembler()
        code.load(half: Offset.messageType)
        // A load takes bytes for network order, and the type stands in host order.
        code.skip(2, ifEqual: UInt32(MessageType.newRoute.rawValue.bigEndian))
        code.skip(1, ifEqual: UInt32(MessageType.deleteRoute.rawValue.bigEndian))
        code.accept()
        for family in IPAddress.Family.allCases {
            let section = section(family)
            code.load(byte: Offset.family)
            code.skip(1, ifEqual: UInt32(family.rawValue))
            code.jump(section.count)
            code.append(section)
        }
        code.accept()
        return code.instructions
    }

    /// The instructions that decide a message of one family, and return.
    private func section(_ family: IPAddress.Family) -> [sock_filter] {
        var code = FilterAssembler()
        // How many low bits of the first word the message's prefix leaves open.
        code.load(byte: Offset.prefixLength)
        code.skip(1, unlessEqual: 0)
        code.accept()
        if family == .v6 {
            code.skip(1, unlessAbove: 32)
            code.load(constant: 32)
        }
        code.copyToX()
        code.load(constant: 32)
        code.subtractX()
        code.store(at: 1)
        // The first word of the destination, wherever the attribute stands.
        code.load(constant: Offset.attributes)
        code.loadX(constant: 1)  // RTA_DST
        code.findAttribute()
        code.skip(1, unlessEqual: 0)
        code.accept()
        code.copyToX()
        code.loadWord(beyondX: 4)
        code.store(at: 0)
        for prefix in wanted where prefix.address.family == family {
            let word = UInt32(truncatingIfNeeded: prefix.address.bits >> UInt128(family.bitWidth - 32))
            code.loadX(from: 1)
            code.load(from: 0)
            code.exclusiveOr(word)
            code.shiftRightByX()
            code.skip(1, unlessEqual: 0)
            code.accept()
            guard prefix.length < 32 else { continue }
            guard prefix.length > 0 else {
                code.accept()
                continue
            }
            code.load(from: 0)
            code.exclusiveOr(word)
            code.shiftRight(UInt32(32 - prefix.length))
            code.skip(1, unlessEqual: 0)
            code.accept()
        }
        code.reject()
        return code.instructions
    }

    /// Where things stand in a route message: struct nlmsghdr (16 bytes), struct rtmsg (12), attributes.
    private enum Offset {
        static let messageType: UInt32 = 4
        static let family: UInt32 = 16
        static let prefixLength: UInt32 = 17
        static let attributes: UInt32 = 28
    }
}
