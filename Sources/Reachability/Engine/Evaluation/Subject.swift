package import InternetProtocol
package import NameResolution
package import Rtnetlink

/// What to find out about: a target with its names resolved to what is known of them.
package enum Subject: Hashable, Sendable {
    case defaultRoute
    case address(IPAddress, scope: InterfaceIndex?)
    case pair(local: IPAddress?, remote: IPAddress?, scope: InterfaceIndex?)
    case name(NameAnswer)
    /// Not to be asked for at all.
    case refused(ReachabilityReason)
    case path(PathFilter)
}

extension Subject {
    /// What to find out for a target, given what is known of names.
    package init(_ target: ReachabilityTarget, names: (HostName) -> NameAnswer) {
        switch target.content {
        case .defaultRoute: self = .defaultRoute
        case .address(let address): self = .address(address.ip, scope: address.scope)
        case .pair(let local, let remote):
            self = .pair(local: local?.ip, remote: remote?.ip, scope: remote?.scope ?? local?.scope)
        case .name(let name): self = .name(names(name))
        case .refused(let error): self = .refused(error.reason)
        case .path(let filter): self = .path(filter)
        }
    }
}

extension SocketAddress {
    /// The interface that the scope names.
    package var scope: InterfaceIndex? { scopeID == 0 ? nil : InterfaceIndex(scopeID) }
}
