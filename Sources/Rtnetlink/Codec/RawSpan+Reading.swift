/// The one place where received bytes become values.
///
/// Nothing here traps: whatever the bytes are, a read outside of them is nil or cut short.
extension RawSpan {
    /// Loads a C struct of integers, or an integer, in host byte order; nil if it does not fit.
    func load<T: BitwiseCopyable>(_ type: T.Type = T.self, at offset: Int = 0) -> T? {
        guard offset >= 0, byteCount >= MemoryLayout<T>.size, offset <= byteCount - MemoryLayout<T>.size else {
            return nil
        }
        // Sound: the range was checked just now, the load asks for no alignment, and callers name only integers and
        // kernel structs made of integers, for which every pattern of bits is a value.
        return unsafe unsafeLoadUnaligned(fromByteOffset: offset, as: type)
    }

    /// The part of a range that lies in the span, so that `extracting` never traps.
    func clamp(_ lower: Int, _ upper: Int) -> Range<Int> {
        let first = Swift.min(Swift.max(lower, 0), byteCount)
        return first..<Swift.min(Swift.max(upper, first), byteCount)
    }

    /// The bytes up to the first zero as text, invalid UTF-8 repaired.
    func text() -> String {
        var bytes = array()
        if let end = bytes.firstIndex(of: 0) { bytes.removeSubrange(end...) }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// A copy of the bytes.
    func array() -> [UInt8] {
        (0..<byteCount).compactMap { load(UInt8.self, at: $0) }
    }
}
