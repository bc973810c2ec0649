internal import Dispatch
internal import Glibc
internal import Synchronization

/// Brings what the engine's receivers have to tell to their queues.
///
/// To have another thread woken for it costs as much again as the change took to come here. So what a turn of the engine
/// leaves last is brought by the thread that had the turn, once it is over: on a queue that is idle, `sync` runs the
/// work at once, in place. User code may keep the thread for as long as it likes, since another stands by (leader and
/// follower, as the pattern is called).
package final class Courier: Sendable {
    private let state = Mutex(State())
    private let goesItself: Bool

    /// One that does not go itself has others woken each time.
    init(goesItself: Bool) { self.goesItself = goesItself }

    /// Work for a queue.
    struct Errand: Sendable {
        let queue: DispatchQueue
        let work: @Sendable () -> Void
    }

    /// Another thread, which stands by so that the one with the turn may go.
    private enum StandIn {
        case none
        /// A thread would have gone if another had stood by.
        case wanted
        case present
    }

    private struct State {
        /// The thread that has the turn.
        var thread: pthread_t?
        /// What it will bring.
        var errand: Errand?
        var standIn = StandIn.none
        /// A thread has gone, and is not back.
        var isOut = false

        func isTurn(of caller: pthread_t) -> Bool { thread.map { pthread_equal($0, caller) != 0 } ?? false }
    }

    /// Any thread: has the work done on the queue. What belongs to the main queue goes there as it always does.
    func bring(to queue: DispatchQueue, _ work: @escaping @Sendable () -> Void) {
        let errand = Errand(queue: queue, work: work)
        let isForMain = queue.isMain
        // One goes at once if it cannot wait for the end of the turn, or if there is a later one.
        let first = state.withLock { state -> Errand? in
            guard goesItself, !isForMain, state.isTurn(of: pthread_self()), !state.isOut else { return errand }
            guard state.standIn == .present else {
                state.standIn = .wanted
                return errand
            }
            defer { state.errand = errand }
            return state.errand
        }
        if let first { first.queue.async(execute: first.work) }
    }

    // MARK: - The engine's side

    /// The calling thread has the turn.
    func beginTurn() { state.withLock { $0.thread = pthread_self() } }

    /// Its turn is over. Returns what it has to bring now; to be followed by `isBack`.
    func endTurn() -> Errand? {
        state.withLock { state in
            state.thread = nil
            state.isOut = state.isOut || state.errand != nil
            defer { state.errand = nil }
            return state.errand
        }
    }

    func isBack() { state.withLock { $0.isOut = false } }

    /// True once if another thread is to stand by. It counts as there from then on, unless it is said not to.
    func takesStandIn() -> Bool {
        state.withLock { state in
            guard state.standIn == .wanted else { return false }
            state.standIn = .present
            return true
        }
    }

    func hasNoStandIn() { state.withLock { $0.standIn = .none } }

    /// True on the thread that has the turn, which must not come to user code.
    var isTurnOfCaller: Bool { state.withLock { $0.isTurn(of: pthread_self()) } }
}
