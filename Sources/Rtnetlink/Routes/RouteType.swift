/// What a route does with its packets (rtm_type, linux/rtnetlink.h RTN_…).
package struct RouteType: RawRepresentable, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let unicast = RouteType(rawValue: 1)
    package static let local = RouteType(rawValue: 2)
    package static let broadcast = RouteType(rawValue: 3)
    package static let anycast = RouteType(rawValue: 4)
    package static let multicast = RouteType(rawValue: 5)
    package static let blackhole = RouteType(rawValue: 6)
    package static let unreachable = RouteType(rawValue: 7)
    package static let prohibit = RouteType(rawValue: 8)
    package static let `throw` = RouteType(rawValue: 9)
}
