package import InternetProtocol
package import Rtnetlink

/// What is known of the host's links and addresses at one moment.
package struct NetworkView: Equatable, Sendable {
    package var links: LinkTable
    package var addresses: AddressTable
    /// What others than the kernel say.
    package var services: NetworkServices

    package init(
        links: LinkTable = LinkTable(), addresses: AddressTable = AddressTable(),
        services: NetworkServices = NetworkServices()
    ) {
        self.links = links
        self.addresses = addresses
        self.services = services
    }

    /// A view with modems and nothing else that services say.
    package init(links: LinkTable, addresses: AddressTable = AddressTable(), modems: Set<String>) {
        self.init(links: links, addresses: addresses, services: NetworkServices(modems: modems))
    }

    /// Names of the interfaces that ModemManager claims.
    package var modems: Set<String> {
        get { services.modems }
        set { services.modems = newValue }
    }

    /// The kind of a link and what says so; a VLAN, macvlan or bond has the kind of the link below.
    package func kindFinding(of link: Link) -> LinkKindFinding {
        var link = link
        // A chain of links is short; the bound is for tables that a torn dump made circular.
        for _ in 0..<8 {
            guard let driver = link.driver, DriverKind.transparent.contains(driver), !modems.contains(link.name),
                let below = linkBelow(link)
            else { break }
            link = below
        }
        return LinkKind.find(link, isModem: modems.contains(link.name))
    }

    package func kind(of entry: LinkEntry) -> LinkKind {
        // Nearly every link is what it is by itself; that was found out when it was put in.
        if modems.isEmpty, !entry.finding.dependsOnLinkBelow { return entry.finding.kind }
        return kindFinding(of: entry.link).kind
    }

    package func kind(of link: Link) -> LinkKind {
        kindFinding(of: link).kind
    }

    /// The link that carries a VLAN's or macvlan's packets, or a bond's running member.
    private func linkBelow(_ link: Link) -> Link? {
        if let lower = link.lower, let below = links[lower] { return below }
        let members = links.all.filter { $0.master == link.index }
        return members.first { $0.flags.contains(.running) } ?? members.first
    }

    /// True if the host may send from the address: an interface has it, or it is a loopback address and lo is up.
    package func owns(_ address: IPAddress) -> Bool {
        if !addresses.owners(of: address).isEmpty { return true }
        return address.isLoopback && links.all.contains { $0.flags.isSuperset(of: [.loopback, .up]) }
    }

    /// The one link that a link-local IPv6 address without a scope can mean; nil if there is none or more than one.
    package var onlyLinkForLinkLocal: InterfaceIndex? {
        let candidates = addresses.interfacesWithLinkLocalIPv6.filter { index in
            guard let link = links[index] else { return false }
            return link.flags.isLive && !link.flags.contains(.loopback)
                && kind(of: link) != .tunnel && kind(of: link) != .monitor
        }
        return candidates.count == 1 ? candidates.first : nil
    }
}

/// A view that does not change any more, to be handed around without a copy.
package final class NetworkSnapshot: Sendable {
    package let view: NetworkView

    package init(_ view: NetworkView) { self.view = view }
}

extension NetworkView {
    /// What a change to the view can mean for answers that were given before.
    package enum Effect: Equatable, Sendable {
        /// Nothing that an answer depends on differs.
        case none
        /// Answers about destinations within the prefix may differ.
        case destinations(AddressPrefix)
        /// Any answer may differ.
        case everything
        /// Any answer may differ, and routes may be flushed after the message that told of it: the change has to be
        /// waited for before anybody asks.
        case everythingOnceSettled
    }

    /// Applies a change and says what it can mean. Compares, since most messages repeat what is known.
    package mutating func apply(_ change: NetworkChange, facts: (Link) -> Link.DeviceFacts) -> Effect {
        switch change {
        case .link(let message):
            let known = links[message.index]
            guard var link = message.apply(to: known) else { return .none }
            if link.isAnotherDevice(than: known) { link.device = facts(link) }
            guard link != known else { return .none }
            links[message.index] = link
            let liveness: LinkFlags = [.up, .running]
            let before = known?.flags.intersection(liveness) ?? []
            let after = link.flags.intersection(liveness)
            if before.contains(.up), !after.contains(.up) { addresses.interfaceWentDown(link.index) }
            if !before.isSubset(of: after) { return .everythingOnceSettled }
            // A link that is down, and was, carries nobody's packets whatever else changed about it; but what requires a link
            // by its name is answered otherwise once one has the name.
            let hasOtherName = known?.name != link.name || known?.alternativeNames != link.alternativeNames
            if hasOtherName { links.takeNames(from: link) }
            return after.isEmpty && !hasOtherName ? .none : .everything
        case .linkRemoved(let index):
            guard let known = links[index] else { return .none }
            links[index] = nil
            addresses.removeAll(of: index)
            return known.flags.contains(.up) ? .everythingOnceSettled : .everything
        case .address(let address):
            return addresses.insert(address) ? .everything : .none
        case .addressRemoved(let address):
            return addresses.remove(address) ? .everythingOnceSettled : .none
        case .route, .routing:
            return Self.effect(ofRouting: change) ?? .none
        }
    }

    /// What a change means that no link and no address is part of; nil for one of those.
    package static func effect(ofRouting change: NetworkChange) -> Effect? {
        switch change {
        case .route(let prefix): .destinations(prefix)
        case .routing: .everything
        case .link, .linkRemoved, .address, .addressRemoved: nil
        }
    }
}

extension Link {
    /// True if what sysfs said of the link that was known may not hold for this one: another name, or another card.
    func isAnotherDevice(than known: Link?) -> Bool {
        known.map { $0.name != name || $0.hardwareAddress != hardwareAddress } ?? true
    }
}
