public import Dispatch
public import Foundation
internal import Synchronization
internal import Timing

extension NetworkReachability {
    // MARK: - On a queue

    /// Has the callback run on the queue from now on; nil ends that.
    ///
    /// Callbacks of a target never overlap, on a concurrent queue either. Ended on a serial queue itself, none comes any
    /// more once this returns; ended from elsewhere, one that has begun may still run.
    ///
    /// - Throws: `NetworkReachabilityError.alreadyScheduled` if it is on a queue or run loop, or `.notScheduled` if there
    ///   is no queue to take it from.
    public func setDispatchQueue(_ queue: DispatchQueue?) throws(NetworkReachabilityError) {
        guard let queue else {
            return try end { state throws(NetworkReachabilityError) in
                try state.machine.unscheduleFromQueue()
                return .nothing
            }
        }
        let base = base()
        let epoch = try state.withLock { state throws(NetworkReachabilityError) in
            try state.machine.scheduleOnQueue(base: base)
            state.queue = queue
            state.owner = self
            return state.machine.epoch
        }
        subscribe(epoch)
    }

    // MARK: - On run loops

    /// Has the callback run on the run loop's thread while it runs in the mode.
    ///
    /// May be called for several loops and modes: each change is told once, by the first of them to come round. Called
    /// twice for the same, it has to be taken back twice.
    ///
    /// - Throws: `NetworkReachabilityError.alreadyScheduled` if it is on a dispatch queue.
    public func schedule(in loop: RunLoop, forMode mode: RunLoop.Mode) throws(NetworkReachabilityError) {
        try schedule(in: FoundationLoop(loop), mode: mode.rawValue)
    }

    /// Takes one scheduling back.
    ///
    /// - Throws: `NetworkReachabilityError.notScheduled` if it is not on that loop in that mode.
    public func unschedule(from loop: RunLoop, forMode mode: RunLoop.Mode) throws(NetworkReachabilityError) {
        try unschedule(from: FoundationLoop(loop), mode: mode.rawValue)
    }

    package func schedule(in loop: some CallbackLoop, mode: String) throws(NetworkReachabilityError) {
        let place = NetworkReachabilityMachine.Place(loop: loop.identity, mode: mode)
        let base = base()
        // Not kept alive by it: a loop that never runs again would keep the target for ever.
        let bell = loop.bell(inMode: mode) { [weak self] in self?.deliver(at: place) }
        var isBellUsed = false
        defer { if !isBellUsed { bell.remove() } }
        let (epoch, isFirst, isDue) = try state.withLock { state throws(NetworkReachabilityError) in
            let isFirst = try state.machine.schedule(at: place, base: base)
            if state.loops[place] == nil {
                state.loops[place] = Loop(bell: bell)
                isBellUsed = true
            }
            state.owner = self
            return (state.machine.epoch, isFirst, state.machine.isDeliveryDue)
        }
        if isFirst { subscribe(epoch) }
        if isDue { enqueue(epoch) }
    }

    package func unschedule(from loop: some CallbackLoop, mode: String) throws(NetworkReachabilityError) {
        let place = NetworkReachabilityMachine.Place(loop: loop.identity, mode: mode)
        var removed: Loop?
        defer { removed?.bell.remove() }
        try end { state throws(NetworkReachabilityError) in
            let rest = try state.machine.unschedule(from: place)
            if rest != .scheduledThere { removed = state.loops.removeValue(forKey: place) }
            return rest
        }
    }

    // MARK: - Both

    /// What an address is when it is scheduled: only what differs from it is told. Found out before the engine is asked
    /// to watch, so that no change can fall in between.
    private func base() -> Report? { isName ? nil : try? liveReport() }

    private func subscribe(_ epoch: UInt64) {
        let new = engine.subscribe(Receiver(self, epoch: epoch), to: target)
        let dropped = state.withLock { state -> Engine.Subscription? in
            // Another thread may have ended it meanwhile.
            guard state.machine.isScheduled, state.machine.epoch == epoch else { return new }
            defer { state.subscription = new }
            return state.subscription
        }
        withExtendedLifetime(dropped) {}
    }

    private func end(
        _ body: (inout State) throws(NetworkReachabilityError) -> NetworkReachabilityMachine.Rest
    ) throws(NetworkReachabilityError) {
        let released = try state.withLock { state throws(NetworkReachabilityError) -> (Engine.Subscription?, State?) in
            guard try body(&state) == .nothing else { return (nil, nil) }
            defer {
                state.subscription = nil
                state.queue = nil
                state.loops = [:]
                state.owner = nil
            }
            return (state.subscription, state)
        }
        // Let go of outside of the lock.
        withExtendedLifetime(released) {}
    }

    // MARK: - Deliveries

    /// Takes reports for a target without keeping it alive.
    private final class Receiver: UpdateReceiver {
        private weak let target: NetworkReachability?
        private let epoch: UInt64

        init(_ target: NetworkReachability, epoch: UInt64) {
            self.target = target
            self.epoch = epoch
        }

        func receive(_ update: Update, now: Instant) -> Instant? {
            target?.receive(update.report, epoch)
            return nil
        }
    }

    /// Engine's thread.
    private func receive(_ report: Report, _ epoch: UInt64) {
        if state.withLock({ $0.machine.received(report, epoch: epoch) }) { enqueue(epoch) }
    }

    /// Puts a callback on the queue, or on every loop whose bell has not been rung already.
    private func enqueue(_ epoch: UInt64) {
        let (queue, bells) = state.withLock { state -> (DispatchQueue?, [any CallbackBell]) in
            guard state.machine.epoch == epoch else { return (nil, []) }
            let silent = state.loops.filter { !$0.value.isRung }
            for place in silent.keys { state.loops[place]?.isRung = true }
            return (state.queue, silent.values.map(\.bell))
        }
        if let queue { engine.courier.bring(to: queue) { self.deliver(epoch) } }
        for bell in bells { bell.ring() }
    }

    /// On the run loop of the place.
    private func deliver(at place: NetworkReachabilityMachine.Place) {
        let epoch = state.withLock { state -> UInt64? in
            guard state.loops[place] != nil else { return nil }
            state.loops[place]?.isRung = false
            return state.machine.epoch
        }
        if let epoch { deliver(epoch) }
    }

    /// On the queue or a run loop: tells the flags of now, if they are still to be told.
    private func deliver(_ epoch: UInt64) {
        let (flags, callback) = state.withLock { ($0.machine.beginDelivery(epoch: epoch), $0.callback) }
        guard let flags else { return }
        callback?(self, flags)
        if let epoch = state.withLock({ $0.machine.endDelivery() }) { enqueue(epoch) }
    }
}
