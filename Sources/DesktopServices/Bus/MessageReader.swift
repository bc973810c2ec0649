internal import CSystemd
import Glibc

/// Turns a message of the library into values, within limits.
///
/// Unsafe throughout, and sound because a message stays valid and unchanged while it is read, text the library points
/// to is copied before the next call, and every basic value is read into storage of the type that D-Bus gives it.
/// The library has checked the message against the D-Bus specification before it hands it out.
@safe struct MessageReader {
    /// How deep values may nest. NetworkManager and ModemManager need six.
    static let depthLimit = 16
    /// How many values a message may hold. A hundred modems make about ten thousand.
    static let valueLimit = 65_536
    /// Longer text is left unread. The longest that matters is an object path.
    static let textLimit = 4096

    /// The message cannot be read: too deep, too large, or not understood by the library.
    struct Unreadable: Error {}

    private let library: SystemdLibrary
    private let message: OpaquePointer
    private var count = 0

    /// The message is borrowed and must outlive the reader.
    init(_ library: SystemdLibrary, _ message: OpaquePointer) {
        self.library = library
        unsafe self.message = message
    }

    /// The message's arguments; nil if they cannot be read.
    mutating func body() -> [BusValue]? {
        try? values(depth: 0)
    }

    /// The values up to the end of the container that has been entered.
    private mutating func values(depth: Int) throws(Unreadable) -> [BusValue] {
        guard depth <= Self.depthLimit else { throw Unreadable() }
        var values: [BusValue] = []
        while let (type, contents) = unsafe try peek() {
            count += 1
            guard count <= Self.valueLimit else { throw Unreadable() }
            values.append(unsafe try value(type, contents, depth: depth))
        }
        return values
    }

    /// The type of the next value, and what it contains if it is a container; nil at the end.
    private func peek() throws(Unreadable) -> (type: CChar, contents: UnsafePointer<CChar>?)? {
        var type: CChar = 0
        var contents: UnsafePointer<CChar>?
        switch unsafe library.peekType(message, &type, &contents) {
        case 0: return nil
        case 1...: return unsafe (type, contents)
        default: throw Unreadable()
        }
    }

    private mutating func value(
        _ type: CChar, _ contents: UnsafePointer<CChar>?, depth: Int
    ) throws(Unreadable) -> BusValue {
        switch UInt8(bitPattern: type) {
        case UInt8(ascii: "y"): return .byte(unsafe try basic(type, UInt8(0)))
        case UInt8(ascii: "b"): return .bool(unsafe try basic(type, CInt(0)) != 0)
        case UInt8(ascii: "n"): return .int16(unsafe try basic(type, Int16(0)))
        case UInt8(ascii: "q"): return .uint16(unsafe try basic(type, UInt16(0)))
        case UInt8(ascii: "i"): return .int32(unsafe try basic(type, Int32(0)))
        case UInt8(ascii: "u"): return .uint32(unsafe try basic(type, UInt32(0)))
        case UInt8(ascii: "x"): return .int64(unsafe try basic(type, Int64(0)))
        case UInt8(ascii: "t"): return .uint64(unsafe try basic(type, UInt64(0)))
        case UInt8(ascii: "d"): return .double(unsafe try basic(type, Double(0)))
        case UInt8(ascii: "s"): return try text(type).map { .string($0) } ?? .unread
        case UInt8(ascii: "o"): return try text(type).map { .objectPath($0) } ?? .unread
        case UInt8(ascii: "g"): return try text(type).map { .signature($0) } ?? .unread
        case UInt8(ascii: "h"):
            _ = unsafe try basic(type, CInt(0))  // the message owns the descriptor and closes it
            return .unread
        case UInt8(ascii: "v"):
            guard let inner = unsafe try container(type, contents, depth: depth).first else { throw Unreadable() }
            return .variant(inner)
        case UInt8(ascii: "r"):
            return .structure(unsafe try container(type, contents, depth: depth))
        case UInt8(ascii: "e"):
            // Inside `a{…}` only, where the array below takes the pair out again.
            return .structure(unsafe try container(type, contents, depth: depth))
        case UInt8(ascii: "a"):
            let isDictionary = unsafe contents?.pointee == CChar(bitPattern: UInt8(ascii: "{"))
            let elements = unsafe try container(type, contents, depth: depth)
            return isDictionary ? .dictionary(try entries(elements)) : .array(elements)
        default: throw Unreadable()
        }
    }

    private func entries(_ pairs: [BusValue]) throws(Unreadable) -> [BusValue.Entry] {
        var entries: [BusValue.Entry] = []
        entries.reserveCapacity(pairs.count)
        for pair in pairs {
            guard case .structure(let fields) = pair, fields.count == 2 else { throw Unreadable() }
            entries.append(BusValue.Entry(fields[0], fields[1]))
        }
        return entries
    }

    private mutating func container(
        _ type: CChar, _ contents: UnsafePointer<CChar>?, depth: Int
    ) throws(Unreadable) -> [BusValue] {
        guard unsafe library.enterContainer(message, type, contents) > 0 else { throw Unreadable() }
        let inner = try values(depth: depth + 1)
        guard unsafe library.exitContainer(message) >= 0 else { throw Unreadable() }
        return inner
    }

    /// Reads a number. `initial` must be of the type that sd_bus_message_read_basic(3) stores for `type`.
    @unsafe private func basic<Number: BitwiseCopyable>(_ type: CChar, _ initial: Number) throws(Unreadable) -> Number {
        var number = initial
        guard unsafe library.readBasic(message, type, &number) > 0 else { throw Unreadable() }
        return number
    }

    /// Reads text; nil if it is longer than the limit.
    private func text(_ type: CChar) throws(Unreadable) -> String? {
        var pointer: UnsafePointer<CChar>?
        guard unsafe library.readBasic(message, type, &pointer) > 0, let text = unsafe pointer else {
            throw Unreadable()
        }
        return unsafe strnlen(text, Self.textLimit + 1) <= Self.textLimit ? unsafe String(cString: text) : nil
    }
}
