import Glibc
import ReachabilityTesting
import Rtnetlink
import Synchronization
import Testing
import Timing

@testable import Reachability

/// The engine's turns, taken one by one by the test and no thread.
@Suite struct EngineLoopTests {
    private let first = ScriptedNetwork()
    private let second = ScriptedNetwork()

    init() {
        first.connect("eth0", .wiredEthernet)
        second.connect("wlan0", .wifi)
    }

    private final class Told: UpdateReceiver {
        let reports = Recorder<Report>()

        func receive(_ update: Update, now: Instant) -> Instant? {
            reports.record(update.report)
            return nil
        }

        var interfaces: [String?] { reports.elements.map { $0.interface?.name } }
    }

    /// An engine whose network is opened as told, and that has no threads.
    private func engine(_ open: @escaping Engine.NetworkFactory) -> Engine {
        Engine(network: open, idleNetwork: open, thread: { _ in 0 })
    }

    @Test func aNetworkIsOpenedForTheFirstAndForgottenWithTheLast() throws {
        let engine = engine(first.open)
        var loop = EngineLoop(engine: engine)
        let told = Told()
        let subscription = engine.subscribe(told, to: .default)
        #expect(first.openings == 0)
        #expect(loop.turn(.call) != nil)
        #expect(told.interfaces == ["eth0"])
        #expect(first.openings == 1)
        _ = consume subscription
        #expect(loop.turn(.call) != nil, "what came with the last command is looked at first")
        #expect(loop.turn(.call) == nil)
        #expect(first.openings == 0)
    }

    @Test func whatWasSaidOfARefusedNetworkComesBeforeWhatItsReplacementHas() {
        first.refuse(EMFILE)
        let engine = engine(first.open)
        var loop = EngineLoop(engine: engine)
        let early = engine.subscribe(Told(), to: .default)
        _ = loop.turn(.call)
        // Both in one turn: who comes is told of the fault that stands, and then there is none.
        let told = Told()
        let late = engine.subscribe(told, to: .default)
        engine.replaceNetwork(second.open)
        _ = loop.turn(.call)
        #expect(told.reports.elements.map(\.status) == [.unknown, .viaWiFi])
        #expect(told.interfaces.last == "wlan0")
        withExtendedLifetime((early, late)) {}
    }

    /// Engine and factory know each other.
    private final class Replacement: Sendable {
        let engine = Mutex<Engine?>(nil)
    }

    /// Opens the first network, and has it replaced before that is done.
    private func replacedWhileItIsOpened(meanwhile: @escaping @Sendable () -> Void = {}) -> Engine {
        let replacement = Replacement()
        let (first, second) = (first, second)
        let engine = engine { () throws(SystemCallError) in
            let source = try first.open()
            meanwhile()
            replacement.engine.withLock { $0 }?.replaceNetwork(second.open)
            return source
        }
        replacement.engine.withLock { $0 = engine }
        return engine
    }

    @Test func aNetworkThatWasReplacedWhileItWasOpenedIsNotKept() throws {
        let engine = replacedWhileItIsOpened()
        var loop = EngineLoop(engine: engine)
        let told = Told()
        let subscription = engine.subscribe(told, to: .default)
        _ = loop.turn(.call)
        _ = loop.turn(.call)
        #expect(told.interfaces.last == "wlan0")
        #expect(first.openings == 0 && second.openings == 1)
        withExtendedLifetime(subscription) {}
    }

    @Test func neitherDoLiveReadsGoOnWithItOnceNobodyWatches() throws {
        let subscription = Mutex<Engine.Subscription?>(nil)
        let engine = replacedWhileItIsOpened {
            // The last one goes before the replacement comes.
            _ = subscription.withLock { $0.take() }
        }
        var loop = EngineLoop(engine: engine)
        let reminder = engine.remind(after: .seconds(3600)) {}
        subscription.withLock { $0 = engine.subscribe(Told(), to: .default) }
        #expect(loop.turn(.call) != nil)
        #expect(loop.turn(.call) != nil, "the reminder keeps it")
        let links = try engine.liveNetwork(completely: true).snapshot.view.links
        #expect(links[name: "wlan0"] != nil && links[name: "eth0"] == nil)
        withExtendedLifetime(reminder) {}
    }
}
