internal import InternetProtocol
internal import Reachability
internal import Rtnetlink

/// A scripted network's contents, and how it answers. A value: pure.
struct ScriptedState {
    var view = NetworkView()
    var routes: [Entry] = []
    var nextIndex: UInt32 = 2
    /// The errno with which everything is refused; nil if nothing is.
    var refusal: Int32?

    struct Entry: Equatable {
        let prefix: AddressPrefix
        let route: ScriptedRoute
    }

    /// A network with the loopback interface alone.
    init() {
        let loopback = Link(
            index: InterfaceIndex(1), name: "lo", flags: [.up, .running, .loopback], hardwareType: .loopback)
        view.links[loopback.index] = loopback
        for (text, length) in [("127.0.0.1", 8), ("::1", 128)] {
            guard let address = IPAddress(text) else { continue }
            view.addresses.insert(InterfaceAddress(interface: loopback.index, address: address, prefixLength: length))
        }
    }

    /// What the kernel would answer: own addresses are local, else the longest prefix wins, then the lowest metric.
    func answer(_ question: RouteQuestion) -> RouteAnswer {
        if let refusal { return .failure(.notAnswered(refusal)) }
        let target = question.destination
        if let link = owner(of: target) {
            var route = Route(type: .local, destination: AddressPrefix(target, length: target.family.bitWidth))
            route.egress = link
            route.source = target
            return .success(route)
        }
        let candidates = routes.filter { entry in
            guard entry.prefix.contains(target) else { return false }
            guard case .leaving(let name, _, _, _) = entry.route else { return question.interface == nil }
            guard let link = view.links[name: name], link.flags.contains(.up) else { return false }
            return question.interface.map { $0 == link.index } ?? true
        }
        let best = candidates.max { a, b in
            a.prefix.length != b.prefix.length ? a.prefix.length < b.prefix.length : a.metric > b.metric
        }
        return best.map { $0.answer(question, view) } ?? .failure(.noRoute)
    }

    private func owner(of address: IPAddress) -> InterfaceIndex? {
        if address.isLoopback { return InterfaceIndex(1) }
        return view.addresses.owners(of: address).first
    }
}

extension ScriptedState.Entry {
    var metric: Int {
        if case .leaving(_, _, let metric, _) = route { metric } else { 0 }
    }

    func answer(_ question: RouteQuestion, _ view: NetworkView) -> RouteAnswer {
        switch route {
        case .rejecting(.blackhole): return .failure(.blackhole)
        case .rejecting(.prohibited): return .failure(.prohibited)
        case .rejecting: return .failure(.unreachable)
        case .leaving(let name, let gateway, let metric, let lifetime):
            guard let link = view.links[name: name] else { return .failure(.noRoute) }
            let family = question.destination.family
            var answer = Route(destination: prefix, egress: link.index)
            answer.gateway = gateway.flatMap { IPAddress($0) }
            answer.priority = UInt32(clamping: metric)
            answer.lifetime = lifetime
            answer.source =
                question.source
                ?? view.addresses[link.index].first { $0.address.family == family && !$0.address.isLinkLocal }?.address
            return .success(answer)
        }
    }
}
