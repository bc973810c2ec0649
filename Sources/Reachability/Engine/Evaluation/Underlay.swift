internal import InternetProtocol
internal import Rtnetlink

/// What carries a tunnel's own packets.
struct Underlay {
    var link: Link?
    /// False if the tunnel's packets are known to have no way out.
    var hasPath: Bool
}

extension Evaluation {
    /// Finds the link under a tunnel: by its link attribute, by the route to its far end, else by the best default
    /// route of a link that is no tunnel.
    ///
    /// A VPN that takes the whole default route hides the one that its own packets use from a plain lookup (they are
    /// marked, or have a table of their own), so that route is asked for link by link.
    mutating func underlay(of tunnel: Link, depth: Int = 0) -> Underlay {
        // Tunnels on tunnels are few; the bound is for those that go in a circle.
        guard depth < 4 else { return defaultUnderlay() }
        if let lower = tunnel.lower, let link = oracle.view.links[lower] { return carried(by: link, depth) }
        if let remote = tunnel.tunnelRemote {
            guard case .success(let route) = oracle.route(RouteQuestion(remote)), let egress = route.egress,
                egress != tunnel.index, let link = oracle.view.links[egress]
            else { return Underlay(link: nil, hasPath: false) }
            return carried(by: link, depth)
        }
        return defaultUnderlay()
    }

    /// The link itself or, where it is a tunnel too, what carries that one.
    private mutating func carried(by link: Link, _ depth: Int) -> Underlay {
        guard oracle.view.kind(of: link) == .tunnel else { return Underlay(link: link, hasPath: isRunning(link)) }
        var below = underlay(of: link, depth: depth + 1)
        if !isRunning(link) { below.hasPath = false }
        return below
    }

    /// The running link, no tunnel, whose default route has the lowest priority number.
    private mutating func defaultUnderlay() -> Underlay {
        var best: (link: Link, priority: UInt32)?
        for link in oracle.view.links.all where canCarryTunnels(link) {
            for probe in [ProbeAddresses.v4[0], ProbeAddresses.v6[0]] {
                guard let entry = defaultEntry(of: link, for: probe) else { continue }
                if best.map({ entry.priority < $0.priority }) ?? true { best = (link, entry.priority) }
                break
            }
        }
        return Underlay(link: best?.link, hasPath: best != nil)
    }

    /// The entry of a link's own default route that a probe falls under; nil if there is none.
    mutating func defaultEntry(of link: Link, for probe: IPAddress) -> Route? {
        let question = RouteQuestion(probe, interface: link.index, match: .entry)
        switch oracle.route(question) {
        case .success(let entry): return entry.isDefault ? entry : nil
        // Its metric is not told: zero, which is what most routes of many hops have.
        case .failure(.tooLargeToShow):
            return Route(destination: AddressPrefix(.unspecified(probe.family), length: 0), egress: link.index)
        case .failure: return nil
        }
    }

    private mutating func canCarryTunnels(_ link: Link) -> Bool {
        guard link.flags.isLive else { return false }
        switch oracle.view.kind(of: link) {
        case .tunnel, .loopback, .monitor: return false
        case .wifi, .cellular, .wired, .other: return isRunning(link)
        }
    }

    private mutating func isRunning(_ link: Link) -> Bool {
        oracle.link(link.index).flatMap { oracle.flags(of: $0) }?.isLive ?? false
    }
}
