/// A D-Bus value of any type. What a peer sends is data of unknown shape: the accessors give nil for another type.
package enum BusValue: Equatable, Sendable {
    case byte(UInt8)
    case bool(Bool)
    case int16(Int16)
    case uint16(UInt16)
    case int32(Int32)
    case uint32(UInt32)
    case int64(Int64)
    case uint64(UInt64)
    case double(Double)
    case string(String)
    case objectPath(String)
    case signature(String)
    case array([BusValue])
    /// An array of dictionary entries, in the order sent; a key may come twice.
    case dictionary([Entry])
    case structure([BusValue])
    /// A value that brought its type along.
    indirect case variant(BusValue)
    /// Something that was left unread: a descriptor, or text longer than the reader takes.
    case unread

    /// One key and its value.
    package struct Entry: Equatable, Sendable {
        /// The key, of any basic type.
        package var key: BusValue
        /// The value, of any type.
        package var value: BusValue

        /// A pair.
        package init(_ key: BusValue, _ value: BusValue) {
            self.key = key
            self.value = value
        }
    }
}

extension BusValue {
    /// The value inside any number of variants.
    package var content: BusValue {
        var value = self
        while case .variant(let inner) = value { value = inner }
        return value
    }

    /// A number of D-Bus type `u`.
    package var uint32: UInt32? {
        if case .uint32(let value) = content { value } else { nil }
    }

    /// Text of D-Bus type `s`.
    package var string: String? {
        if case .string(let value) = content { value } else { nil }
    }

    /// A path of D-Bus type `o`.
    package var objectPath: String? {
        if case .objectPath(let value) = content { value } else { nil }
    }

    /// The elements of an array that is no dictionary.
    package var array: [BusValue]? {
        if case .array(let value) = content { value } else { nil }
    }

    /// The entries of a dictionary.
    package var dictionary: [Entry]? {
        if case .dictionary(let value) = content { value } else { nil }
    }

    /// The fields of a structure.
    package var structure: [BusValue]? {
        if case .structure(let value) = content { value } else { nil }
    }

    /// The object paths of an array of nothing else; nil if it is anything else.
    package var objectPaths: [String]? { array?.allOrNil(\.objectPath) }

    /// The strings of an array of nothing else; nil if it is anything else.
    package var strings: [String]? { array?.allOrNil(\.string) }

    /// A string that can name a network interface by the kernel's rule (`dev_valid_name`, net/core/dev.c): 1 to 15
    /// bytes, no slash, colon or white space, neither `.` nor `..`.
    package var interfaceName: String? {
        guard let name = string, (1...15).contains(name.utf8.count), name != ".", name != "..",
            !name.utf8.contains(where: { $0 == 0x2f || $0 == 0x3a || $0 == 0x20 || (0x09...0x0d).contains($0) })
        else { return nil }
        return name
    }
}

extension Array {
    /// Every element transformed, or nil if one of them cannot be.
    fileprivate func allOrNil<Result>(_ transform: (Element) -> Result?) -> [Result]? {
        var results: [Result] = []
        results.reserveCapacity(count)
        for element in self {
            guard let result = transform(element) else { return nil }
            results.append(result)
        }
        return results
    }
}
