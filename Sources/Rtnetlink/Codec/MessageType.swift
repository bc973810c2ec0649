/// What a netlink message is (nlmsg_type); an unknown number is kept.
package struct MessageType: RawRepresentable, Hashable, Sendable {
    package let rawValue: UInt16

    package init(rawValue: UInt16) { self.rawValue = rawValue }

    // linux/netlink.h
    package static let error = MessageType(rawValue: 2)  // NLMSG_ERROR
    package static let done = MessageType(rawValue: 3)  // NLMSG_DONE

    // linux/rtnetlink.h, RTM_…
    package static let newLink = MessageType(rawValue: 16)
    package static let deleteLink = MessageType(rawValue: 17)
    package static let getLink = MessageType(rawValue: 18)
    package static let newAddress = MessageType(rawValue: 20)
    package static let deleteAddress = MessageType(rawValue: 21)
    package static let getAddress = MessageType(rawValue: 22)
    package static let newRoute = MessageType(rawValue: 24)
    package static let deleteRoute = MessageType(rawValue: 25)
    package static let getRoute = MessageType(rawValue: 26)
    package static let newRule = MessageType(rawValue: 32)
    package static let deleteRule = MessageType(rawValue: 33)
    package static let newNetconf = MessageType(rawValue: 80)
    package static let deleteNetconf = MessageType(rawValue: 81)
    package static let newNextHop = MessageType(rawValue: 104)
    package static let deleteNextHop = MessageType(rawValue: 105)
    package static let newNextHopBucket = MessageType(rawValue: 116)
}
