package import Reachability
internal import Synchronization
package import Timing

/// Time that moves only when a test says so.
///
/// It governs what Reachability itself does by time: settle intervals, routes that run out, lookups of names, hints.
/// Any thread.
public final class ManualClock: Sendable {
    private let state: Mutex<State>

    private struct State {
        var now: Instant
        var sleepers: [Sleeper] = []
    }

    /// One who sleeps by this clock.
    private struct Sleeper {
        weak let waker: (any Wakeable)?
    }

    /// A clock that stands still.
    public init() {
        state = Mutex(State(now: .now))
    }

    /// What the clock shows, on Reachability's own scale.
    package var now: Instant { state.withLock { $0.now } }

    /// Moves the clock on. What becomes due by that happens soon, on the engine's thread.
    public func advance(by duration: Duration) {
        let wakers = state.withLock { state in
            state.now += duration
            return state.sleepers.compactMap(\.waker)
        }
        for waker in wakers { waker.wake() }
    }
}

extension ManualClock: EngineClock {
    package func milliseconds(until deadline: Instant?) -> Int32 {
        // Until somebody moves the clock, which wakes the engine.
        deadline.map { $0 <= now ? 0 : -1 } ?? -1
    }

    package func attach(to waker: any Wakeable) {
        state.withLock { state in
            state.sleepers.removeAll { $0.waker == nil || $0.waker === waker }
            state.sleepers.append(Sleeper(waker: waker))
        }
    }
}
