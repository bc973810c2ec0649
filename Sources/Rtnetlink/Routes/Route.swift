internal import CRtnetlink
package import InternetProtocol

/// A route as RTM_GETROUTE answers it and RTM_NEWROUTE announces it.
///
/// Plain memory without references, since one is made for every lookup.
package struct Route: Hashable, Sendable {
    package var type: RouteType
    /// The addresses that the route is for; the asked address alone unless the question was for the entry.
    package var destination: AddressPrefix
    package var egress: InterfaceIndex?
    /// The next hop, of either family (RTA_GATEWAY, RTA_VIA).
    package var gateway: IPAddress?
    /// The source address the kernel picks (RTA_PREFSRC).
    package var source: IPAddress?
    /// True if packets are wrapped on the way out (RTA_ENCAP): MPLS, segment routing, light-weight tunnels.
    package var isEncapsulated = false
    /// The metric: of two routes to the same prefix the lower one wins.
    package var priority: UInt32 = 0
    /// RTA_CACHEINFO's expiry in hundredths of a second; zero if there is none, negative once it is past.
    private var expiry: Int32 = 0
    /// The interface of the first next hop of a route that has several and has not chosen yet.
    package var firstOfSeveral: InterfaceIndex?

    package init(
        type: RouteType = .unicast, destination: AddressPrefix, egress: InterfaceIndex? = nil,
        gateway: IPAddress? = nil, source: IPAddress? = nil
    ) {
        self.type = type
        self.destination = destination
        self.egress = egress
        self.gateway = gateway
        self.source = source
    }

    /// Decodes a payload; nil if the fixed part is cut or the family is neither IPv4 nor IPv6.
    ///
    /// Inlined, as `answer` is, so that a lookup's route is made where it is returned and not copied on the way.
    @inline(__always)
    package init?(_ payload: RawSpan) {
        guard let header = payload.load(rtmsg.self), let family = IPAddress.Family(rawValue: header.rtm_family) else {
            return nil
        }
        // Collected apart from the value: what nobody else can reach may stay in registers until the end.
        var destination: IPAddress?
        var egress: InterfaceIndex?
        var gateway: IPAddress?
        var source: IPAddress?
        var cache: CacheInfo?
        var isEncapsulated = false
        var priority: UInt32 = 0
        var firstOfSeveral: InterfaceIndex?
        forEachAttribute(in: payload, from: aligned(MemoryLayout<rtmsg>.size)) { type, value in
            switch type {
            case 1: destination = value.address(family)  // RTA_DST
            case 4: egress = value.load(UInt32.self).map { InterfaceIndex($0) }  // RTA_OIF
            case 5: gateway = value.address(family)  // RTA_GATEWAY
            case 6: priority = value.load(UInt32.self) ?? 0  // RTA_PRIORITY
            case 7: source = value.address(family)  // RTA_PREFSRC
            case 9: firstOfSeveral = Self.firstNextHop(value) ?? firstOfSeveral  // RTA_MULTIPATH
            case 12: cache = CacheInfo(value)  // RTA_CACHEINFO
            case 18: gateway = gateway ?? Self.via(value)  // RTA_VIA
            case 22: isEncapsulated = true  // RTA_ENCAP
            default: break
            }
        }
        let type = RouteType(rawValue: header.rtm_type)
        // Kernels before 4.2 answered IPv6 lookups of rejecting routes with a route and the error in here.
        self.type = cache?.hasError == true && type == .unicast ? .unreachable : type
        self.destination = AddressPrefix(destination ?? .unspecified(family), length: Int(header.rtm_dst_len))
        self.egress = egress
        self.gateway = gateway
        self.source = source
        self.isEncapsulated = isEncapsulated
        self.priority = priority
        self.firstOfSeveral = firstOfSeveral
        expiry = cache?.expiry ?? 0
    }

    /// struct rtvia: a family in two bytes, then the address.
    private static func via(_ value: RawSpan) -> IPAddress? {
        guard let number = value.load(UInt16.self), let family = IPAddress.Family(rawValue: UInt8(clamping: number))
        else { return nil }
        return value.extracting(value.clamp(2, value.byteCount)).address(family)
    }

    /// What matters of struct rta_cacheinfo.
    private struct CacheInfo {
        let expiry: Int32
        let hasError: Bool

        init?(_ value: RawSpan) {
            guard let info = value.load(rta_cacheinfo.self) else { return nil }
            expiry = info.rta_expires
            hasError = info.rta_error != 0
        }
    }

    /// The interface of the first of several hops (struct rtnexthop).
    private static func firstNextHop(_ value: RawSpan) -> InterfaceIndex? {
        var offset = 0
        while let hop = value.load(rtnexthop.self, at: offset) {
            let length = Int(hop.rtnh_len)
            guard length >= MemoryLayout<rtnexthop>.size, length <= value.byteCount - offset else { return nil }
            guard hop.rtnh_ifindex <= 0 else { return InterfaceIndex(UInt32(hop.rtnh_ifindex)) }
            offset += aligned(length)
        }
        return nil
    }

    // What an evaluation asks of the type. Here, since another module's == is a call through a protocol's table.

    /// True if packets go to one host, this one or another on the way.
    package var isUnicast: Bool { type == .unicast }

    /// True if packets end on this host: a local or an anycast route.
    package var isToThisHost: Bool { type == .local || type == .anycast }

    /// True if packets go to every host of the link. There is no such question for multicast: that an address is of many hosts is
    /// in the address, while the type in an answer may be that of another route by the same next hop, from whose cache the
    /// kernel takes it (net/ipv4/route.c, __mkroute_output).
    package var isBroadcast: Bool { type == .broadcast }

    /// How long the route holds, from the moment of the answer; nil if it does not expire.
    package var lifetime: Duration? {
        get {
            // Clock ticks of USER_HZ, which is 100 in every kernel's interface to programs (asm-generic/param.h).
            // Negative after expiry, until the entry is collected: it holds no longer.
            expiry == 0 ? nil : .milliseconds(max(Int(expiry), 0) * 10)
        }
        set {
            // Zero is "does not expire" to the kernel, so what is over already is one tick past.
            expiry = newValue.map { $0 < .milliseconds(10) ? -1 : Int32(min($0 / .milliseconds(10), 0x7fff_ffff)) } ?? 0
        }
    }

    /// The answer this route is: one that rejects packets is a failure.
    @inline(__always)
    package var answer: RouteAnswer {
        switch type {
        case .blackhole: .failure(.blackhole)
        case .unreachable: .failure(.unreachable)
        case .prohibit: .failure(.prohibited)
        case .throw: .failure(.noRoute)
        default: .success(self)
        }
    }
}
