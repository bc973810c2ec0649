import Rtnetlink

/// Hands bytes to a decoder.
func decoded<Value>(_ bytes: [UInt8], by decode: (RawSpan) -> Value?) -> Value? {
    decode(unsafe bytes.span.bytes)  // sound: bytes have no padding to leave unset
}

/// The bytes that hex digits stand for; white space between them is passed over.
func bytes(hex: String) -> [UInt8] {
    let digits = hex.compactMap(\.hexDigitValue).map { UInt8($0) }
    return stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
}

/// The messages of a datagram with their payloads, and whether the datagram was whole.
func messages(in datagram: [UInt8]) -> (messages: [(header: MessageHeader, payload: [UInt8])], isWhole: Bool) {
    var found: [(header: MessageHeader, payload: [UInt8])] = []
    let isWhole = forEachMessage(in: unsafe datagram.span.bytes) { header, payload in
        let copy = (0..<payload.byteCount).map { unsafe payload.unsafeLoad(fromByteOffset: $0, as: UInt8.self) }
        found.append((header, copy))
    }
    return (found, isWhole)
}

/// The changes that a datagram tells.
func changes(in datagram: [UInt8]) -> [NetworkChange] {
    messages(in: datagram).messages.compactMap { message in
        decoded(message.payload) { NetworkChange(message.header.type, $0) }
    }
}
