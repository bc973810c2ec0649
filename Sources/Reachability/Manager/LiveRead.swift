internal import InternetProtocol
package import NameResolution
internal import Rtnetlink
internal import Synchronization

extension ReachabilityManager {
    /// The flags at this moment, asked of the kernel now; started or not.
    ///
    /// Never waits for DNS: nil says that nothing is known of a name yet. Names of the hosts file and localhost are
    /// known at once, others once the manager, while monitoring, has looked them up. Costs about one route lookup.
    ///
    /// - Throws: `ReachabilityError` if the kernel cannot be asked.
    public func currentFlags() throws(ReachabilityError) -> ReachabilityFlags? {
        // Whether a tunnel has a way out is a matter of reports.
        if requiresUnderlyingPath {
            let report = try currentReport()
            return report.isKnown ? report.flags : nil
        }
        let verdict = try engine.verdict(of: target) { name, network in knownAnswer(network.localAddresses(of: name)) }
        return verdict.isKnown ? verdict.flags : nil
    }

    package func currentReport() throws(ReachabilityError) -> Report {
        let report = try engine.report(of: target) { name, network in knownAnswer(network.localAddresses(of: name)) }
        return requiresUnderlyingPath ? report.requiringUnderlyingPath : report
    }

    /// What is known of the name without asking anybody.
    private func knownAnswer(_ local: @autoclosure () -> [IPAddress]?) -> NameAnswer {
        if let report = state.withLock({ $0.machine.latest?.report }), report.isKnown {
            if !report.addresses.isEmpty { return .addresses(report.addresses) }
            if let reason = report.reason, !reason.isFault { return .failed(reason) }
        }
        return local().map { .addresses($0) } ?? .notKnownYet
    }
}

extension Engine {
    /// What is known of a name, for a live read.
    package typealias KnownNames = (HostName, any NetworkSource) -> NameAnswer

    /// What holds for a target at this moment, asked of the network now; `names` says what is known of a name. Any
    /// thread; never waits for the engine's.
    package func report(of target: ReachabilityTarget, names: KnownNames) throws(ReachabilityError) -> Report {
        var (evaluation, subject) = try open(target, names)
        let report = evaluation.report(subject, requiredInterface: target.requiredInterface)
        try Self.throwFault(report.reason)
        return report
    }

    /// The same for who needs no names of links, at half the price.
    package func verdict(of target: ReachabilityTarget, names: KnownNames) throws(ReachabilityError) -> Verdict {
        var (evaluation, subject) = try open(target, names)
        let verdict = evaluation.verdict(subject, requiredInterface: target.requiredInterface)
        try Self.throwFault(verdict.reason)
        return verdict
    }

    @inline(__always)
    private func open(
        _ target: ReachabilityTarget, _ names: KnownNames
    ) throws(ReachabilityError) -> (Evaluation<LiveOracle>, Subject) {
        let network: any NetworkSource
        do { network = try liveNetwork(completely: target.dependsOnTables) } catch {
            throw ReachabilityError(reason: error.reason, description: error.description)
        }
        return (Evaluation(LiveOracle(network)), Subject(target) { names($0, network) })
    }

    private static func throwFault(_ reason: ReachabilityReason?) throws(ReachabilityError) {
        guard let reason, reason.isFault else { return }
        throw ReachabilityError(reason: reason, description: reason.description)
    }
}

extension ReachabilityTarget {
    /// False if links and addresses matter to the answer only as far as the kernel's route names them.
    fileprivate var dependsOnTables: Bool {
        switch content {
        case .defaultRoute: requiredInterface != nil
        case .address(let address): requiredInterface != nil || address.ip.isLinkLocal || address.ip.isMulticast
        case .pair, .name, .path: true
        case .refused: false
        }
    }
}
