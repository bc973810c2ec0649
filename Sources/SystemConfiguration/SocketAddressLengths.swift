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
