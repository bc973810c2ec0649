package import InternetProtocol

/// One question to the kernel's route lookup (RTM_GETROUTE).
package struct RouteQuestion: Hashable, Sendable {
    package var destination: IPAddress
    /// RTA_SRC: the address the packets would come from.
    package var source: IPAddress?
    /// RTA_OIF: the interface they would have to leave by.
    package var interface: InterfaceIndex?
    package var match: Match

    /// What the answer describes.
    package enum Match: Hashable, Sendable {
        /// What a packet would do now: hop and source chosen, exceptions applied.
        case packet
        /// The route entry that matched, with its prefix (RTM_F_FIB_MATCH). Fails where a lookup by interface
        /// would make up an on-link route.
        case entry
    }

    package init(
        _ destination: IPAddress, source: IPAddress? = nil, interface: InterfaceIndex? = nil, match: Match = .packet
    ) {
        self.destination = destination
        self.source = source
        self.interface = interface
        self.match = match
    }
}

/// What the kernel answers to a question.
package typealias RouteAnswer = Result<Route, RouteFailure>
