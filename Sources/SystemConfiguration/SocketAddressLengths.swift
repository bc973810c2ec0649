internal import Reachability

// BSD's length fields, which Linux's structures do not have. Reading gives the length that the family has; writing does
// nothing, so that code which fills them in compiles and means the same.

extension sockaddr {
    /// The length of an address of the family; zero for families other than IPv4 and IPv6. Cannot be changed.
    public var sa_len: UInt8 {
        get { UInt8(ReachabilityTarget.sockaddrLength(Int32(sa_family))) }
        set {}
    }
}

extension sockaddr_storage {
    /// The length of an address of the family; zero for families other than IPv4 and IPv6. Cannot be changed.
    public var ss_len: UInt8 {
        get { UInt8(ReachabilityTarget.sockaddrLength(Int32(ss_family))) }
        set {}
    }
}

extension sockaddr_in {
    /// The structure's length. Cannot be changed.
    public var sin_len: UInt8 {
        get { UInt8(MemoryLayout<sockaddr_in>.size) }
        set {}
    }
}

extension sockaddr_in6 {
    /// The structure's length. Cannot be changed.
    public var sin6_len: UInt8 {
        get { UInt8(MemoryLayout<sockaddr_in6>.size) }
        set {}
    }
}

// The structures' own initializers as Apple's systems have them, with the length that Linux's structures do not have.

extension sockaddr {
    /// A socket address of any family; the length is left out.
    public init(
        sa_len: UInt8, sa_family: sa_family_t,
        sa_data: (
            CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar
        )
    ) {
        self.init(sa_family: sa_family, sa_data: sa_data)
    }
}

extension sockaddr_in {
    /// An IPv4 socket address; the length is left out.
    public init(
        sin_len: UInt8, sin_family: sa_family_t, sin_port: in_port_t, sin_addr: in_addr,
        sin_zero: (UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8)
    ) {
        self.init(sin_family: sin_family, sin_port: sin_port, sin_addr: sin_addr, sin_zero: sin_zero)
    }
}

extension sockaddr_in6 {
    /// An IPv6 socket address; the length is left out.
    public init(
        sin6_len: UInt8, sin6_family: sa_family_t, sin6_port: in_port_t, sin6_flowinfo: UInt32, sin6_addr: in6_addr,
        sin6_scope_id: UInt32
    ) {
        self.init(
            sin6_family: sin6_family, sin6_port: sin6_port, sin6_flowinfo: sin6_flowinfo, sin6_addr: sin6_addr,
            sin6_scope_id: sin6_scope_id)
    }
}
