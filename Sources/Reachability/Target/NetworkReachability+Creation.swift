internal import Glibc
internal import InternetProtocol
internal import NameResolution
internal import Rtnetlink

extension NetworkReachability {
    /// What a target is made from: a name, or one or two addresses, and how it is to be watched.
    public struct Options: Hashable, Sendable {
        /// A host name, or an address as text; not beside addresses.
        public var name: String?
        /// The address that packets are sent from.
        public var localAddress: SocketAddress?
        /// The address that packets are sent to.
        public var remoteAddress: SocketAddress?
        /// The only interface that packets may leave by. It has to exist when the target is made.
        public var requiredInterface: String?
        /// True if a name is not to be looked up: its flags are those of the default route.
        public var bypassesResolver: Bool

        /// Options; at least a name or an address is needed.
        public init(
            name: String? = nil, localAddress: SocketAddress? = nil, remoteAddress: SocketAddress? = nil,
            requiredInterface: String? = nil, bypassesResolver: Bool = false
        ) {
            self.name = name
            self.localAddress = localAddress
            self.remoteAddress = remoteAddress
            self.requiredInterface = requiredInterface
            self.bypassesResolver = bypassesResolver
        }
    }

    /// The target of one address. `0.0.0.0` and `::` stand for the default route.
    public convenience init(address: SocketAddress) {
        self.init(.address(address), requiredIndex: nil, engine: .shared)
    }

    /// The target of packets from one address to another; either may be nil, not both.
    ///
    /// Addresses of two families are accepted and never reachable. From 127/8 to elsewhere, the local address is
    /// disregarded (Rules.md, "A pair").
    ///
    /// - Throws: `NetworkReachabilityError.noTarget` if both are nil.
    public convenience init(
        localAddress: SocketAddress?, remoteAddress: SocketAddress?
    ) throws(NetworkReachabilityError) {
        try self.init(options: Options(localAddress: localAddress, remoteAddress: remoteAddress))
    }

    /// The target of a host name, or of the address that the text is, in any form `inet_aton(3)` takes.
    ///
    /// Whatever else the text is, a target is made; what cannot be a host name, such as a URL, is not reachable once it
    /// is scheduled.
    ///
    /// - Throws: `NetworkReachabilityError.emptyName`.
    public convenience init(name: String) throws(NetworkReachabilityError) {
        try self.init(options: Options(name: name))
    }

    /// A target with options.
    ///
    /// - Throws: `NetworkReachabilityError` for an empty name, for none or both of name and addresses, and for an interface
    ///   that does not exist.
    public convenience init(options: Options) throws(NetworkReachabilityError) {
        try self.init(options: options, engine: .shared)
    }

    package convenience init(options: Options, engine: Engine) throws(NetworkReachabilityError) {
        let target = try Self.target(options)
        let index = try options.requiredInterface.map { name throws(NetworkReachabilityError) in
            try Self.index(ofInterface: name, engine)
        }
        let isBypassing = options.bypassesResolver && target.kind == .name
        self.init(
            isBypassing ? .default.requiring(interface: options.requiredInterface) : target,
            label: (options.name.map { Self.label(target, name: $0) } ?? Self.label(target))
                + (index.map { ", if_index = \($0)" } ?? ""),
            isName: target.kind == .name, requiredIndex: index, engine: engine)
    }

    /// A target of any kind, which has been checked or is refused.
    package convenience init(_ target: ReachabilityTarget, requiredIndex: Int? = nil, engine: Engine = .shared) {
        self.init(
            target, label: Self.label(target), isName: target.kind == .name, requiredIndex: requiredIndex,
            engine: engine)
    }

    private static func target(_ options: Options) throws(NetworkReachabilityError) -> ReachabilityTarget {
        let target: ReachabilityTarget
        switch (options.name, options.localAddress, options.remoteAddress) {
        case (nil, nil, nil): throw .noTarget
        case (let name?, nil, nil):
            guard !name.isEmpty else { throw .emptyName }
            target = .named(name)
        case (_?, _, _): throw .nameBesideAddress
        case (nil, nil, let remote?): target = .address(remote)
        case (nil, let local?, let remote): target = .folding(local: local, remote: remote)
        }
        return target.requiring(interface: options.requiredInterface)
    }

    private static func index(ofInterface name: String, _ engine: Engine) throws(NetworkReachabilityError) -> Int {
        do throws(SystemCallError) {
            let links = try engine.liveNetwork(completely: true).snapshot.view.links
            if let index = links[name: name]?.index { return Int(index.rawValue) }
        } catch {
            throw .kernel(ReachabilityError(reason: error.reason, description: error.description))
        }
        throw .noSuchInterface(name)
    }
}

extension ReachabilityTarget {
    /// The target that SCNetworkReachabilityCreateWithName makes of text: whatever it is, there is one
    /// (Rules.md, "NetworkReachability").
    package static func named(_ text: String) -> ReachabilityTarget {
        if let address = SocketAddress(numeric: text) { return .address(address) }
        do { return ReachabilityTarget(.name(try HostName(text))) } catch {
            return ReachabilityTarget(.refused(ReachabilityTargetError(.name(text, why: error.description))))
        }
    }

    /// The target of the `sockaddr` at an address whose family says how long it is, since Linux's has no length field.
    /// One of another family, or nothing at all, is refused.
    ///
    /// The memory has to hold a `sockaddr` of its family; it is read during the call only.
    package static func sockaddr(_ pointer: UnsafeRawPointer?) -> ReachabilityTarget {
        do throws(SocketAddressError) {
            guard let pointer = unsafe pointer else { throw SocketAddressError(.length(0, family: nil)) }
            // Sound as far as the caller hands in a sockaddr: each begins with its family, which tells its size.
            let family = unsafe Int32(pointer.loadUnaligned(as: sa_family_t.self))
            let length = sockaddrLength(family)
            guard length > 0 else { throw SocketAddressError(.family(family)) }
            return .address(try unsafe SocketAddress(UnsafeRawBufferPointer(start: pointer, count: length)))
        } catch {
            return ReachabilityTarget(.refused(ReachabilityTargetError(.address(error))))
        }
    }

    /// How many bytes a `sockaddr` of the family has; zero for families that are no target.
    package static func sockaddrLength(_ family: Int32) -> Int {
        switch family {
        case AF_INET: MemoryLayout<sockaddr_in>.size
        case AF_INET6: MemoryLayout<sockaddr_in6>.size
        default: 0
        }
    }

    /// Why this is no target; nil if it is one.
    package var refusal: ReachabilityTargetError? {
        if case .refused(let error) = content { error } else { nil }
    }

    /// A pair as SCNetworkReachabilityCreateWithAddressPair makes it: from IPv4's loopback to elsewhere the local end is
    /// dropped (as on macOS), and mixed families are refused only by never being reachable (Rules.md,
    /// "A pair", P11 and P14).
    fileprivate static func folding(local: SocketAddress, remote: SocketAddress?) -> ReachabilityTarget {
        if let remote, local.isIPv4, local.ip.isLoopback, !remote.ip.isLoopback { return .address(remote) }
        do { return try .pair(local: local, remote: remote) } catch { return ReachabilityTarget(.refused(error)) }
    }
}

extension SocketAddress {
    /// An address as CreateWithName takes it: IPv4 as `inet_aton(3)` reads it, which stops at white space, or IPv6 with
    /// or without a scope. An interface that does not exist gives no scope.
    fileprivate init?(numeric text: String) {
        if let v4 = IPAddress(classicIPv4: String(text.prefix { !$0.isWhitespace })) {
            self.init(ip: v4)
            return
        }
        let parts = text.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        // A zero would be taken for the end of the interface's name.
        guard !text.utf8.contains(0), let first = parts.first, let v6 = IPAddress(first), v6.family == .v6 else {
            return nil
        }
        if parts.count > 1 {
            self.init(ip: v6, scopeID: InterfaceIndex(named: parts[1])?.rawValue ?? UInt32(parts[1]) ?? 0)
        } else if v6.isLinkLocal, let scope = UInt16(exactly: v6.bits >> 96 & 0xffff), scope != 0 {
            // BSD's way of keeping a scope, in the second group: fe80:4::1.
            self.init(ip: IPAddress(family: .v6, bits: v6.bits & ~(UInt128(0xffff) << 96)), scopeID: UInt32(scope))
        } else {
            self.init(ip: v6)
        }
    }
}
