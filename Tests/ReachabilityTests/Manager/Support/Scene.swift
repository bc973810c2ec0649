import Dispatch
import Foundation
import ReachabilityTesting
import Synchronization

@testable import Reachability

/// A manager on a network of its own, and all that it tells.
final class Scene: Sendable {
    let clock = ManualClock()
    let network: ScriptedNetwork
    let queue = DispatchQueue(label: "scene")
    let center = NotificationCenter()
    let manager: ReachabilityManager
    /// What the block was told.
    let statuses = Recorder<ReachabilityStatus>()
    /// What an observer was told.
    let changes = Recorder<ReachabilityChange>()
    /// What the notifications held.
    let notes = Recorder<Note>()
    private let keeping = Mutex<[any Sendable]>([])
    private let observers = Mutex<[UncheckedBox]>([])

    struct Note: Sendable, Equatable {
        let status: Int?
        let previous: Int?
        let isFromManager: Bool
    }

    init(
        target: ReachabilityTarget = .default, settleInterval: Duration = .zero, announcesInitialStatus: Bool = true,
        requiresUnderlyingPath: Bool = false, _ prepare: (ScriptedNetwork) -> Void = { _ in }
    ) {
        Hints.route()
        network = ScriptedNetwork(clock: clock)
        prepare(network)
        manager = network.manager(
            target: target, queue: queue, notificationCenter: center, settleInterval: settleInterval,
            announcesInitialStatus: announcesInitialStatus, requiresUnderlyingPath: requiresUnderlyingPath)
        listen()
    }

    private func listen() {
        manager.setReachabilityStatusChangeBlock { [statuses] in statuses.record($0) }
        let observation = manager.observe { [changes] in changes.record($0) }
        let token = center.addObserver(forName: .reachabilityDidChange, object: nil, queue: nil) {
            [notes, weak manager] note in
            let status = note.userInfo?[ReachabilityManager.statusUserInfoKey] as? NSNumber
            let previous = note.userInfo?[ReachabilityManager.previousStatusUserInfoKey] as? NSNumber
            let isFromManager = (note.object as? ReachabilityManager).map { $0 === manager } ?? false
            notes.record(Note(status: status?.intValue, previous: previous?.intValue, isFromManager: isFromManager))
        }
        keep(observation)
        // The centre is this scene's own and goes with it.
        keep(UncheckedBox(token))
    }

    func keep(_ something: any Sendable) { keeping.withLock { $0.append(something) } }

    /// Has `body` called with each notification, until the end.
    func observe(_ body: @escaping @Sendable () -> Void) {
        let token = center.addObserver(forName: .reachabilityDidChange, object: nil, queue: nil) { _ in body() }
        observers.withLock { $0.append(UncheckedBox(token)) }
    }

    /// Stops, and lets go of what listens: for callbacks that know the scene, which would keep each other alive.
    func end() {
        manager.stopMonitoring()
        manager.setReachabilityStatusChangeBlock(nil)
        network.beforeEachLookup(nil)
        for token in observers.withLock({ $0 }) { center.removeObserver(token.value) }
        keeping.withLock { $0 = [] }
    }

    /// Starts, and returns when the first status was told.
    func start() async {
        let before = statuses.elements.count
        manager.startMonitoring()
        await statuses.first(before + 1)
        await quiet()
    }

    /// Returns when everything so far has been found out and told.
    func quiet() async { await manager.quiet() }
}

/// Carries a token that is only kept, and handed back to its centre.
private final class UncheckedBox: @unchecked Sendable {  // the centre locks
    let value: Any

    init(_ value: Any) { self.value = value }
}

extension Scene {
    /// Returns when the engine has dealt with everything so far; the delivery queue may be blocked.
    func engineIsQuiet() async { await manager.engine.quiet() }
}

extension Engine {
    /// Returns when everything so far has been dealt with, and put on the delivery queues.
    func quiet() async {
        let reminder = Mutex<Engine.Subscription?>(nil)
        await withCheckedContinuation { continuation in
            // The engine looks at the network, then at commands, then at what is due: this comes after all else.
            let kept = remind(after: .zero) { continuation.resume() }
            reminder.withLock { $0 = kept }
        }
        reminder.withLock { $0 = nil }
    }
}

extension ReachabilityManager {
    /// Returns when the engine has dealt with everything so far, and the delivery queue with what came of that.
    func quiet() async {
        await engine.quiet()
        await queue.drained()
        // What had become due while something was told.
        await queue.drained()
    }
}
