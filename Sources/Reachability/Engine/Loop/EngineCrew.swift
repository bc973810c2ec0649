internal import Dispatch
internal import Rtnetlink
internal import Synchronization

/// The engine's threads: one, and another that stands by once there is something to bring to a queue.
///
/// Both do the same: sleep on the engine's descriptors, take a turn at its loop when something has come, and bring to its
/// queue what the turn has left for that (see `Courier`). Meanwhile the other one sleeps; the kernel wakes it if
/// something comes while the first is away, and else does not.
final class EngineCrew: Sendable {
    let courier: Courier
    private let engine: Engine
    private let loop: Mutex<EngineLoop>

    /// Without `bringsItself` other threads have to be woken for what is to be brought to queues.
    init(engine: Engine, bringsItself: Bool) {
        courier = Courier(goesItself: bringsItself)
        self.engine = engine
        loop = Mutex(EngineLoop(engine: engine))
    }

    /// Works until nobody is subscribed any more.
    func work() {
        var awakening = EngineLoop.Awakening.call
        var poller: Poller?
        // Whoever else sleeps on the set is to leave too: a wake reaches one at a time.
        defer { poller?.waker.wake() }
        while let rest = turn(awakening) {
            if case .sleep(let next) = rest { poller = next }
            loop.withLock { $0.prepare() }
            if courier.takesStandIn(), engine.startThread({ self.work() }) != 0 { courier.hasNoStandIn() }
            awakening = Self.take(rest)
        }
    }

    /// Takes a turn, and brings what it has left. That is let go of before the thread sleeps: it may hold the last
    /// reference to user's objects.
    private func turn(_ awakening: EngineLoop.Awakening) -> EngineLoop.Rest? {
        let (rest, errand) = loop.withLock { loop -> (EngineLoop.Rest?, Courier.Errand?) in
            courier.beginTurn()
            let rest = loop.turn(awakening)
            let errand = courier.endTurn()
            // What is due already, or is due by no descriptor, does not wait until the errand is done.
            if errand != nil, rest?.isSleep == false { loop.callOther() }
            return (rest, errand)
        }
        if let errand {
            errand.queue.sync(execute: errand.work)
            courier.isBack()
        }
        return rest
    }

    private static func take(_ rest: EngineLoop.Rest) -> EngineLoop.Awakening {
        switch rest {
        case .none: return .call
        case .blind(let milliseconds):
            Poller.sleepBlindly(milliseconds: milliseconds)
            return .call
        case .sleep(let poller):
            do { return .ready(try poller.wait()) } catch { return .failure(error, poller) }
        }
    }
}
