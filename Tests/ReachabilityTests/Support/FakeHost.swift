import InternetProtocol
import Reachability
import Rtnetlink
import Testing

/// A host in a test: links, addresses and routes, and a lookup with the kernel's habits and traps
/// (Rules.md, "Asking the kernel"). A value.
struct FakeHost: RouteOracle {
    var view = NetworkView()
    /// Comes before the routes: for answers that no table gives.
    var override: (RouteQuestion) -> RouteAnswer? = { _ in nil }
    /// Flags that are fresher than the view's.
    var freshFlags: [InterfaceIndex: LinkFlags?] = [:]
    /// Links that the kernel has and the view does not know yet.
    var unknownLinks: [InterfaceIndex: LinkEntry] = [:]
    private(set) var asked: [RouteQuestion] = []
    private var entries: [Entry] = []

    private struct Entry {
        var route: Route
        /// The addresses it belongs to go with their link.
        var family: IPAddress.Family { route.destination.address.family }
    }

    /// A host with nothing but a loopback interface that is up.
    init() {
        addLink("lo", index: 1) {
            $0.flags = [.up, .running, .loopback]
            $0.hardwareType = .loopback
        }
        own("127.0.0.1/8", "lo")
        own("::1/128", "lo")
    }

    // MARK: - Building it

    /// A link that is up and running, an Ethernet card unless `change` says otherwise.
    mutating func addLink(_ name: String, index: UInt32? = nil, _ change: (inout Link) -> Void = { _ in }) {
        let index = InterfaceIndex(index ?? UInt32(view.links.all.count + 1))
        var link = Link(index: index, name: name)
        link.device = Link.DeviceFacts(deviceType: nil, isWireless: false)
        change(&link)
        view.links[index] = link
    }

    mutating func change(_ name: String, _ change: (inout Link) -> Void) {
        guard var link = view.links[name: name] else { return unknown(name) }
        change(&link)
        view.links[link.index] = link
    }

    /// An address of the host, with the route to its network.
    mutating func own(_ text: String, _ name: String, flags: InterfaceAddress.Flags = [.permanent]) {
        let (address, length) = split(text)
        let index = index(name)
        view.addresses.insert(
            InterfaceAddress(interface: index, address: address, prefixLength: length, flags: flags))
        guard !address.isLoopback, length < address.family.bitWidth else { return }
        entries.append(Entry(route: Route(destination: AddressPrefix(address, length: length), egress: index)))
    }

    /// A route; without `dev` one that rejects.
    mutating func route(
        _ prefix: String, via gateway: String? = nil, dev: String? = nil, type: RouteType = .unicast,
        metric: UInt32 = 0, source: String? = nil, _ change: (inout Route) -> Void = { _ in }
    ) {
        let (address, length) = split(prefix)
        var route = Route(
            type: type, destination: AddressPrefix(address, length: length), egress: dev.map { index($0) },
            gateway: gateway.map { ip($0) }, source: source.map { ip($0) })
        route.priority = metric
        change(&route)
        entries.append(Entry(route: route))
    }

    func index(_ name: String) -> InterfaceIndex {
        guard let link = view.links[name: name] else {
            unknown(name)
            return InterfaceIndex(0)
        }
        return link.index
    }

    private func unknown(_ name: String) { Issue.record("the test knows no link \(name)") }

    // MARK: - Answering

    mutating func route(_ question: RouteQuestion) -> RouteAnswer {
        asked.append(question)
        return override(question) ?? lookUp(question)
    }

    mutating func flags(of entry: LinkEntry) -> LinkFlags? {
        freshFlags[entry.link.index] ?? view.links[entry.link.index]?.flags
    }

    mutating func link(_ index: InterfaceIndex) -> LinkEntry? { view.links.entry(index) ?? unknownLinks[index] }

    private func lookUp(_ question: RouteQuestion) -> RouteAnswer {
        let target = question.destination
        if let interface = question.interface {
            guard let link = view.links[interface] else { return .failure(.noInterface) }
            guard link.flags.contains(.up) else { return .failure(.noRoute) }
        }
        if target.family == .v4, let source = question.source, !view.owns(source) { return .failure(.blackhole) }
        if let local = local(question) { return .success(local) }
        let best = entries.filter { matches($0.route, question) }.max { a, b in
            let (a, b) = (a.route, b.route)
            return a.destination.length != b.destination.length
                ? a.destination.length < b.destination.length : a.priority > b.priority
        }
        guard var found = best?.route else { return nothingFound(question) }
        if case .failure(let failure) = found.answer { return .failure(failure) }
        // Multicast and broadcast go to the link itself, whatever the route says.
        if let type = specialType(target) {
            found.type = type
            found.gateway = nil
        }
        if question.match == .packet {
            found.destination = AddressPrefix(target, length: target.family.bitWidth)
            found.source = question.source ?? found.source ?? source(for: found)
        }
        return .success(found)
    }

    private func local(_ question: RouteQuestion) -> Route? {
        let target = question.destination
        let owners = target.isLoopback ? [InterfaceIndex(1)] : view.addresses.owners(of: target)
        guard let owner = question.interface.map({ owners.contains($0) ? $0 : nil }) ?? owners.first else { return nil }
        var route = Route(type: .local, destination: AddressPrefix(target, length: target.family.bitWidth))
        route.egress = question.match == .entry || target.isLinkLocal ? owner : InterfaceIndex(1)
        route.source = question.source ?? target
        return route
    }

    private func matches(_ route: Route, _ question: RouteQuestion) -> Bool {
        guard route.destination.contains(question.destination) else { return false }
        // A route that rejects does so whatever link is asked for.
        guard let egress = route.egress else { return true }
        guard view.links[egress]?.flags.contains(.up) ?? false else { return false }
        return question.interface.map { $0 == egress } ?? true
    }

    private func nothingFound(_ question: RouteQuestion) -> RouteAnswer {
        guard let interface = question.interface else { return .failure(.noRoute) }
        let target = question.destination
        let special = specialType(target)
        // Trap 2: by interface an IPv4 packet goes out on-link though no entry matches.
        guard target.family == .v4 || special != nil else { return .failure(.noRoute) }
        guard question.match == .packet else { return .failure(.unreachable) }
        var route = Route(
            type: special ?? .unicast, destination: AddressPrefix(target, length: target.family.bitWidth),
            egress: interface)
        route.source = question.source ?? source(for: route)
        return .success(route)
    }

    private func specialType(_ target: IPAddress) -> RouteType? {
        if target.isMulticast { return .multicast }
        let isBroadcast = view.links.all.flatMap { view.addresses[$0.index] }.contains { entry in
            entry.prefixLength < 31 && AddressPrefix(entry.address, length: entry.prefixLength).last == target
        }
        return target.family == .v4 && (isBroadcast || target.bits == 0xffff_ffff) ? .broadcast : nil
    }

    private func source(for route: Route) -> IPAddress? {
        let family = route.destination.address.family
        let near = route.egress.map { view.addresses[$0] } ?? []
        let far = family == .v4 ? view.links.all.flatMap { view.addresses[$0.index] } : []
        let usable = (near + far).map(\.address).filter { $0.family == family && !$0.isLoopback }
        return usable.first { !$0.isLinkLocal } ?? usable.first
    }
}

/// An address from its text; a typing error in a test is recorded as its failure.
func ip(_ text: String) -> IPAddress {
    guard let address = IPAddress(text) else {
        Issue.record("\(text) is no address")
        return .unspecified(.v4)
    }
    return address
}

private func split(_ text: String) -> (IPAddress, Int) {
    let parts = text.split(separator: "/").map(String.init)
    let address = ip(parts[0])
    return (address, parts.count > 1 ? Int(parts[1]) ?? 0 : address.family.bitWidth)
}
