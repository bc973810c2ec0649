internal import InternetProtocol
internal import NameResolution
internal import Rtnetlink

extension Evaluation {
    /// The path of packets to anywhere: the default route of both families and all it says of interfaces.
    ///
    /// Without a filter the kernel's choice is the path. With one, the allowed link whose default route has the lowest
    /// priority number carries each family.
    mutating func path(_ filter: PathFilter) -> Report {
        let candidates = pathCandidates(filter)
        var reports: [IPAddress.Family: Report] = [:]
        for family in IPAddress.Family.allCases {
            reports[family] = pathReport(of: family, filter, candidates)
        }
        let v4 = reports[.v4] ?? .failed(.noRoute)
        let v6 = reports[.v6] ?? .failed(.noRoute)
        var report = v4.reason == nil || v6.reason != nil && further(v4, v6) ? v4 : v6
        let usable = [v4, v6].filter { $0.reason == nil }
        report.path = PathFacts(
            interfaces: pathInterfaces(usable, candidates),
            gateways: usable.compactMap { report in
                guard let gateway = report.gateway, let interface = report.interface else { return nil }
                return PathFacts.Hop(address: gateway, interface: interface.indexValue)
            },
            localAddresses: localAddresses(of: usable), supportsIPv4: v4.reason == nil, supportsIPv6: v6.reason == nil,
            isExpensive: usable.contains { $0.flags.contains(.isWWAN) || isMetered($0) },
            nameservers: oracle.view.services.nameservers.map { server($0) }, radios: oracle.view.services.radios,
            connectivity: oracle.view.services.connectivity)
        return report
    }

    private func further(_ a: Report, _ b: Report) -> Bool {
        (a.reason?.progress ?? 0) >= (b.reason?.progress ?? 0)
    }

    private mutating func pathReport(
        of family: IPAddress.Family, _ filter: PathFilter, _ candidates: [PathCandidate]
    ) -> Report {
        guard !filter.isEmpty else { return report(defaultRoute(families: [family])) }
        let best = candidates.filter { $0.priorities[family] != nil }
            .min { ($0.priorities[family] ?? .max) < ($1.priorities[family] ?? .max) }
        return best.map { report(defaultRoute(interface: $0.link.index, families: [family])) } ?? .failed(.noRoute)
    }

    /// The links that are allowed and have a default route of their own.
    private mutating func pathCandidates(_ filter: PathFilter) -> [PathCandidate] {
        oracle.view.links.all.compactMap { link in
            let kind = oracle.view.kind(of: link)
            guard link.flags.isLive, kind != .loopback, kind != .monitor, filter.allows(kind.interfaceType) else {
                return nil
            }
            // A VPN over a prohibited link is no way around the prohibition.
            if kind == .tunnel, !filter.prohibited.isEmpty, let below = underlay(of: link).link,
                !filter.allows(oracle.view.kind(of: below).interfaceType)
            {
                return nil
            }
            var candidate = PathCandidate(link: link, kind: kind)
            for family in IPAddress.Family.allCases {
                guard let probe = ProbeAddresses.of(family).first, let entry = defaultEntry(of: link, for: probe) else {
                    continue
                }
                candidate.priorities[family] = entry.priority
            }
            return candidate.priorities.isEmpty ? nil : candidate
        }
    }

    /// The interfaces that packets leave by, then the others that could take over, best first.
    private func pathInterfaces(_ usable: [Report], _ candidates: [PathCandidate]) -> [NetworkInterface] {
        guard !usable.isEmpty else { return [] }
        var interfaces: [NetworkInterface] = []
        let others = candidates.sorted { ($0.bestPriority, $0.link.index) < ($1.bestPriority, $1.link.index) }
        for interface in usable.compactMap(\.interface) + others.map({ NetworkInterface($0.link, kind: $0.kind) })
        where !interfaces.contains(interface) {
            interfaces.append(interface)
        }
        return interfaces
    }

    private func localAddresses(of usable: [Report]) -> [IPAddress] {
        var addresses: [IPAddress] = []
        for interface in usable.compactMap(\.interface) {
            for entry in oracle.view.addresses[interface.indexValue] where entry.isUsable && !entry.address.isLinkLocal
            {
                if !addresses.contains(entry.address) { addresses.append(entry.address) }
            }
        }
        return addresses
    }

    /// The server with its interface as a number, which a link may get and lose while the configuration stays.
    private func server(_ configured: Nameserver) -> PathFacts.Server {
        var interface: InterfaceIndex?
        if let scope = configured.scope, configured.address.isLinkLocal {
            interface = UInt32(scope).map { InterfaceIndex($0) } ?? oracle.view.links[name: scope]?.index
        }
        return PathFacts.Server(address: configured.address, interface: interface)
    }

    private func isMetered(_ report: Report) -> Bool {
        oracle.view.services.isMetered([report.interface, report.underlying].compactMap { $0?.name })
    }
}

/// A link that a path could use, with the priorities of its default routes.
private struct PathCandidate {
    let link: Link
    let kind: LinkKind
    var priorities: [IPAddress.Family: UInt32] = [:]

    var bestPriority: UInt32 { priorities.values.min() ?? .max }
}

extension NetworkInterface {
    var indexValue: InterfaceIndex { InterfaceIndex(UInt32(index)) }
}
