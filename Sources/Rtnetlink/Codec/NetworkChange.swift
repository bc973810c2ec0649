package import InternetProtocol

/// One thing that changed in the kernel, as far as it can matter to a route lookup.
package enum NetworkChange: Equatable, Sendable {
    // Boxed, since it is long and seldom: a change of a route, which is short, is somebody's wait.
    indirect case link(LinkMessage)
    case linkRemoved(InterfaceIndex)
    case address(InterfaceAddress)
    case addressRemoved(InterfaceAddress)
    /// A route to a prefix came, changed or went.
    case route(AddressPrefix)
    /// A rule, a next-hop object, what a resilient group of them sends where, or a setting of the IP stack: any answer may be
    /// another now.
    case routing

    /// Decodes one message; nil if it says nothing of interest or is cut.
    package init?(_ type: MessageType, _ payload: RawSpan) {
        switch type {
        case .newLink:
            guard let message = LinkMessage(payload), !message.isAboutBridgePort else { return nil }
            self = .link(message)
        case .deleteLink:
            guard let message = LinkMessage(payload), !message.isAboutBridgePort else { return nil }
            self = .linkRemoved(message.index)
        case .newAddress:
            guard let address = InterfaceAddress(payload) else { return nil }
            self = .address(address)
        case .deleteAddress:
            guard let address = InterfaceAddress(payload) else { return nil }
            self = .addressRemoved(address)
        case .newRoute, .deleteRoute:
            guard let route = Route(payload) else { return nil }
            self = .route(route.destination)
        case .newRule, .deleteRule, .newNetconf, .deleteNetconf, .newNextHop, .deleteNextHop,
            .newNextHopBucket:
            self = .routing
        default:
            return nil
        }
    }
}
