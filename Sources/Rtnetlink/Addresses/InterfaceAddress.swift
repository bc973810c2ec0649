internal import CRtnetlink
package import InternetProtocol

/// An address of one of the host's interfaces, as RTM_NEWADDR and RTM_DELADDR tell it.
package struct InterfaceAddress: Hashable, Sendable {
    package var interface: InterfaceIndex
    /// The host's own address; on a point-to-point link not the peer's.
    package var address: IPAddress
    /// The far end of a point-to-point address; nil if there is none.
    package var peer: IPAddress?
    package var prefixLength: Int
    package var flags: Flags

    package init(
        interface: InterfaceIndex, address: IPAddress, peer: IPAddress? = nil, prefixLength: Int,
        flags: Flags = [.permanent]
    ) {
        self.interface = interface
        self.address = address
        self.peer = peer
        self.prefixLength = prefixLength
        self.flags = flags
    }

    /// IFA_FLAGS, linux/if_addr.h IFA_F_….
    package struct Flags: OptionSet, Hashable, Sendable {
        package let rawValue: UInt32

        package init(rawValue: UInt32) { self.rawValue = rawValue }

        package static let secondary = Flags(rawValue: 0x01)
        package static let withoutDuplicateDetection = Flags(rawValue: 0x02)  // IFA_F_NODAD
        package static let optimistic = Flags(rawValue: 0x04)
        package static let duplicate = Flags(rawValue: 0x08)  // IFA_F_DADFAILED
        package static let deprecated = Flags(rawValue: 0x20)
        package static let tentative = Flags(rawValue: 0x40)
        package static let permanent = Flags(rawValue: 0x80)
    }

    /// True if the host may use the address: not while duplicate address detection runs, nor after it found one.
    ///
    /// An optimistic address may be used while it runs (RFC 4429).
    package var isUsable: Bool {
        !flags.contains(.duplicate) && (!flags.contains(.tentative) || flags.contains(.optimistic))
    }

    /// Decodes a payload; nil if the fixed part or the address is missing.
    package init?(_ payload: RawSpan) {
        guard let header = payload.load(ifaddrmsg.self), let family = IPAddress.Family(rawValue: header.ifa_family)
        else { return nil }
        var local: IPAddress?
        var other: IPAddress?
        var flags = UInt32(header.ifa_flags)
        forEachAttribute(in: payload, from: aligned(MemoryLayout<ifaddrmsg>.size)) { type, value in
            switch type {
            case 1: other = value.address(family)  // IFA_ADDRESS: the peer's on a point-to-point link, else our own
            case 2: local = value.address(family)  // IFA_LOCAL
            case 8: flags = value.load(UInt32.self) ?? flags  // IFA_FLAGS: all 32 bits
            default: break
            }
        }
        guard let address = local ?? other else { return nil }
        self.init(
            interface: InterfaceIndex(header.ifa_index), address: address, peer: other == address ? nil : other,
            prefixLength: Int(header.ifa_prefixlen), flags: Flags(rawValue: flags))
    }
}
