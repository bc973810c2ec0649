internal import Dispatch
internal import NameResolution
internal import Synchronization

/// The flags of one target, and a callback for each change of them: the SCNetworkReachability object.
///
///     let target = try NetworkReachability(name: "api.example.com")
///     target.setCallback { _, flags in print(flags) }
///     try target.setDispatchQueue(.main)
///     print(try target.flags())
///
/// Follows Rules.md, "NetworkReachability"; what Apple's functions answer with `false` and a code is
/// thrown here. A target that is scheduled keeps itself alive until it is unscheduled. What is told: changes of the flags
/// and of the interface that packets leave by. When first scheduled, a name has one callback for its first answer;
/// an address has none, and its flags are read with `flags()`.
///
/// For new programs `ReachabilityManager` says more: reasons, statuses, "not known yet".
///
/// Everything may be called from any thread and from inside the callback; no lock is held while that runs.
public final class NetworkReachability: Sendable {
    /// Told of a change: the target, and its flags at the moment of the call.
    public typealias Callback = @Sendable (_ target: NetworkReachability, _ flags: ReachabilityFlags) -> Void

    /// What is watched. A name whose look-up is bypassed is watched as the default route.
    package let target: ReachabilityTarget
    /// The target as its description says it.
    let label: String
    let isName: Bool
    /// The number that the required interface had when this was made; nil if none is required.
    let requiredIndex: Int?
    package let engine: Engine
    let state: Mutex<State>

    /// What changes; everything under one lock.
    struct State {
        var machine: NetworkReachabilityMachine
        var subscription: Engine.Subscription?
        var callback: Callback?
        var queue: DispatchQueue?
        var loops: [NetworkReachabilityMachine.Place: Loop] = [:]
        /// Itself, while scheduled: letting go of the last reference does not end callbacks.
        var owner: NetworkReachability?
    }

    /// A run loop's bell, and whether it has been rung for a callback that has not been made yet.
    struct Loop {
        let bell: any CallbackBell
        var isRung = false
    }

    init(_ target: ReachabilityTarget, label: String, isName: Bool, requiredIndex: Int?, engine: Engine) {
        self.target = target
        self.label = label
        self.isName = isName
        self.requiredIndex = requiredIndex
        self.engine = engine
        state = Mutex(State(machine: NetworkReachabilityMachine(announcesFirstAnswer: isName)))
    }

    // MARK: - Flags

    /// The flags now. Never waits for names or the network.
    ///
    /// While scheduled these are the flags known last, and reading them takes no callback away. Otherwise the kernel is
    /// asked; for a name that is neither in the hosts file nor localhost, only for the default route: until it is
    /// scheduled and its first answer has come, a name counts as reachable where anything is.
    ///
    /// - Throws: `ReachabilityError` if the kernel cannot be asked.
    public func flags() throws(ReachabilityError) -> ReachabilityFlags { try findings().flags }

    /// The number of the interface that packets leave by; nil if they do not. Otherwise as `flags()`.
    public func interfaceIndex() throws(ReachabilityError) -> Int? {
        let index = try findings().interface
        return index == 0 ? nil : index
    }

    func findings() throws(ReachabilityError) -> NetworkReachabilityMachine.Findings {
        switch state.withLock({ $0.machine.knowledge }) {
        case .found(let findings): return findings
        case .fault(let reason): throw ReachabilityError(reason: reason, description: reason.description)
        case .none: return NetworkReachabilityMachine.Findings(try liveReport())
        }
    }

    /// What holds now as far as it can be found out without a name server.
    func liveReport() throws(ReachabilityError) -> Report {
        if isName {
            guard case .name = target.content else { return try optimisticReport() }
            let report = try engine.report(of: target) { name, network in
                network.localAddresses(of: name).map { .addresses($0) } ?? .notKnownYet
            }
            return report.isKnown ? report : try optimisticReport()
        }
        return try engine.report(of: target) { _, _ in .notKnownYet }
    }

    /// A name without an answer: the default route's flags, as on Apple's newer systems.
    private func optimisticReport() throws(ReachabilityError) -> Report {
        let everywhere = ReachabilityTarget.default.requiring(interface: target.requiredInterface)
        return try engine.report(of: everywhere) { _, _ in .notKnownYet }
    }

    // MARK: - Callback

    /// Sets what is called with each change while scheduled; nil for nothing, and then changes pass untold.
    ///
    /// May be set at any time; a callback that is due already is made to the new one.
    public func setCallback(_ callback: Callback?) {
        let old = state.withLock { state in
            defer { state.callback = callback }
            return state.callback
        }
        // What the old one captured is let go of outside of the lock: it may be anything.
        withExtendedLifetime(old) {}
    }
}

extension NetworkReachability: Hashable {
    /// True for the same object only, as with CFEqual.
    public static func == (a: NetworkReachability, b: NetworkReachability) -> Bool { a === b }

    /// Hashes the identity of the object.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
