internal import InternetProtocol
internal import Rtnetlink

/// Turns questions into answers, answers into a verdict, and that into a report. Pure over its oracle; the rules are
/// those of Rules.md.
package struct Evaluation<Oracle: RouteOracle> {
    package var oracle: Oracle

    package init(_ oracle: Oracle) { self.oracle = oracle }

    /// Evaluates a subject, from a required interface if one is named.
    package mutating func report(_ subject: Subject, requiredInterface: String? = nil) -> Report {
        if case .path(let filter) = subject { return path(filter) }
        var report = report(verdict(subject, requiredInterface: requiredInterface))
        if case .name(.addresses(let addresses)) = subject { report.addresses = addresses }
        return report
    }

    /// The same without names of links and without the addresses of a name.
    package mutating func verdict(_ subject: Subject, requiredInterface: String? = nil) -> Verdict {
        var required: InterfaceIndex?
        if let requiredInterface {
            required = oracle.view.links[name: requiredInterface]?.index
            // It may come later: until then no route leaves by it.
            if required == nil { return .failed(.noRoute) }
        }
        switch subject {
        case .defaultRoute:
            return defaultRoute(interface: required)
        case .address(let address, let scope):
            return self.address(address, scope: scope, interface: required)
        case .pair(let local, let remote, let scope):
            return pair(local: local, remote: remote, scope: scope, interface: required)
        case .name(let answer):
            return name(answer, interface: required)
        case .refused(let reason):
            return .failed(reason)
        case .path(let filter):
            let report = path(filter)
            return Verdict(flags: report.flags, reason: report.reason)
        }
    }

    // MARK: - One address

    mutating func address(
        _ target: IPAddress, scope: InterfaceIndex? = nil, source: IPAddress? = nil, interface: InterfaceIndex? = nil
    ) -> Verdict {
        let target = target.unmapped
        if target.isUnspecified { return defaultRoute(interface: interface ?? scope) }
        var interface = interface
        if !target.isIPv4, target.isLinkLocal || target.isLinkScopedMulticast {
            guard let link = scope ?? interface ?? oracle.view.onlyLinkForLinkLocal else { return .failed(.noRoute) }
            if let interface, interface != link { return .failed(.noRoute) }
            interface = link
        }
        if let interface, let failure = entryFailure(target, source: source, interface: interface) {
            return .failed(failure)
        }
        let question = RouteQuestion(target, source: source, interface: interface)
        switch oracle.route(question) {
        case .failure(let failure): return .failed(ReachabilityReason(failure))
        case .success(let route): return verdict(of: route, to: target, asking: question)
        }
    }

    /// Why no route entry of the interface leads to the target; nil if one does.
    ///
    /// A lookup by interface that matches nothing still answers as if the target were on-link; asked for the entry it
    /// fails (Rules.md, "Asking the kernel"). Multicast and broadcast have no entry of their own.
    private mutating func entryFailure(
        _ target: IPAddress, source: IPAddress?, interface: InterfaceIndex
    ) -> ReachabilityReason? {
        let isLimitedBroadcast = target.family == .v4 && target.bits == 0xffff_ffff
        if target.isMulticast || isLimitedBroadcast { return nil }
        let entry = RouteQuestion(target, source: source, interface: interface, match: .entry)
        guard case .failure(let failure) = oracle.route(entry), failure != .tooLargeToShow else { return nil }
        // "Unreachable" is what the entry lookup says both of such a route and of none; the plain lookup tells.
        if failure == .unreachable,
            case .success = oracle.route(RouteQuestion(target, source: source, interface: interface))
        {
            return .noRoute
        }
        return ReachabilityReason(failure)
    }

    /// The verdict that a route is: the table of Rules.md, "One address", row by row.
    mutating func verdict(of route: Route, to target: IPAddress, asking question: RouteQuestion) -> Verdict {
        guard let egress = route.egress, let entry = oracle.link(egress) else { return .failed(.noRoute) }
        let kind = oracle.view.kind(of: entry)
        var verdict = Verdict()
        verdict.egress = egress
        verdict.gateway = route.gateway
        verdict.source = route.source ?? question.source
        if route.isToThisHost || kind.isLoopback {
            verdict.flags = .local
            return verdict
        }
        guard let flags = oracle.flags(of: entry), flags.isLive else {
            verdict.reason = .linkDown
            return verdict
        }
        guard hasUsableSource(verdict.source, towards: target) else {
            verdict.reason = .noSourceAddress
            return verdict
        }
        verdict.flags = .reachable
        let isPointToPoint = flags.isPointToPoint
        let isOnLink = route.gateway == nil && !route.isEncapsulated && !isPointToPoint
        if route.isBroadcast || isOnLink || target.isMulticast { verdict.flags.insert(.isDirect) }
        if kind.isTransient { verdict.flags.insert(.transientConnection) }
        var isCellular = kind.isCellular
        if kind.isTunnel {
            let underlay = underlay(of: entry.link)
            verdict.underlying = underlay.link?.index
            verdict.lacksUnderlyingPath = !underlay.hasPath
            isCellular = underlay.link.map { oracle.view.kind(of: $0).isCellular } ?? false
        }
        if isCellular {
            verdict.flags.insert(.transientConnection)
            verdict.flags.insert(.isWWAN)
        }
        // Apple's "local Wi-Fi" idiom: 169.254/16 counts as on-link even by way of the default gateway.
        if target.isIPv4, target.isLinkLocal, !isPointToPoint, !isCellular { verdict.flags.insert(.isDirect) }
        return verdict
    }

    /// A verdict with its links named.
    mutating func report(_ verdict: Verdict) -> Report {
        var report = Report(flags: verdict.flags, reason: verdict.reason)
        report.isKnown = verdict.isKnown
        if let egress = verdict.egress {
            // Gone since the route was asked for: so is the route.
            guard let entry = oracle.link(egress) else { return .failed(.noRoute) }
            report.interface = NetworkInterface(entry.link, kind: oracle.view.kind(of: entry))
        }
        report.gateway = verdict.gateway
        report.source = verdict.source
        report.underlying = verdict.underlying.flatMap { oracle.view.links[$0] }
            .map { NetworkInterface($0, kind: oracle.view.kind(of: $0)) }
        report.lacksUnderlyingPath = verdict.lacksUnderlyingPath
        return report
    }

    private func hasUsableSource(_ source: IPAddress?, towards target: IPAddress) -> Bool {
        guard !target.isIPv4 else { return source != nil }
        guard target.isGlobal else { return true }
        return source.map { !$0.isLinkLocal } ?? false
    }

    // MARK: - The default route

    /// Both families together, IPv4 first; the answer never says local or direct.
    mutating func defaultRoute(
        interface: InterfaceIndex? = nil, source: IPAddress? = nil,
        families: [IPAddress.Family] = IPAddress.Family.allCases
    ) -> Verdict {
        var best = Verdict.failed(.noRoute)
        for family in families {
            let verdict = defaultRoute(
                of: family, interface: interface, source: source, isExpected: family == families.first)
            if verdict.reason == nil { return verdict }
            if (verdict.reason?.progress ?? 0) > (best.reason?.progress ?? 0) { best = verdict }
        }
        return best
    }

    private mutating func defaultRoute(
        of family: IPAddress.Family, interface: InterfaceIndex?, source: IPAddress?, isExpected: Bool
    ) -> Verdict {
        var best = Verdict.failed(.noRoute)
        let probes = ProbeAddresses.of(family)
        for position in probes.indices {
            let probe = probes[position]
            let packet = RouteQuestion(probe, source: source, interface: interface)
            var entryQuestion = packet
            entryQuestion.match = .entry
            // Where there is a default the first probe has it, and both questions are needed. Without one of the first family
            // there mostly is none of the other either.
            let (answer, way) =
                position == 0 && isExpected
                ? oracle.routes(entryQuestion, packet) as (RouteAnswer, RouteAnswer?)
                : (oracle.route(entryQuestion), nil)
            switch answer {
            case .success(let entry):
                guard isDefault(entry) else { continue }
                return verdict(of: way ?? oracle.route(packet), toProbe: packet)
            case .failure(.tooLargeToShow):
                // What has that many next hops is hardly anything but a default.
                return verdict(of: way ?? oracle.route(packet), toProbe: packet)
            case .failure(let failure):
                // By interface and entry, "unreachable" is how "none" is said.
                let reason = interface != nil && failure == .unreachable ? .noRoute : ReachabilityReason(failure)
                if reason.progress > (best.reason?.progress ?? 0) { best = .failed(reason) }
            }
        }
        return best
    }

    private func isDefault(_ entry: Route) -> Bool {
        guard entry.isDefault else { return false }
        guard let egress = entry.egress ?? entry.firstOfSeveral else { return true }
        return oracle.view.links.entry(egress).map { !$0.link.flags.isLoopback } ?? true
    }

    /// What the default route comes to by the way of a packet to a probe.
    private mutating func verdict(of answer: RouteAnswer, toProbe question: RouteQuestion) -> Verdict {
        switch answer {
        case .failure(let failure):
            return .failed(ReachabilityReason(failure))
        case .success(let route):
            // Between the two questions the probe may have become an address of this host: then it is no probe.
            guard !route.isToThisHost else { return .failed(.noRoute) }
            var verdict = verdict(of: route, to: question.destination, asking: question)
            verdict.flags.remove(.isLocalAddress)
            verdict.flags.remove(.isDirect)
            return verdict
        }
    }

    // MARK: - A pair of addresses

    mutating func pair(
        local: IPAddress?, remote: IPAddress?, scope: InterfaceIndex?, interface: InterfaceIndex?
    ) -> Verdict {
        guard let local = local?.unmapped, !local.isUnspecified else {
            return address(remote ?? .unspecified(.v4), scope: scope, interface: interface)
        }
        guard oracle.view.owns(local) else { return .failed(.notLocal) }
        guard let remote = remote?.unmapped, !remote.isUnspecified else {
            return defaultRoute(from: local, on: interface ?? (local.isLinkLocal ? scope : nil))
        }
        // A packet from a loopback address does not leave the host, so the kernel is not asked with it as a source.
        let verdict = address(remote, scope: scope, source: local.isLoopback ? nil : local, interface: interface)
        guard verdict.reason == nil else { return verdict }
        guard !local.isLoopback else {
            return verdict.flags.contains(.isLocalAddress) ? verdict : .failed(.notLocal)
        }
        if verdict.flags.contains(.isLocalAddress) { return verdict }
        guard let egress = verdict.egress, oracle.view.addresses.owns(local, on: egress) else {
            return .failed(.notLocal)
        }
        return verdict
    }

    /// The default route by the interface that owns the address: the one named, else the first.
    private mutating func defaultRoute(from local: IPAddress, on wanted: InterfaceIndex?) -> Verdict {
        let owners = oracle.view.addresses.owners(of: local)
        // Nothing leaves the host from a loopback address, nor from one that the interface does not have.
        guard !local.isLoopback, let owner = wanted ?? owners.first, owners.contains(owner) else {
            return .failed(.notLocal)
        }
        return defaultRoute(interface: owner, source: local, families: [local.family])
    }

    // MARK: - A name

    /// The best of the name's addresses: the first that can be used, else the one that came furthest.
    mutating func name(_ answer: NameAnswer, interface: InterfaceIndex?) -> Verdict {
        switch answer {
        case .notKnownYet: return .notKnownYet
        case .failed(let reason): return .failed(reason)
        case .addresses(let addresses):
            var best = Verdict.failed(addresses.isEmpty ? .nameNotFound : .noRoute)
            for (position, address) in addresses.enumerated() {
                // Servers that block names answer with zero addresses, to which packets never leave this host.
                let target = address.isUnspecified ? IPAddress.loopback(address.family) : address
                let verdict = self.address(target, interface: interface)
                let isFurther = (verdict.reason?.progress ?? .max) > (best.reason?.progress ?? .max)
                if position == 0 || isFurther { best = verdict }
                if verdict.reason == nil { break }
            }
            return best
        }
    }
}
