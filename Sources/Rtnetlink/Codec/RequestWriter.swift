internal import CRtnetlink
internal import InternetProtocol

/// Builds one netlink request after the other in place, so that a request costs no allocation.
struct RequestWriter {
    /// As large as any two requests here: header, fixed struct, two addresses and a number.
    private(set) var bytes = InlineArray<256, UInt8>(repeating: 0)
    /// How many of the bytes are to be sent.
    private(set) var count = 0
    /// Where the request begins that is being written.
    private var start = 0

    /// Begins a request: header, then the fixed struct of its kind. It takes the place of what was written before, or is
    /// sent after it in one go.
    mutating func begin<Body: BitwiseCopyable>(_ header: MessageHeader, _ body: Body, isFirst: Bool = true) {
        if isFirst { count = 0 }
        start = count
        append(
            nlmsghdr(
                nlmsg_len: 0, nlmsg_type: header.type.rawValue, nlmsg_flags: header.flags.rawValue,
                nlmsg_seq: header.sequence, nlmsg_pid: 0))
        append(body)
    }

    /// Adds an attribute with a C value.
    mutating func add<Value: BitwiseCopyable>(_ type: UInt16, _ value: Value) {
        append(nlattr(nla_len: UInt16(MemoryLayout<nlattr>.size + MemoryLayout<Value>.size), nla_type: type))
        append(value)
    }

    /// Adds an attribute with an address in network order.
    mutating func add(_ type: UInt16, _ address: IPAddress) {
        switch address.family {
        case .v4: add(type, UInt32(truncatingIfNeeded: address.bits).bigEndian)
        case .v6: add(type, address.bits.bigEndian)
        }
    }

    private mutating func append<Value: BitwiseCopyable>(_ value: Value) {
        let end = count + aligned(MemoryLayout<Value>.size)
        guard end <= bytes.count else { return }
        let position = count
        count = end
        let length = UInt32(count - start)
        var span = bytes.mutableSpan
        // Sound: any byte is a value, whatever is stored. Both stores lie within the bytes, whose number was compared just now,
        // so that none traps; the values given here are integers and kernel structs of whole words, without padding. The
        // length so far goes into the header.
        var buffer = unsafe span.mutableBytes
        buffer.storeBytes(of: value, toByteOffset: position, as: Value.self)
        buffer.storeBytes(of: length, toByteOffset: start, as: UInt32.self)
    }
}
