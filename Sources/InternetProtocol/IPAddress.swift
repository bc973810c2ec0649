package import Glibc

/// An IPv4 or IPv6 address, without port and without scope.
///
/// Both families share one fixed layout, so that an address is copied and compared without allocation.
package struct IPAddress: Hashable, Sendable {
    /// The address family, with the kernel's numbers.
    package enum Family: UInt8, Sendable, CaseIterable {
        case v4 = 2  // AF_INET, linux/socket.h
        case v6 = 10  // AF_INET6, linux/socket.h

        /// How many bits an address of the family has.
        package var bitWidth: Int { self == .v4 ? 32 : 128 }

        /// How many bytes an address of the family has.
        package var byteCount: Int { bitWidth / 8 }
    }

    // Two words and not one of 128 bits, whose alignment would make every value that holds addresses a third larger.
    private let high: UInt64
    private let low: UInt64
    package let family: Family

    package init(family: Family, bits: UInt128) {
        self.family = family
        high = family == .v4 ? 0 : UInt64(truncatingIfNeeded: bits >> 64)
        low = UInt64(truncatingIfNeeded: family == .v4 ? bits & 0xffff_ffff : bits)
    }

    /// The address as a number in host byte order; an IPv4 address stands in the low 32 bits.
    package var bits: UInt128 { UInt128(high) << 64 | UInt128(low) }

    /// True for IPv4, false for IPv6.
    package var isIPv4: Bool { family == .v4 }

    /// An IPv4 address from its number in host byte order.
    package init(v4 bits: UInt32) {
        self.init(family: .v4, bits: UInt128(bits))
    }

    /// The zero address of a family: `0.0.0.0` or `::`.
    package static func unspecified(_ family: Family) -> IPAddress { IPAddress(family: family, bits: 0) }

    /// 127.0.0.1 or ::1.
    package static func loopback(_ family: Family) -> IPAddress {
        IPAddress(family: family, bits: family == .v4 ? 0x7f00_0001 : 1)
    }

    /// An address from its bytes in network order: four for IPv4, sixteen for IPv6, else nil.
    package init?(bytes: some Collection<UInt8>) {
        let family: Family
        switch bytes.count {
        case 4: family = .v4
        case 16: family = .v6
        default: return nil
        }
        self.init(family: family, bits: bytes.reduce(0) { $0 << 8 | UInt128($1) })
    }

    /// The bytes in network order.
    package var bytes: [UInt8] {
        (0..<family.byteCount).reversed().map { UInt8(truncatingIfNeeded: bits >> UInt128($0 * 8)) }
    }
}

extension IPAddress: Comparable {
    /// IPv4 before IPv6, then by number.
    package static func < (a: IPAddress, b: IPAddress) -> Bool {
        a.family == b.family ? a.bits < b.bits : a.family == .v4
    }
}

// MARK: - Kinds of address

extension IPAddress {
    package var isUnspecified: Bool { high | low == 0 }

    /// 127.0.0.0/8 (RFC 1122) or ::1 (RFC 4291).
    package var isLoopback: Bool { family == .v4 ? bits >> 24 == 127 : bits == 1 }

    /// 169.254.0.0/16 (RFC 3927) or fe80::/10 (RFC 4291).
    package var isLinkLocal: Bool { family == .v4 ? bits >> 16 == 0xa9fe : bits >> 118 == 0x3fa }

    /// 224.0.0.0/4 (RFC 5771) or ff00::/8 (RFC 4291).
    package var isMulticast: Bool { family == .v4 ? bits >> 28 == 0xe : bits >> 120 == 0xff }

    /// An IPv6 multicast group whose meaning depends on the link: ffx1::/16 and ffx2::/16, where x is the flags, any of
    /// them (RFC 4291, 2.7).
    package var isLinkScopedMulticast: Bool {
        family == .v6 && isMulticast && ((bits >> 112) & 0xf == 1 || (bits >> 112) & 0xf == 2)
    }

    /// Neither unspecified, loopback, link-local nor multicast: what a source of global traffic has to be for IPv6.
    package var isGlobal: Bool { !(isUnspecified || isLoopback || isLinkLocal || isMulticast) }

    /// `::ffff:a.b.c.d` as `a.b.c.d` (RFC 4291, 2.5.5.2); any other address as it is.
    package var unmapped: IPAddress {
        family == .v6 && bits >> 32 == 0xffff ? IPAddress(family: .v4, bits: bits) : self
    }
}

// MARK: - Text

extension IPAddress: CustomStringConvertible {
    /// An address from its canonical text: a dotted quad or IPv6 text without scope, nothing else.
    package init?(_ text: String) {
        // C would take a zero inside the text for its end.
        guard !text.utf8.contains(0) else { return nil }
        var v4 = in_addr()
        var v6 = in6_addr()
        if unsafe inet_pton(AF_INET, text, &v4) == 1 {
            self.init(v4: UInt32(bigEndian: v4.s_addr))
        } else if unsafe inet_pton(AF_INET6, text, &v6) == 1 {
            self.init(v6)
        } else {
            return nil
        }
    }

    /// An IPv4 address from any of the forms inet_aton(3) takes: `127.1`, `0x7f000001`, `017700000001`.
    ///
    /// Text with white space or a zero is refused, where inet_aton would stop reading at it.
    package init?(classicIPv4 text: String) {
        var v4 = in_addr()
        guard !text.contains(where: \.isWhitespace), !text.utf8.contains(0), unsafe inet_aton(text, &v4) != 0 else {
            return nil
        }
        self.init(v4: UInt32(bigEndian: v4.s_addr))
    }

    package init(_ address: in6_addr) {
        var copy = address
        let bits = unsafe withUnsafeBytes(of: &copy) { bytes in
            unsafe bytes.reduce(UInt128(0)) { $0 << 8 | UInt128($1) }
        }
        self.init(family: .v6, bits: bits)
    }

    /// The address as in6_addr; an IPv4 address comes out IPv4-mapped.
    package var in6: in6_addr {
        var result = in6_addr()
        let value = (family == .v4 ? bits | 0xffff << 32 : bits).bigEndian
        unsafe withUnsafeMutableBytes(of: &result) { bytes in
            unsafe withUnsafeBytes(of: value) { unsafe bytes.copyMemory(from: $0) }
        }
        return result
    }

    /// The canonical text: a dotted quad, or IPv6 as RFC 5952 has it.
    package var description: String {
        if family == .v4 {
            return (0..<4).reversed().map { String((bits >> ($0 * 8)) & 0xff) }.joined(separator: ".")
        }
        var address = in6
        return unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(INET6_ADDRSTRLEN)) { buffer in
            guard let base = buffer.baseAddress,
                unsafe inet_ntop(AF_INET6, &address, base, socklen_t(INET6_ADDRSTRLEN)) != nil
            else { return "?" }  // inet_ntop fails only for a buffer that is too small
            return unsafe String(cString: base)
        }
    }
}
