import Dispatch
import Foundation
import Glibc
import ReachabilityTesting
import Synchronization
import Testing
import Timing

@testable import Reachability

/// The engine's thread: nobody waits for it in vain.
@Suite struct EngineTests {
    /// Whoever subscribes while the thread sets itself up has to be seen by it before it sleeps.
    @Test func aSubscriberThatComesWhileTheThreadBeginsIsServed() async {
        let network = ScriptedNetwork()
        network.connect("wlan0", .wifi)
        for round in 0..<1500 {
            let engine = network.makeEngine()
            let first = Subscriber()
            let second = Subscriber()
            let firstSubscription = engine.subscribe(first, to: .default)
            // From well before the thread runs to well after it sleeps.
            spin(nanoseconds: round * 100 % 150_000)
            let secondSubscription = engine.subscribe(second, to: .default)
            guard await first.updates.first(1).count == 1, await second.updates.first(1).count == 1 else {
                Issue.record("round \(round): a subscriber was not served")
                return
            }
            withExtendedLifetime((firstSubscription, secondSubscription)) {}
        }
    }

    private func spin(nanoseconds: Int) {
        let end = Instant.now + .nanoseconds(nanoseconds)
        while Instant.now < end {}
    }

    /// The first evaluation asks for one probe, its repetition for all: neither may undo what the other listens for.
    @Test func aChangeBetweenAnEvaluationAndItsRepetitionComesToAnEnd() async {
        let scene = Scene { $0.connect("wlan0", .wifi) }
        let network = scene.network
        let lookups = Atomic(0)
        let count = Box(lookups)
        network.beforeEachLookup { [weak network] in
            // Two lookups make up the first evaluation.
            if count.value.add(1, ordering: .relaxed).newValue == 3 { network?.disconnect("wlan0") }
        }
        scene.manager.startMonitoring()
        #expect(await scene.statuses.first(1) == [.notReachable])
    }

    @Test func itEndsWithTheLastSubscriptionAndBeginsWithTheNext() async {
        let network = ScriptedNetwork()
        let engine = network.makeEngine()
        for _ in 0..<20 {
            let subscriber = Subscriber()
            let subscription = engine.subscribe(subscriber, to: .default)
            await subscriber.updates.first(1)
            #expect(engine.isRunning)
            withExtendedLifetime(subscription) {}
            _ = consume subscription
            #expect(await engine.isIdle())
            #expect(await comesTrue { network.openings == 0 })
        }
    }

    @Test func aReminderThatIsLetGoOfDoesNotCome() async {
        let clock = ManualClock()
        let engine = ScriptedNetwork(clock: clock).makeEngine()
        let rung = Recorder<String>()
        var dropped: Engine.Subscription? = engine.remind(after: .seconds(1)) { rung.record("dropped") }
        let kept = engine.remind(after: .seconds(2)) { rung.record("kept") }
        await engine.quiet()
        withExtendedLifetime(dropped) {}
        dropped = nil
        clock.advance(by: .seconds(1))
        await engine.quiet()
        clock.advance(by: .seconds(1))
        #expect(await rung.first(1) == ["kept"])
        withExtendedLifetime(kept) {}
        #expect(await engine.isIdle())
    }

    @Test func aDelayBeyondAllMeasureDoesNotTrap() async {
        let engine = ScriptedNetwork().makeEngine()
        let reminder = engine.remind(after: .seconds(Int64.max)) {}
        await engine.quiet()
        #expect(engine.isRunning)
        withExtendedLifetime(reminder) {}
    }
}

/// Records updates.
private final class Subscriber: UpdateReceiver {
    let updates = Recorder<Update>()

    func receive(_ update: Update, now: Instant) -> Instant? {
        updates.record(update)
        return nil
    }

    func timePassed(now: Instant) -> Instant? { nil }
}
