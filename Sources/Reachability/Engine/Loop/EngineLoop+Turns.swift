internal import Rtnetlink

extension EngineLoop {
    /// What a thread has found when it woke.
    enum Awakening: Sendable {
        /// Perhaps anything.
        case call
        /// A descriptor has something, or a signal has come instead. What others have is told later, or to another thread.
        case ready(Poller.Ready?)
        /// It must not sleep, or not on this set.
        case failure(SystemCallError, Poller)
    }

    /// How to wait for the next turn.
    enum Rest: Sendable {
        /// Not at all.
        case none
        case sleep(Poller)
        /// Nobody can wake this thread, so it has to look by itself, so many milliseconds from now.
        case blind(Int32)

        var isSleep: Bool { if case .sleep = self { true } else { false } }
    }

    /// What there may be to do besides taking in the network's changes.
    struct Signs: OptionSet {
        let rawValue: Int

        static let call = Signs(rawValue: 1)
        static let time = Signs(rawValue: 2)
        static let services = Signs(rawValue: 4)
        static let all: Signs = [.call, .time, .services]
    }
}
