/// A range of addresses that share their leading bits: `10.0.0.0/8`, `2000::/3`.
package struct AddressPrefix: Hashable, Sendable {
    /// The first address of the range; bits beyond the length are zero.
    package let address: IPAddress
    package var length: Int { Int(size) }
    private let size: UInt8

    /// The prefix of `length` bits that holds `address`; the length is clamped to what the family has.
    package init(_ address: IPAddress, length: Int) {
        let length = min(max(length, 0), address.family.bitWidth)
        size = UInt8(length)
        // A whole address is the common case: it is what a lookup answers.
        self.address =
            length == address.family.bitWidth
            ? address : IPAddress(family: address.family, bits: address.bits & Self.mask(length, address.family))
    }

    /// The last address of the range.
    package var last: IPAddress {
        IPAddress(family: address.family, bits: address.bits | ~Self.mask(length, address.family))
    }

    package func contains(_ other: IPAddress) -> Bool {
        other.family == address.family && other.bits & Self.mask(length, address.family) == address.bits
    }

    /// True if the two ranges share an address, which is when one holds the other.
    package func overlaps(_ other: AddressPrefix) -> Bool {
        length <= other.length ? contains(other.address) : other.contains(address)
    }

    private static func mask(_ length: Int, _ family: IPAddress.Family) -> UInt128 {
        length == 0 ? 0 : UInt128.max << UInt128(family.bitWidth - length)
    }
}

extension AddressPrefix: CustomStringConvertible {
    package var description: String { "\(address)/\(length)" }
}
