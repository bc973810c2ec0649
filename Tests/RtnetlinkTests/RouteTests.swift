import InternetProtocol
import Rtnetlink
import Testing

@Suite struct RouteTests {
    private func read(_ builder: MessageBuilder) -> Route? { decoded(builder.payload) { Route($0) } }

    private func prefix(_ text: String, _ length: Int) throws -> AddressPrefix {
        AddressPrefix(try #require(IPAddress(text)), length: length)
    }

    @Test func aRouteThroughAGatewayIsReadWhole() throws {
        let route = try #require(
            read(
                .route(
                    destinationLength: 16,
                    [
                        .number(15, 254), .address(1, "10.1.0.0"), .number(6, 100), .address(7, "192.0.2.2"),
                        .address(5, "192.0.2.1"), .number(4, 3),
                    ])))
        #expect(try route.type == .unicast && route.destination == (prefix("10.1.0.0", 16)))
        #expect(route.gateway == IPAddress("192.0.2.1") && route.source == IPAddress("192.0.2.2"))
        #expect(route.egress == InterfaceIndex(3) && route.priority == 100)
        #expect(!route.isEncapsulated && route.lifetime == nil && route.firstOfSeveral == nil)
        #expect(route.answer == .success(route))
    }

    @Test func aRouteWithoutDestinationIsADefault() throws {
        #expect(try read(.route())?.destination == (prefix("0.0.0.0", 0)))
        #expect(try read(.route(family: 10))?.destination == (prefix("::", 0)))
    }

    /// RTA_VIA: the next hop of an IPv4 route may be an IPv6 address (RFC 5549).
    @Test func theNextHopMayBeOfTheOtherFamily() throws {
        let via = littleEndian(UInt16(10)) + (IPAddress("fe80::9")?.bytes ?? [])
        #expect(read(.route([.bytes(18, via)]))?.gateway == IPAddress("fe80::9"))
        #expect(read(.route([.bytes(18, Array(via.dropLast()))]))?.gateway == nil, "cut")
        #expect(read(.route([.bytes(18, littleEndian(UInt16(99)) + [1, 2, 3, 4])]))?.gateway == nil, "family")
        #expect(read(.route([.bytes(18, [10])]))?.gateway == nil, "no family")
    }

    @Test func encapsulationIsSeen() {
        #expect(read(.route([.nested(22, [.number(1, 100)])]))?.isEncapsulated == true)
    }

    /// rta_clntref, rta_lastuse, rta_expires, rta_error, rta_used, rta_id, rta_ts, rta_tsage.
    private func cacheInfo(expires: Int32, error: UInt32 = 0) -> MessageBuilder.Attribute {
        let words = [0, 0, UInt32(bitPattern: expires), error, 0, 0, 0, 0]
        return .bytes(12, words.flatMap { littleEndian($0) })
    }

    @Test func anExpiryIsInHundredthsOfASecond() {
        #expect(read(.route(family: 10, [cacheInfo(expires: 250)]))?.lifetime == .milliseconds(2500))
        #expect(read(.route(family: 10, [cacheInfo(expires: 0)]))?.lifetime == nil)
        #expect(read(.route(family: 10, [cacheInfo(expires: -1300)]))?.lifetime == .zero, "past, and not collected")
        #expect(read(.route(family: 10, [cacheInfo(expires: .min)]))?.lifetime == .zero)
        #expect(read(.route(family: 10, [.bytes(12, [1, 2, 3, 4])]))?.lifetime == nil, "cut")
    }

    @Test func aLifetimeCanBeGiven() throws {
        var route = Route(destination: try prefix("::", 0))
        for lifetime in [Duration.milliseconds(10), .seconds(60), .seconds(86400)] {
            route.lifetime = lifetime
            #expect(route.lifetime == lifetime)
        }
        route.lifetime = nil
        #expect(route.lifetime == nil)
    }

    @Test func aLifetimeThatIsOverIsNotForEver() throws {
        var route = Route(destination: try prefix("::", 0))
        for lifetime in [Duration.zero, .seconds(-1), .nanoseconds(1)] {
            route.lifetime = lifetime
            #expect(route.lifetime.map { $0 <= .milliseconds(10) } == true, "\(lifetime)")
        }
    }

    @Test func noLifetimeIsTooLong() throws {
        var route = Route(destination: try prefix("::", 0))
        for lifetime in [Duration.seconds(Int64.max), Duration(attoseconds: .max)] {
            route.lifetime = lifetime
            #expect(route.lifetime.map { $0 > .seconds(200 * 86400) } == true)
        }
    }

    /// struct rtnexthop: length, flags, hops, interface; then attributes of its own.
    private func hop(_ interface: Int32, length: UInt16 = 8) -> [UInt8] {
        littleEndian(length) + [0, 0] + littleEndian(interface)
    }

    @Test func ofSeveralNextHopsTheFirstIsKept() {
        let gateway = MessageBuilder.Attribute.address(5, "192.0.2.7").encoded
        let hops = hop(3, length: 16) + gateway + hop(4)
        #expect(read(.route([.bytes(9, hops)]))?.firstOfSeveral == InterfaceIndex(3))
        #expect(read(.route([.bytes(9, hops)]))?.egress == nil)
        #expect(read(.route([.bytes(9, hop(0) + hop(4))]))?.firstOfSeveral == InterfaceIndex(4), "one without a link")
    }

    @Test(arguments: [0, 7, 9, 0xffff]) func aNextHopWhoseLengthCannotBeEndsTheList(length: UInt16) {
        #expect(read(.route([.bytes(9, hop(0) + hop(4, length: length))]))?.firstOfSeveral == nil)
    }

    @Test(
        arguments: [
            (.blackhole, .blackhole), (.unreachable, .unreachable), (.prohibit, .prohibited), (.throw, .noRoute),
        ] as [(RouteType, RouteFailure)])
    func aRouteThatRejectsIsAFailure(type: RouteType, failure: RouteFailure) {
        #expect(read(.route(routeType: type))?.answer == .failure(failure))
    }

    @Test(arguments: [.unicast, .local, .broadcast, .anycast, .multicast, RouteType(rawValue: 200)])
    func anyOtherRouteIsAnAnswer(type: RouteType) throws {
        let route = try #require(read(.route(routeType: type)))
        #expect(route.answer == .success(route) && route.type == type)
    }

    /// Kernels before 4.2 answered IPv6 questions so.
    @Test func anErrorInTheCacheInfoIsAnUnreachableRoute() {
        #expect(read(.route(family: 10, [cacheInfo(expires: 0, error: 113)]))?.answer == .failure(.unreachable))
    }

    @Test func otherThingsAreRefused() {
        #expect(read(.route(family: 28)) == nil, "MPLS")
        let payload = MessageBuilder.route().payload
        for length in 0..<12 { #expect(decoded(Array(payload[..<length])) { Route($0) } == nil) }
        #expect(read(.route([.bytes(5, [1, 2]), .bytes(4, [1]), .bytes(6, []), .bytes(7, [1])]))?.gateway == nil)
    }

    /// linux/errno.h, and what RTM_GETROUTE means by it (Rules.md, "Reasons").
    @Test(
        arguments: [
            (101, .noRoute), (3, .noRoute), (11, .noRoute), (113, .unreachable), (13, .prohibited), (22, .blackhole),
            (19, .noInterface), (1, .notAnswered(1)), (12, .notAnswered(12)), (105, .notAnswered(105)),
        ] as [(Int32, RouteFailure)])
    func anErrorNumberIsAFailure(code: Int32, failure: RouteFailure) {
        #expect(RouteFailure(errno: code) == failure)
    }
}
