package import Dispatch
package import Reachability
package import ReachabilityTesting
import Synchronization

/// A scripted network with a clock that is moved by hand, an engine of its own, and targets on it.
///
///     let lab = TargetLab(online: true)
///     let watched = try lab.watch("192.0.2.200")   // scheduled on the lab's queue
///     lab.network.disconnect("wlan0")
///     lab.settle()                                 // whatever follows from that has been told
package final class TargetLab: Sendable {
    package let clock = ManualClock()
    package let network: ScriptedNetwork
    package let engine: Engine
    package let queue = DispatchQueue(label: "TargetLab")

    /// A network with Wi-Fi, or with loopback alone.
    package init(online: Bool = true) {
        network = ScriptedNetwork(clock: clock)
        engine = network.makeEngine()
        if online { network.connect("wlan0", .wifi) }
    }

    package func target(_ options: NetworkReachability.Options) throws -> NetworkReachability {
        try NetworkReachability(options: options, engine: engine)
    }

    package func target(_ name: String) throws -> NetworkReachability { try target(.init(name: name)) }

    /// A pair of addresses as text; empty for none.
    package func pair(_ local: String, _ remote: String) throws -> NetworkReachability {
        try target(
            .init(
                localAddress: local.isEmpty ? nil : SocketAddress(local),
                remoteAddress: remote.isEmpty ? nil : SocketAddress(remote)))
    }

    /// A target that is scheduled on the lab's queue, and has told what there was to tell.
    package func watch(_ name: String) throws -> WatchedTarget {
        let watched = WatchedTarget(try target(name))
        try watched.target.setDispatchQueue(queue)
        settle()
        return watched
    }

    /// Moves time on, and waits for all that follows.
    package func advance(by duration: Duration) {
        clock.advance(by: duration)
        settle()
    }

    /// Waits until the engine has done all that it can before time moves, and everybody on the queue has been told.
    package func settle() {
        awaitEngine()
        queue.sync {}
        queue.sync {}  // what had become due while something was told
    }

    /// Waits for the engine alone; the queue may be blocked.
    package func awaitEngine() {
        // A look-up begins in one round of the engine and ends in the next; one that is replaced takes two more.
        // Should the engine not come round, what the test expects has not come either.
        for _ in 0..<6 where !engine.comesRound() { return }
    }
}

/// A target, and what its callback was told. Unscheduled from its queue when let go of.
package final class WatchedTarget: Sendable {
    package let target: NetworkReachability
    private let log = CallbackLog()

    package init(_ target: NetworkReachability) {
        self.target = target
        target.setCallback { [log] _, flags in log.record(flags) }
    }

    deinit { try? target.setDispatchQueue(nil) }

    /// The flags of each callback so far, in order.
    package var told: [UInt32] { log.values }
}

/// Flags in the order they came in. Any thread.
package final class CallbackLog: Sendable {
    package init() {}

    private let flags = Mutex<[ReachabilityFlags]>([])
    private let came = DispatchSemaphore(value: 0)

    package func record(_ new: ReachabilityFlags) {
        flags.withLock { $0.append(new) }
        came.signal()
    }

    package var values: [UInt32] { flags.withLock { $0.map(\.rawValue) } }

    /// Waits for one more; false if none comes for a minute.
    package func awaitOne() -> Bool { came.wait(timeout: .now() + 60) == .success }
}
