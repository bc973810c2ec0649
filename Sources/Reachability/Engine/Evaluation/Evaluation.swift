package import InternetProtocol
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

/// What is known of a name.
package enum NameAnswer: Hashable, Sendable {
    case notKnownYet
    case addresses([IPAddress])
    case failed(ReachabilityReason)
}

/// Turns questions into answers and answers into a report. Pure over its oracle; the rules are DESIGN section 3.
package struct Evaluation<Oracle: RouteOracle> {
    package var oracle: Oracle

    package init(_ oracle: Oracle) { self.oracle = oracle }

    /// Evaluates a subject, from a required interface if one is named.
    package mutating func report(_ subject: Subject, requiredInterface: String? = nil) -> Report {
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
            return path(filter)
        }
    }

    // MARK: - One address

    mutating func address(
        _ target: IPAddress, scope: InterfaceIndex? = nil, source: IPAddress? = nil, interface: InterfaceIndex? = nil
    ) -> Report {
        let target = target.unmapped
        if target.isUnspecified { return defaultRoute(interface: interface ?? scope) }
        var interface = interface
        if target.family == .v6, target.isLinkLocal || target.isLinkScopedMulticast {
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
        case .success(let route): return report(of: route, to: target, asking: question)
        }
    }

    /// Why no route entry of the interface leads to the target; nil if one does.
    ///
    /// A lookup by interface that matches nothing still answers as if the target were on-link; asked for the entry it
    /// fails (`reference/scnetworkreachability.md` 8.2, trap 2). Multicast and broadcast have no entry of their own.
    private mutating func entryFailure(
        _ target: IPAddress, source: IPAddress?, interface: InterfaceIndex
    ) -> ReachabilityReason? {
        let isLimitedBroadcast = target.family == .v4 && target.bits == 0xffff_ffff
        if target.isMulticast || isLimitedBroadcast { return nil }
        let entry = RouteQuestion(target, source: source, interface: interface, match: .entry)
        guard case .failure(let failure) = oracle.route(entry) else { return nil }
        // "Unreachable" is what the entry lookup says both of such a route and of none; the plain lookup tells.
        if failure == .unreachable,
            case .success = oracle.route(RouteQuestion(target, source: source, interface: interface))
        {
            return .noRoute
        }
        return ReachabilityReason(failure)
    }

    /// The report that a route is, DESIGN section 3's table row by row.
    mutating func report(of route: Route, to target: IPAddress, asking question: RouteQuestion) -> Report {
        guard let egress = route.egress, let entry = oracle.link(egress) else { return .failed(.noRoute) }
        let kind = oracle.view.kind(of: entry)
        var report = Report()
        report.interface = NetworkInterface(
            name: entry.link.name, index: Int(egress.rawValue), type: kind.interfaceType)
        report.gateway = route.gateway
        report.source = route.source ?? question.source
        if route.type == .local || route.type == .anycast || kind == .loopback {
            report.flags = .local
            return report
        }
        guard let flags = oracle.flags(of: entry), flags.isLive else {
            report.reason = .linkDown
            return report
        }
        guard hasUsableSource(report.source, towards: target) else {
            report.reason = .noSourceAddress
            return report
        }
        report.flags = .reachable
        let isPointToPoint = flags.contains(.pointToPoint)
        let isOnLink = route.gateway == nil && !route.isEncapsulated && !isPointToPoint
        if route.type == .broadcast || route.type == .multicast || isOnLink { report.flags.insert(.isDirect) }
        if kind.isTransient { report.flags.insert(.transientConnection) }
        var isCellular = kind == .cellular
        if kind == .tunnel {
            let underlay = underlay(of: entry.link)
            report.underlying = underlay.link.map { NetworkInterface($0, kind: oracle.view.kind(of: $0)) }
            report.lacksUnderlyingPath = !underlay.hasPath
            isCellular = report.underlying?.type == .cellular
        }
        if isCellular {
            report.flags.insert(.transientConnection)
            report.flags.insert(.isWWAN)
        }
        // Apple's "local Wi-Fi" idiom: 169.254/16 counts as on-link even by way of the default gateway.
        if target.family == .v4, target.isLinkLocal, !isPointToPoint, !isCellular { report.flags.insert(.isDirect) }
        return report
    }

    private func hasUsableSource(_ source: IPAddress?, towards target: IPAddress) -> Bool {
        guard target.family == .v6 else { return source != nil }
        guard target.isGlobal else { return true }
        return source.map { !$0.isLinkLocal } ?? false
    }

    // MARK: - The default route

    /// Both families together, IPv4 first; the answer never says local or direct.
    mutating func defaultRoute(
        interface: InterfaceIndex? = nil, source: IPAddress? = nil,
        families: [IPAddress.Family] = IPAddress.Family.allCases
    ) -> Report {
        var best = Report.failed(.noRoute)
        for family in families {
            let report = defaultRoute(of: family, interface: interface, source: source)
            if report.reason == nil { return report }
            if (report.reason?.progress ?? 0) > (best.reason?.progress ?? 0) { best = report }
        }
        return best
    }

    private mutating func defaultRoute(
        of family: IPAddress.Family, interface: InterfaceIndex?, source: IPAddress?
    ) -> Report {
        var best = Report.failed(.noRoute)
        for probe in ProbeAddresses.of(family) {
            switch oracle.route(RouteQuestion(probe, source: source, interface: interface, match: .entry)) {
            case .success(let entry):
                guard isDefault(entry) else { continue }
                return decide(by: probe, interface: interface, source: source)
            case .failure(let failure):
                // By interface and entry, "unreachable" is how "none" is said.
                let reason = interface != nil && failure == .unreachable ? .noRoute : ReachabilityReason(failure)
                if reason.progress > (best.reason?.progress ?? 0) { best = .failed(reason) }
            }
        }
        return best
    }

    private func isDefault(_ entry: Route) -> Bool {
        let family = entry.destination.address.family
        guard entry.type == .unicast, entry.destination.length <= ProbeAddresses.longestDefault(family) else {
            return false
        }
        guard let egress = entry.egress ?? entry.firstOfSeveral else { return true }
        return oracle.view.links[egress].map { !$0.flags.contains(.loopback) } ?? true
    }

    private mutating func decide(by probe: IPAddress, interface: InterfaceIndex?, source: IPAddress?) -> Report {
        let question = RouteQuestion(probe, source: source, interface: interface)
        switch oracle.route(question) {
        case .failure(let failure):
            return .failed(ReachabilityReason(failure))
        case .success(let route):
            // Between the two questions the probe may have become an address of this host: then it is no probe.
            guard route.type != .local, route.type != .anycast else { return .failed(.noRoute) }
            var report = report(of: route, to: probe, asking: question)
            report.flags.remove(.isLocalAddress)
            report.flags.remove(.isDirect)
            return report
        }
    }

    // MARK: - A pair of addresses

    mutating func pair(
        local: IPAddress?, remote: IPAddress?, scope: InterfaceIndex?, interface: InterfaceIndex?
    ) -> Report {
        guard let local = local?.unmapped, !local.isUnspecified else {
            return address(remote ?? .unspecified(.v4), scope: scope, interface: interface)
        }
        guard oracle.view.owns(local) else { return .failed(.notLocal) }
        guard let remote = remote?.unmapped, !remote.isUnspecified else {
            return defaultRoute(from: local, on: interface ?? (local.isLinkLocal ? scope : nil))
        }
        // A packet from a loopback address does not leave the host, so the kernel is not asked with it as a source.
        let report = address(remote, scope: scope, source: local.isLoopback ? nil : local, interface: interface)
        guard report.reason == nil else { return report }
        guard !local.isLoopback else {
            return report.flags.contains(.isLocalAddress) ? report : .failed(.notLocal)
        }
        if report.flags.contains(.isLocalAddress) { return report }
        let egress = report.interface.map { InterfaceIndex(UInt32($0.index)) }
        guard let egress, oracle.view.addresses.owns(local, on: egress) else { return .failed(.notLocal) }
        return report
    }

    /// The default route by the interface that owns the address: the one named, else the first.
    private mutating func defaultRoute(from local: IPAddress, on wanted: InterfaceIndex?) -> Report {
        let owners = oracle.view.addresses.owners(of: local)
        // Nothing leaves the host from a loopback address, nor from one that the interface does not have.
        guard !local.isLoopback, let owner = wanted ?? owners.first, owners.contains(owner) else {
            return .failed(.notLocal)
        }
        return defaultRoute(interface: owner, source: local, families: [local.family])
    }

    // MARK: - A name

    /// The best of the name's addresses: the first that can be used, else the one that came furthest.
    mutating func name(_ answer: NameAnswer, interface: InterfaceIndex?) -> Report {
        switch answer {
        case .notKnownYet: return .notKnownYet
        case .failed(let reason): return .failed(reason)
        case .addresses(let addresses):
            var best = Report.failed(addresses.isEmpty ? .nameNotFound : .noRoute)
            for (position, address) in addresses.enumerated() {
                let report = self.address(address, interface: interface)
                let isFurther = (report.reason?.progress ?? .max) > (best.reason?.progress ?? .max)
                if position == 0 || isFurther { best = report }
                if report.reason == nil { break }
            }
            best.addresses = addresses
            return best
        }
    }
}
