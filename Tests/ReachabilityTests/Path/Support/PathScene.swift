import Dispatch
import ReachabilityTesting
import Testing
import Timing

@testable import Reachability

/// A scripted network, an engine of its own on it, and monitors that write down what they are told.
final class PathScene {
    let network = ScriptedNetwork()
    let engine: Engine
    let queue = DispatchQueue(label: "paths")
    private var monitors: [NetworkPathMonitor] = []

    init() { engine = network.makeEngine() }

    deinit { for monitor in monitors { monitor.cancel() } }

    /// A monitor that has not started.
    func monitor(
        required: NetworkInterface.InterfaceType? = nil, prohibited: Set<NetworkInterface.InterfaceType> = []
    ) -> NetworkPathMonitor {
        let monitor = NetworkPathMonitor(
            filter: PathFilter(required: required, prohibited: prohibited), engine: engine)
        monitors.append(monitor)
        return monitor
    }

    /// What a monitor is told that has started, and has told the present state.
    func watch(
        required: NetworkInterface.InterfaceType? = nil, prohibited: Set<NetworkInterface.InterfaceType> = []
    ) -> HeardEvents<NetworkPath> {
        let log = HeardEvents<NetworkPath>()
        let monitor = monitor(required: required, prohibited: prohibited)
        monitor.pathUpdateHandler = { log.add($0) }
        monitor.start(queue: queue)
        settle()
        return log
    }

    /// The path as the script stands now.
    func path(
        required: NetworkInterface.InterfaceType? = nil, prohibited: Set<NetworkInterface.InterfaceType> = []
    ) throws -> NetworkPath {
        try #require(watch(required: required, prohibited: prohibited).all.last)
    }

    /// Waits until everything that was changed so far has been told, and handlers on the queue have run.
    func settle() {
        settleEngine()
        queue.sync {}
    }

    /// Waits until everything that was changed so far has been evaluated.
    func settleEngine() {
        // A new subscriber is told after the changes before it, and a second one after name servers were looked at.
        for _ in 0..<2 {
            let receiver = Barrier()
            let subscription = engine.subscribe(receiver, to: .default)
            #expect(receiver.log.wait(count: 1) != nil, "the engine answers")
            withExtendedLifetime(subscription) {}
        }
    }

    private final class Barrier: UpdateReceiver {
        let log = HeardEvents<Report>()

        func receive(_ update: Update, now: Instant) -> Instant? {
            log.add(update.report)
            return nil
        }

        func timePassed(now: Instant) -> Instant? { nil }
    }
}

extension NetworkPath {
    /// The names of its interfaces, in their order.
    var names: [String] { availableInterfaces.map(\.name) }
}
