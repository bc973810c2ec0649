internal import Dispatch
public import Foundation
internal import InternetProtocol
internal import NameResolution
public import Reachability
package import Rtnetlink
internal import Synchronization

/// A network that exists in a test alone, to be changed at will.
///
///     let network = ScriptedNetwork()
///     network.install()                      // under every manager and monitor of the process
///     network.connect("wlan0", .wifi)
///     …                                      // the program under test sees Wi-Fi
///     network.disconnect("wlan0")
///     network.uninstall()
///
/// Changes are told as the kernel tells them: soon, in order, on the engine's thread. Any thread may make them.
/// Nothing of the host is asked or changed.
public final class ScriptedNetwork: Sendable {
    /// The clock that governs what happens by time; nil for the host's.
    public let clock: ManualClock?

    let state = Mutex(Contents())

    struct Contents {
        var script = ScriptedState()
        /// Who has it open.
        var sources: [WeakSource] = []
        var routeLookups = 0
        var names: [String: ScriptedName] = [:]
        /// How many lookups of each name were begun.
        var lookups: [String: Int] = [:]
        /// A documentation address (RFC 5737).
        var nameservers = ["192.0.2.53"].compactMap { Nameserver($0) }
        /// Counts changes of the resolver's configuration.
        var configuration = 0
        /// Called before each lookup is answered.
        var beforeLookup: (@Sendable () -> Void)?
    }

    struct WeakSource {
        weak let source: ScriptedSource?
    }

    /// A network with nothing but loopback, in a process that has not begun to watch it.
    public init(clock: ManualClock? = nil) {
        self.clock = clock
    }

    // MARK: - Putting it in place

    /// Puts the network under every manager and monitor of the process, those that run already and shared ones included.
    public func install() {
        Engine.shared.replaceNetwork(
            { [self] () throws(SystemCallError) -> any NetworkSource in try open() }, clock: clock)
    }

    /// Puts the host's own network back.
    public func uninstall() {
        Engine.shared.replaceNetwork(nil)
    }

    /// A manager on this network alone, whatever is installed. Options as `ReachabilityManager.init`.
    public func manager(
        target: ReachabilityTarget = .default, queue: DispatchQueue, notificationCenter: NotificationCenter = .default,
        settleInterval: Duration = .zero, announcesInitialStatus: Bool = true, requiresUnderlyingPath: Bool = false
    ) -> ReachabilityManager {
        ReachabilityManager(
            target: target, queue: queue, notificationCenter: notificationCenter, settleInterval: settleInterval,
            announcesInitialStatus: announcesInitialStatus, requiresUnderlyingPath: requiresUnderlyingPath,
            engine: makeEngine())
    }

    /// An engine on this network alone. Unless it brings itself what there is to tell, that is on the queue once the engine
    /// has come round.
    package func makeEngine(
        thread: @escaping Engine.ThreadStarter = EngineThread.start, bringsItself: Bool = false
    ) -> Engine {
        Engine(
            network: open, idleNetwork: open, clock: clock ?? SystemClock(), thread: thread, bringsItself: bringsItself)
    }

    package func open() throws(SystemCallError) -> any NetworkSource {
        if let code = state.withLock({ $0.script.refusal }) {
            throw SystemCallError("socket(AF_NETLINK)", code: code)
        }
        let source = ScriptedSource(self)
        state.withLock { contents in
            contents.sources.removeAll { $0.source == nil }
            contents.sources.append(WeakSource(source: source))
        }
        return source
    }

    /// How often the network is open at present: once for each engine that watches it or reads from it.
    package var openings: Int { state.withLock { $0.sources.count { $0.source != nil } } }

    /// Changes the script, and tells all who have the network open.
    func change(_ body: (inout ScriptedState) -> ChangeBatch) {
        let (batch, sources) = state.withLock { contents in
            (body(&contents.script), contents.sources.compactMap(\.source))
        }
        for source in sources { source.add(batch) }
    }

    // MARK: - Changing it

    /// Several changes as one: whoever watches sees the state after the last.
    ///
    /// The closure may ask the network what it likes, and change it besides: what it changes by way of the batch is
    /// carried out once it has returned.
    public func batch(_ changes: (borrowing Batch) -> Void) {
        let changes = Batch.changes(changes)
        change { script in
            var told = ChangeBatch()
            told.isAboutEverything = true
            told.causes = script.apply(changes)
            return told
        }
    }

    /// An interface of the kind comes up with addresses of its own and a default route of both families.
    public func connect(_ name: String, _ type: NetworkInterface.InterfaceType, metric: Int = 0) {
        batch { $0.connect(name, type, metric: metric) }
    }

    /// The interface goes, with its addresses and routes.
    public func disconnect(_ name: String) {
        batch { $0.disconnect(name) }
    }

    /// The interface gains or loses its carrier; its routes stay.
    public func setCarrier(_ name: String, _ isOn: Bool) {
        batch { $0.setCarrier(name, isOn) }
    }

    /// Adds a route; one that is there already stays.
    public func addRoute(_ prefix: ScriptedPrefix, _ route: ScriptedRoute) {
        batch { $0.addRoute(prefix, route) }
    }

    /// Takes away all routes to exactly this prefix.
    public func removeRoutes(_ prefix: ScriptedPrefix) {
        batch { $0.removeRoutes(prefix) }
    }

    /// Messages are lost, as when a process was stopped, those of the changes among them: everything is read anew.
    public func overrun(_ changes: (borrowing Batch) -> Void = { _ in }) {
        let changes = Batch.changes(changes)
        change { script in
            _ = script.apply(changes)
            var told = ChangeBatch()
            told.isOverrun = true
            return told
        }
    }

    /// The kernel refuses to be asked from now on, with an errno, or is willing again with nil.
    public func refuse(_ errno: Int32?) {
        change { script in
            script.refusal = errno
            var told = ChangeBatch()
            told.failure = errno.map { SystemCallError("recv(AF_NETLINK)", code: $0) }
            return told
        }
    }

    /// How many routes were asked for so far.
    public var routeLookups: Int { state.withLock { $0.routeLookups } }

    /// Has `body` called before each lookup is answered, on the thread that asks; nil for nothing. For tests of races.
    public func beforeEachLookup(_ body: (@Sendable () -> Void)?) {
        let old = state.withLock { contents in
            defer { contents.beforeLookup = body }
            return Hook(body: contents.beforeLookup)
        }
        // Let go of outside of the lock: what it captured may come back here when it ends.
        withExtendedLifetime(old) {}
    }

    private struct Hook {
        let body: (@Sendable () -> Void)?
    }
}
