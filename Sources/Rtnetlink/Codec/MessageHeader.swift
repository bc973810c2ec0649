internal import CRtnetlink

/// The header in front of every netlink message (struct nlmsghdr).
package struct MessageHeader: Equatable, Sendable {
    package var type: MessageType
    package var flags: Flags
    package var sequence: UInt32

    package init(type: MessageType, flags: Flags = [], sequence: UInt32 = 0) {
        self.type = type
        self.flags = flags
        self.sequence = sequence
    }

    /// nlmsg_flags, linux/netlink.h (NLM_F_…).
    package struct Flags: OptionSet, Sendable {
        package let rawValue: UInt16

        package init(rawValue: UInt16) { self.rawValue = rawValue }

        package static let request = Flags(rawValue: 0x01)
        package static let multipart = Flags(rawValue: 0x02)
        /// The state changed while it was dumped: the dump may be torn and is to be repeated.
        package static let dumpInterrupted = Flags(rawValue: 0x10)
        package static let dump = Flags(rawValue: 0x300)  // NLM_F_ROOT | NLM_F_MATCH
    }

    /// Bytes that the header takes: NLMSG_HDRLEN.
    static let byteCount = MemoryLayout<nlmsghdr>.size
}

/// Netlink aligns messages and attributes to four bytes (NLMSG_ALIGNTO, NLA_ALIGNTO).
func aligned(_ count: Int) -> Int { (count + 3) & ~3 }

/// Walks the messages of one datagram.
///
/// Stops at the first header whose length cannot be. Returns false if bytes were left over that are no message, so
/// that the caller can count the datagram as broken.
@discardableResult
package func forEachMessage(in bytes: RawSpan, _ body: (MessageHeader, RawSpan) -> Void) -> Bool {
    var offset = 0
    while let header = bytes.load(nlmsghdr.self, at: offset) {
        let length = Int(header.nlmsg_len)
        guard length >= MessageHeader.byteCount, length <= bytes.byteCount - offset else { return false }
        // Within the span, as was checked just now: `extracting` does not trap.
        body(
            MessageHeader(
                type: MessageType(rawValue: header.nlmsg_type), flags: .init(rawValue: header.nlmsg_flags),
                sequence: header.nlmsg_seq),
            bytes.extracting(offset + MessageHeader.byteCount..<offset + length))
        offset += aligned(length)
    }
    return offset >= bytes.byteCount
}
