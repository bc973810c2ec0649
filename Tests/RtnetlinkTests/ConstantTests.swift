import CRtnetlink
import Rtnetlink
import Testing

/// The numbers written out in the sources are those of the kernel's headers.
@Suite struct ConstantTests {
    @Test func messageTypesAreTheHeaders() {
        #expect(Int(MessageType.newLink.rawValue) == RTM_NEWLINK)
        #expect(Int(MessageType.deleteLink.rawValue) == RTM_DELLINK)
        #expect(Int(MessageType.getLink.rawValue) == RTM_GETLINK)
        #expect(Int(MessageType.newAddress.rawValue) == RTM_NEWADDR)
        #expect(Int(MessageType.deleteAddress.rawValue) == RTM_DELADDR)
        #expect(Int(MessageType.getAddress.rawValue) == RTM_GETADDR)
        #expect(Int(MessageType.newRoute.rawValue) == RTM_NEWROUTE)
        #expect(Int(MessageType.deleteRoute.rawValue) == RTM_DELROUTE)
        #expect(Int(MessageType.getRoute.rawValue) == RTM_GETROUTE)
        #expect(Int(MessageType.newRule.rawValue) == RTM_NEWRULE)
        #expect(Int(MessageType.deleteRule.rawValue) == RTM_DELRULE)
        #expect(Int(MessageType.newNetconf.rawValue) == RTM_NEWNETCONF)
        #expect(Int(MessageType.deleteNetconf.rawValue) == RTM_DELNETCONF)
        #expect(Int(MessageType.newNextHop.rawValue) == RTM_NEWNEXTHOP)
        #expect(Int(MessageType.deleteNextHop.rawValue) == RTM_DELNEXTHOP)
    }

    @Test func groupsAreTheHeaders() {
        let pairs: [(MulticastGroup, rtnetlink_groups)] = [
            (.link, RTNLGRP_LINK), (.ipv4Address, RTNLGRP_IPV4_IFADDR), (.ipv4Route, RTNLGRP_IPV4_ROUTE),
            (.ipv4Rule, RTNLGRP_IPV4_RULE), (.ipv6Address, RTNLGRP_IPV6_IFADDR), (.ipv6Route, RTNLGRP_IPV6_ROUTE),
            (.ipv6Rule, RTNLGRP_IPV6_RULE), (.ipv4Netconf, RTNLGRP_IPV4_NETCONF),
            (.ipv6Netconf, RTNLGRP_IPV6_NETCONF), (.nextHop, RTNLGRP_NEXTHOP),
        ]
        for (ours, header) in pairs { #expect(UInt32(ours.rawValue) == header.rawValue) }
        #expect(Set(MulticastGroup.all) == Set(pairs.map(\.0)))
    }

    @Test func routeTypesAreTheHeaders() {
        let pairs: [(RouteType, Int)] = [
            (.unicast, RTN_UNICAST), (.local, RTN_LOCAL), (.broadcast, RTN_BROADCAST), (.anycast, RTN_ANYCAST),
            (.multicast, RTN_MULTICAST), (.blackhole, RTN_BLACKHOLE), (.unreachable, RTN_UNREACHABLE),
            (.prohibit, RTN_PROHIBIT), (.throw, RTN_THROW),
        ]
        for (ours, header) in pairs { #expect(Int(ours.rawValue) == header) }
    }
}
