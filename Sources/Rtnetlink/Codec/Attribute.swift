internal import CRtnetlink
internal import InternetProtocol

/// Walks the attributes (struct nlattr) that begin at `start`; ends at the first whose length cannot be.
///
/// The flag bits NLA_F_NESTED and NLA_F_NET_BYTEORDER are not part of the type handed over.
func forEachAttribute(in bytes: RawSpan, from start: Int = 0, _ body: (_ type: UInt16, RawSpan) -> Void) {
    var offset = start
    while let header = bytes.load(nlattr.self, at: offset) {
        let length = Int(header.nla_len)
        guard length >= MemoryLayout<nlattr>.size, length <= bytes.byteCount - offset else { return }
        // Within the span, as was checked just now: `extracting` does not trap.
        body(header.nla_type & 0x3fff, bytes.extracting(offset + MemoryLayout<nlattr>.size..<offset + length))
        offset += aligned(length)
    }
}

extension RawSpan {
    /// An address of the family in network order; nil unless the bytes are exactly that long.
    func address(_ family: IPAddress.Family) -> IPAddress? {
        guard byteCount == family.byteCount else { return nil }
        switch family {
        case .v4: return load(UInt32.self).map { IPAddress(v4: UInt32(bigEndian: $0)) }
        case .v6: return load(UInt128.self).map { IPAddress(family: .v6, bits: UInt128(bigEndian: $0)) }
        }
    }
}
