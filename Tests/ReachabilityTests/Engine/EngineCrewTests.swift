import CGlibc
import Dispatch
import Glibc
import ReachabilityTesting
import Synchronization
import Testing
import Timing

@testable import Reachability

/// The engine's threads: what one of them brings to a queue, and what it does not hold up by that.
@Suite struct EngineCrewTests {
    private let network = ScriptedNetwork()
    private let engine: Engine

    init() {
        network.connect("wlan0", .wifi)
        engine = network.makeEngine(bringsItself: true)
    }

    private func manager(on queue: DispatchQueue) -> ReachabilityManager {
        ReachabilityManager(target: .default, queue: queue, engine: engine)
    }

    /// Changes the network until `condition` holds: the first report of all goes by another thread.
    private func flap(until condition: () -> Bool) async -> Bool {
        var isConnected = true
        return await comesTrue {
            isConnected.toggle()
            network.setCarrier("wlan0", isConnected)
            return condition()
        }
    }

    @Test func theThreadThatSawTheChangeRunsTheCallback() async {
        let turns = Turns()
        let subscription = engine.subscribe(turns, to: .default)
        let callbacks = Recorder<pthread_t>()
        let isOnQueue = Recorder<Bool>()
        let key = DispatchSpecificKey<Int>()
        let queue = DispatchQueue(label: "callbacks")
        queue.setSpecific(key: key, value: 1)
        let manager = manager(on: queue)
        manager.setReachabilityStatusChangeBlock { _ in
            isOnQueue.record(DispatchQueue.getSpecific(key: key) == 1)
            callbacks.record(pthread_self())
        }
        manager.startMonitoring()
        #expect(await flap { callbacks.elements.contains { turns.threads.contains($0) } })
        #expect(isOnQueue.elements.allSatisfy { $0 })
        manager.stopMonitoring()
        withExtendedLifetime(subscription) {}
    }

    /// User code may need as much of it as on a queue's own threads; glibc gives no thread less by itself.
    @Test func theThreadsStackIsNoSmallOne() async {
        let sizes = Recorder<Int>()
        let subscription = engine.subscribe(Turns { sizes.record(stack_size_of_this_thread()) }, to: .default)
        #expect(await sizes.first(1).first.map { $0 >= 2 << 20 } == true)
        withExtendedLifetime(subscription) {}
    }

    /// Has something brought to a queue in each turn, which holds what is made for it there; `brought` is told there whether
    /// one of the engine's own threads has come. The threads of the turns are recorded.
    private func subscribe<Held: Sendable>(
        _ turns: Recorder<pthread_t>, holding make: @escaping @Sendable () -> Held,
        brought: @escaping @Sendable (_ isOwn: Bool) -> Void
    ) -> Engine.Subscription {
        let queue = DispatchQueue(label: "brought")
        let engine = engine
        let receiver = Turns {
            turns.record(pthread_self())
            let held = make()
            engine.courier.bring(to: queue) {
                brought(turns.elements.contains(pthread_self()))
                withExtendedLifetime(held) {}
            }
        }
        return engine.subscribe(receiver, to: .default)
    }

    /// It may be the last that holds a user's object, and the thread may sleep for hours.
    @Test func whatWasBroughtIsLetGoOfAtOnce() async {
        let ends = Recorder<Void>()
        let brought = Recorder<Bool>()
        let turns = Recorder<pthread_t>()
        let subscription = subscribe(turns) {
            AtEnd { ends.record(()) }
        } brought: {
            brought.record($0)
        }
        #expect(await flap { brought.elements.last == true })
        // Nothing happens any more, and all is gone.
        await engine.quiet()
        let all = await brought.first(turns.elements.count).count
        #expect(await ends.first(all).count == all)
        withExtendedLifetime(subscription) {}
    }

    /// A manager whose callback keeps one of the engine's own threads before the gate; nil if none came there.
    private func managerThatKeepsAThread(before gate: Gate) async -> ReachabilityManager? {
        let turns = Turns()
        let subscription = engine.subscribe(turns, to: .default)
        let isKept = Recorder<Void>()
        let manager = manager(on: DispatchQueue(label: "slow"))
        manager.setReachabilityStatusChangeBlock { _ in
            guard turns.threads.contains(pthread_self()) else { return }
            isKept.record(())
            gate.wait()
        }
        manager.startMonitoring()
        defer { withExtendedLifetime(subscription) {} }
        return await flap { !isKept.elements.isEmpty } ? manager : nil
    }

    @Test func aCallbackThatStaysAwayHoldsUpNobodyElse() async throws {
        let gate = Gate()
        let slow = try #require(await managerThatKeepsAThread(before: gate))
        let told = Recorder<ReachabilityStatus>()
        let quick = manager(on: DispatchQueue(label: "quick"))
        quick.setReachabilityStatusChangeBlock { told.record($0) }
        quick.startMonitoring()
        #expect(await told.first(1).count == 1)
        for round in 0..<100 {
            network.setCarrier("wlan0", false)
            await told.last(is: .notReachable)
            network.setCarrier("wlan0", true)
            guard await told.last(is: .viaWiFi).last == .viaWiFi else {
                Issue.record("round \(round): not told while another callback is away")
                break
            }
        }
        gate.open()
        slow.stopMonitoring()
        quick.stopMonitoring()
    }

    /// The deadline is the set's, whichever thread sleeps there.
    @Test func timePassesWhileACallbackStaysAway() async throws {
        // Set before the thread goes, so that the one that stays need not have heard of it.
        let rung = Recorder<Void>()
        let reminder = engine.remind(after: .milliseconds(300)) { rung.record(()) }
        let gate = Gate()
        let slow = try #require(await managerThatKeepsAThread(before: gate))
        #expect(await rung.first(1).count == 1)
        gate.open()
        slow.stopMonitoring()
        withExtendedLifetime(reminder) {}
    }

    /// What becomes due in the turn itself is set by no deadline, since the next turn is to follow at once.
    @Test func whatIsDueAtOnceDoesNotWaitForACallback() async throws {
        let gate = Gate()
        let isArmed = Box(Atomic(false))
        let brought = Recorder<Bool>()
        // No managers here, which would remind of their queues.
        let subscription = subscribe(Recorder()) {
            ()
        } brought: { isOwn in
            brought.record(isOwn)
            if isOwn, isArmed.value.load(ordering: .sequentiallyConsistent) { gate.wait() }
        }
        #expect(await flap { brought.elements.last == true })
        let quick = Settler()
        let second = engine.subscribe(quick, to: .default)
        #expect(await quick.settled.first(1).count == 1)
        await engine.quiet()

        isArmed.value.store(true, ordering: .sequentiallyConsistent)
        var newest = try #require(quick.settled.elements.last)
        // One change at a time, until one of the engine's own threads has gone with it and nothing else wakes the other.
        repeat {
            let count = brought.elements.count
            newest = newest == .viaWiFi ? .notReachable : .viaWiFi
            network.setCarrier("wlan0", newest == .viaWiFi)
            await brought.first(count + 1)
        } while brought.elements.last == false
        #expect(await quick.settled.last(is: newest).last == newest)
        gate.open()
        withExtendedLifetime((subscription, second)) {}
    }

    @Test func theEngineEndsAlthoughACallbackStaysAway() async throws {
        let gate = Gate()
        let slow = try #require(await managerThatKeepsAThread(before: gate))
        slow.stopMonitoring()
        #expect(await engine.isIdle())
        #expect(await comesTrue { network.openings == 0 })

        // The next one begins while the thread of the last is still away.
        let told = Recorder<ReachabilityStatus>()
        let next = manager(on: DispatchQueue(label: "next"))
        next.setReachabilityStatusChangeBlock { told.record($0) }
        next.startMonitoring()
        network.setCarrier("wlan0", true)
        #expect(await told.last(is: .viaWiFi).last == .viaWiFi)
        network.setCarrier("wlan0", false)
        #expect(await told.last(is: .notReachable).last == .notReachable)
        gate.open()
        next.stopMonitoring()
    }

    /// Who sleeps is woken by the end of the engine even if that comes between its turn and its sleep.
    @Test func aWakeIsNotLostWithTheSet() throws {
        let set = try SleepSet()
        let poller = set.poller
        poller.waker.wake()
        _ = consume set
        #expect(try poller.wait()?.descriptor == poller.waker.number)
    }
}

/// Notes on which threads the engine has its turns, and does something in each in which it is told anything.
private final class Turns: UpdateReceiver {
    private let seen = Mutex<Set<pthread_t>>([])
    private let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void = {}) { self.body = body }

    var threads: Set<pthread_t> { seen.withLock { $0 } }

    func receive(_ update: Update, now: Instant) -> Instant? {
        seen.withLock { _ = $0.insert(pthread_self()) }
        body()
        return nil
    }
}

/// Lets each status hold still for a time that is over before the turn is in which it begins.
private final class Settler: UpdateReceiver {
    let settled = Recorder<ReachabilityStatus>()
    private let newest = Mutex(ReachabilityStatus.unknown)

    func receive(_ update: Update, now: Instant) -> Instant? {
        newest.withLock { $0 = update.report.status }
        return now + .nanoseconds(1)
    }

    func timePassed(now: Instant) -> Instant? {
        settled.record(newest.withLock { $0 })
        return nil
    }
}
