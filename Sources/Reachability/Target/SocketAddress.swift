public import Glibc
package import InternetProtocol
internal import Rtnetlink

/// An IPv4 or IPv6 address with a port and, for IPv6, a scope: what a `sockaddr` holds.
///
/// A port is kept and shown but makes no difference to reachability: routes do not look at it.
public struct SocketAddress: Hashable, Sendable {
    package let ip: IPAddress
    /// The port in host byte order; zero if there is none.
    public let port: UInt16
    /// The number of the interface that a link-local IPv6 address belongs to; zero if it was not said.
    public let scopeID: UInt32

    package init(ip: IPAddress, port: UInt16 = 0, scopeID: UInt32 = 0) {
        self.ip = ip
        self.port = port
        self.scopeID = ip.family == .v6 ? scopeID : 0
    }

    /// An IPv4 address, such as from `inet_pton`.
    public init(_ address: in_addr, port: UInt16 = 0) {
        self.init(ip: IPAddress(v4: UInt32(bigEndian: address.s_addr)), port: port)
    }

    /// An IPv6 address, such as from `inet_pton`.
    public init(_ address: in6_addr, port: UInt16 = 0, scopeID: UInt32 = 0) {
        self.init(ip: IPAddress(address), port: port, scopeID: scopeID)
    }

    /// True for IPv4, false for IPv6.
    public var isIPv4: Bool { ip.family == .v4 }

    /// True for `0.0.0.0` and `::`, which stand for the default route.
    public var isUnspecified: Bool { ip.isUnspecified }
}

// MARK: - From a sockaddr

extension SocketAddress {
    /// The address that a `sockaddr` of `length` bytes holds.
    ///
    /// Linux's `sockaddr` has no length of its own (`sa_len`), so the length comes beside it, as for `connect(2)`.
    /// The memory is read during the call only.
    ///
    /// - Throws: `SocketAddressError` if the family is neither IPv4 nor IPv6, or the length too short for the family
    ///   (16 bytes, 28 bytes) or above 128 (`sockaddr_storage`).
    public init(_ pointer: UnsafePointer<sockaddr>, length: socklen_t) throws(SocketAddressError) {
        // Sound as far as the caller says the truth about the length: nothing beyond it is read.
        try unsafe self.init(UnsafeRawBufferPointer(start: pointer, count: Int(length)))
    }

    /// The address whose `sockaddr` the bytes are.
    ///
    /// - Throws: as `init(_:length:)`.
    public init(_ bytes: UnsafeRawBufferPointer) throws(SocketAddressError) {
        let count = bytes.count
        guard count >= MemoryLayout<sa_family_t>.size, count <= MemoryLayout<sockaddr_storage>.size else {
            throw SocketAddressError(.length(count, family: nil))
        }
        // Sound: the lengths are checked before each load, and the structs are made of integers.
        let family = unsafe Int32(bytes.loadUnaligned(as: sa_family_t.self))
        switch family {
        case AF_INET:
            guard count >= MemoryLayout<sockaddr_in>.size else {
                throw SocketAddressError(.length(count, family: family))
            }
            let v4 = unsafe bytes.loadUnaligned(as: sockaddr_in.self)
            self.init(v4.sin_addr, port: UInt16(bigEndian: v4.sin_port))
        case AF_INET6:
            guard count >= MemoryLayout<sockaddr_in6>.size else {
                throw SocketAddressError(.length(count, family: family))
            }
            let v6 = unsafe bytes.loadUnaligned(as: sockaddr_in6.self)
            self.init(v6.sin6_addr, port: UInt16(bigEndian: v6.sin6_port), scopeID: v6.sin6_scope_id)
        default:
            throw SocketAddressError(.family(family))
        }
    }

    /// Calls `body` with the address as a `sockaddr` and its length; the pointer is good for the call only.
    public func withSockaddr<Result, Failure: Error>(
        _ body: (UnsafePointer<sockaddr>, socklen_t) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        // Sound: a sockaddr_storage is large and aligned enough for every family, and lives through the call.
        var storage = sockaddr_storage()
        let length: Int
        if isIPv4 {
            var v4 = sockaddr_in()
            v4.sin_family = sa_family_t(AF_INET)
            v4.sin_port = port.bigEndian
            v4.sin_addr.s_addr = UInt32(truncatingIfNeeded: ip.bits).bigEndian
            unsafe withUnsafeMutableBytes(of: &storage) { unsafe $0.storeBytes(of: v4, as: sockaddr_in.self) }
            length = MemoryLayout<sockaddr_in>.size
        } else {
            var v6 = sockaddr_in6()
            v6.sin6_family = sa_family_t(AF_INET6)
            v6.sin6_port = port.bigEndian
            v6.sin6_addr = ip.in6
            v6.sin6_scope_id = scopeID
            unsafe withUnsafeMutableBytes(of: &storage) { unsafe $0.storeBytes(of: v6, as: sockaddr_in6.self) }
            length = MemoryLayout<sockaddr_in6>.size
        }
        return try unsafe withUnsafePointer(to: &storage) { pointer throws(Failure) in
            try unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address throws(Failure) in
                try unsafe body(address, socklen_t(length))
            }
        }
    }
}

// MARK: - Text

extension SocketAddress {
    /// The address that `text` is: `10.0.0.1`, `10.0.0.1:80`, `2001:db8::1`, `fe80::1%eth0`, `[2001:db8::1]:443`.
    ///
    /// IPv4 may have the shorter and other forms of `inet_aton(3)` (`127.1`, `0x7f000001`), as with
    /// SCNetworkReachabilityCreateWithName. A scope may be an interface's name, looked up now in the calling thread's
    /// network namespace, or its number, which Apple's parser does not take.
    ///
    /// - Throws: `SocketAddressError` if the text is no address, its port no number up to 65535, or its scope the name
    ///   of no interface.
    public init(_ text: String) throws(SocketAddressError) {
        var host = Substring(text)
        var port: UInt16 = 0
        if let bracket = text.lastIndex(of: "]"), text.hasPrefix("[") {
            host = text[text.index(after: text.startIndex)..<bracket]
            let rest = text[text.index(after: bracket)...]
            port = rest.isEmpty ? 0 : try Self.port(rest, of: text)
            // Brackets are how IPv6 is written where a port may follow.
            guard host.contains(":") else { throw SocketAddressError(.text(text)) }
        } else if text.count(where: { $0 == ":" }) == 1, let colon = text.firstIndex(of: ":") {
            host = text[..<colon]
            port = try Self.port(text[colon...], of: text)
        }
        let parts = host.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false)
        let address = String(parts.first ?? "")
        guard let ip = IPAddress(address) ?? IPAddress(classicIPv4: address) else {
            throw SocketAddressError(.text(text))
        }
        guard parts.count > 1 else {
            self.init(ip: ip, port: port)
            return
        }
        // On IPv4 a scope is a required interface, which is a target's matter and no part of an address.
        guard ip.family == .v6 else { throw SocketAddressError(.text(text)) }
        self.init(ip: ip, port: port, scopeID: try Self.scope(String(parts[1]), of: text))
    }

    /// True for text that ends with a port or that would if it were an address: `10.0.0.1:80`, `[::1]:443`.
    package static func hasPort(_ text: String) -> Bool {
        text.hasPrefix("[") ? text.contains("]:") : text.count { $0 == ":" } == 1
    }

    private static func port(_ suffix: Substring, of text: String) throws(SocketAddressError) -> UInt16 {
        guard suffix.first == ":" else { throw SocketAddressError(.text(text)) }
        let digits = suffix.dropFirst()
        guard digits.allSatisfy({ $0.isASCII && $0.isNumber }), let port = UInt16(digits) else {
            throw SocketAddressError(.port(String(digits), text: text))
        }
        return port
    }

    private static func scope(_ name: String, of text: String) throws(SocketAddressError) -> UInt32 {
        if let index = InterfaceIndex(named: name) { return index.rawValue }
        guard name.allSatisfy({ $0.isASCII && $0.isNumber }), let number = UInt32(name), number != 0 else {
            throw SocketAddressError(.scope(name, text: text))
        }
        return number
    }
}

extension SocketAddress: CustomStringConvertible {
    /// The address as text, with its scope and port where it has them: `fe80::1%eth0`, `10.0.0.1:80`, `[::1]:443`.
    public var description: String {
        guard port != 0 else { return withoutPort }
        return isIPv4 ? "\(withoutPort):\(port)" : "[\(withoutPort)]:\(port)"
    }

    /// The address as text, with its scope where it has one.
    package var withoutPort: String {
        ip.description + (scopeID == 0 ? "" : "%" + (scopeName ?? String(scopeID)))
    }

    /// The name of the scope's interface; nil if there is no such interface.
    var scopeName: String? {
        unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(IF_NAMESIZE)) { buffer in
            // Sound: if_indextoname writes at most IF_NAMESIZE bytes with a zero at the end, or returns null.
            guard let base = buffer.baseAddress, unsafe if_indextoname(scopeID, base) != nil else {
                return nil
            }
            return unsafe String(cString: base)
        }
    }
}
