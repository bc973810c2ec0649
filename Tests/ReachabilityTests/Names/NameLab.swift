import Dispatch
import Foundation
import Reachability
import ReachabilityTesting
import Synchronization
import TargetTesting
import Testing

/// A scripted network, a clock that is moved by hand, and managers on one engine: nothing in it waits for real time.
///
///     let lab = NameLab(online: true)
///     lab.network.setName("api.test", .addresses(["198.51.100.5"]))
///     let api = try lab.start("api.test")     // started, and told what there was to tell
///     lab.advance(by: .seconds(300))          // as is whatever follows from that
final class NameLab: Sendable {
    let clock = ManualClock()
    let network: ScriptedNetwork
    private let engine: Engine
    private let queue = DispatchQueue(label: "NameLab")
    private let isStuck = Atomic(false)

    /// A network with Wi-Fi, or with loopback alone.
    init(online: Bool = true) {
        network = ScriptedNetwork(clock: clock)
        engine = network.makeEngine()
        if online { network.connect("wlan0", .wifi) }
    }

    // MARK: - Managers

    func manager(_ target: ReachabilityTarget) -> ReachabilityManager {
        ReachabilityManager(target: target, queue: queue, notificationCenter: NotificationCenter(), engine: engine)
    }

    func manager(_ domain: String) throws -> ReachabilityManager { manager(try .domain(domain)) }

    /// A manager that is started.
    func start(_ target: ReachabilityTarget) -> WatchedManager {
        let watched = WatchedManager(manager(target))
        watched.manager.startMonitoring()
        settle()
        return watched
    }

    /// A manager of a host name that is started.
    func start(_ domain: String) throws -> WatchedManager { start(try .domain(domain)) }

    // MARK: - Time

    /// Moves time on at once, and waits for all that follows.
    func advance(by duration: Duration) {
        clock.advance(by: duration)
        settle()
    }

    /// Lets time pass second by second.
    func pass(seconds: Int) {
        for _ in 0..<seconds { advance(by: .seconds(1)) }
    }

    /// Waits until the engine has done all that it can before time moves, and everybody has been told.
    func settle() {
        // A lookup begins in one round of the engine and ends in the next; one that is replaced takes two more.
        for _ in 0..<6 where !isStuck.load(ordering: .relaxed) { awaitRound() }
        queue.sync {}
    }

    /// Waits until the engine has come round: it tells a newcomer after it has looked at everything else.
    private func awaitRound() {
        guard !engine.comesRound() else { return }
        isStuck.store(true, ordering: .relaxed)
        Issue.record("the engine does not come round any more")
    }
}

/// A manager, and what its block and an observer were told.
final class WatchedManager: Sendable {
    let manager: ReachabilityManager
    private let log: Log
    private let observation: ReachabilityObservation

    private final class Log: Sendable {
        let statuses = Mutex<[ReachabilityStatus]>([])
        let changes = Mutex<[ReachabilityChange]>([])
    }

    init(_ manager: ReachabilityManager) {
        let log = Log()
        self.manager = manager
        self.log = log
        manager.setReachabilityStatusChangeBlock { status in log.statuses.withLock { $0.append(status) } }
        observation = manager.observe { change in log.changes.withLock { $0.append(change) } }
    }

    deinit {
        observation.cancel()
        manager.stopMonitoring()
    }

    var status: ReachabilityStatus { manager.status }

    /// What the status-change block was told, in order.
    var statuses: [ReachabilityStatus] { log.statuses.withLock { $0 } }

    /// What the observer was told, changes of path alone included.
    var changes: [ReachabilityChange] { log.changes.withLock { $0 } }

    /// The reason that came with the last change.
    var reason: ReachabilityReason? { changes.last?.reason }

    /// The interface that came with the last change.
    var interface: String? { changes.last?.path.availableInterfaces.first?.name }
}
