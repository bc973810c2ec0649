import InternetProtocol
import Rtnetlink

/// Builds a netlink message by hand, for what this host's kernel cannot be made to say.
struct MessageBuilder {
    var type: MessageType
    var flags: MessageHeader.Flags = []
    var sequence: UInt32 = 0
    /// The fixed struct behind the header.
    var fixed: [UInt8]
    var attributes: [Attribute] = []

    /// An attribute with its type.
    struct Attribute {
        let type: UInt16
        let value: [UInt8]

        static func bytes(_ type: UInt16, _ value: [UInt8]) -> Attribute { Attribute(type: type, value: value) }
        static func number(_ type: UInt16, _ value: UInt32) -> Attribute { bytes(type, littleEndian(value)) }
        static func text(_ type: UInt16, _ value: String) -> Attribute { bytes(type, Array(value.utf8) + [0]) }
        static func address(_ type: UInt16, _ text: String) -> Attribute { bytes(type, IPAddress(text)?.bytes ?? []) }
        static func nested(_ type: UInt16, _ parts: [Attribute]) -> Attribute { bytes(type, parts.flatMap(\.encoded)) }

        /// Header, value, and zeros up to the next multiple of four.
        var encoded: [UInt8] {
            let length = UInt16(4 + value.count)
            return littleEndian(length) + littleEndian(type) + value + padding(value.count)
        }
    }

    var payload: [UInt8] { fixed + attributes.flatMap(\.encoded) }

    var message: [UInt8] {
        let body = payload
        let header =
            littleEndian(UInt32(16 + body.count)) + littleEndian(type.rawValue) + littleEndian(flags.rawValue)
            + littleEndian(sequence) + littleEndian(UInt32(0))
        return header + body + padding(body.count)
    }

    // MARK: - The three kinds

    /// struct ifinfomsg and what follows.
    static func link(
        type: MessageType = .newLink, index: Int32 = 7, flags: LinkFlags = [.up, .running],
        hardwareType: HardwareType = .ethernet, family: UInt8 = 0, _ attributes: [Attribute] = []
    ) -> MessageBuilder {
        MessageBuilder(
            type: type,
            fixed: [family, 0] + littleEndian(hardwareType.rawValue) + littleEndian(index)
                + littleEndian(flags.rawValue) + littleEndian(UInt32.max),
            attributes: attributes)
    }

    /// struct ifaddrmsg and what follows.
    static func address(
        type: MessageType = .newAddress, index: UInt32 = 7, family: IPAddress.Family, prefixLength: UInt8,
        flags: UInt8 = 0x80, _ attributes: [Attribute] = []
    ) -> MessageBuilder {
        MessageBuilder(
            type: type, fixed: [family.rawValue, prefixLength, flags, 0] + littleEndian(index), attributes: attributes)
    }

    /// struct rtmsg and what follows.
    static func route(
        type: MessageType = .newRoute, family: UInt8 = IPAddress.Family.v4.rawValue, destinationLength: UInt8 = 0,
        routeType: RouteType = .unicast, _ attributes: [Attribute] = []
    ) -> MessageBuilder {
        MessageBuilder(
            type: type,
            fixed: [family, destinationLength, 0, 0, 254, 3, 0, routeType.rawValue] + littleEndian(UInt32(0)),
            attributes: attributes)
    }
}

/// A number as it lies in the memory of the machines that the tests run on.
func littleEndian<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
    (0..<Number.bitWidth / 8).map { UInt8(truncatingIfNeeded: number >> Number($0 * 8)) }
}

private func padding(_ count: Int) -> [UInt8] { Array(repeating: 0, count: -count & 3) }
