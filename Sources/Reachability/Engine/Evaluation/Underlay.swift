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
    mutating func underlay(of tunnel: Link) -> Underlay {
        if let lower = tunnel.lower, let link = oracle.view.links[lower] {
            // A tunnel on a tunnel: on to what carries that one. One step, since no circle can come of one.
            if oracle.view.kind(of: link) == .tunnel, link.index != tunnel.index, link.lower == nil {
                return defaultUnderlay()
            }
            return Underlay(link: link, hasPath: isRunning(link))
        }
        if let remote = tunnel.tunnelRemote {
            guard case .success(let route) = oracle.route(RouteQuestion(remote)), let egress = route.egress,
                egress != tunnel.index, let link = oracle.view.links[egress]
            else { return Underlay(link: nil, hasPath: false) }
            if oracle.view.kind(of: link) == .tunnel { return defaultUnderlay() }
            return Underlay(link: link, hasPath: isRunning(link))
        }
        return defaultUnderlay()
    }

    /// The running link, no tunnel, whose default route has the lowest priority number.
    private mutating func defaultUnderlay() -> Underlay {
        var best: (link: Link, priority: UInt32)?
        for link in oracle.view.links.all where canCarryTunnels(link) {
            for probe in [ProbeAddresses.v4[0], ProbeAddresses.v6[0]] {
                let question = RouteQuestion(probe, interface: link.index, match: .entry)
                guard case .success(let entry) = oracle.route(question), entry.type == .unicast,
                    entry.destination.length <= ProbeAddresses.longestDefault(probe.family)
                else { continue }
                if best.map({ entry.priority < $0.priority }) ?? true { best = (link, entry.priority) }
                break
            }
        }
        return Underlay(link: best?.link, hasPath: best != nil)
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
