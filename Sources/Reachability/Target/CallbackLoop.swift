internal import Foundation
internal import Synchronization

/// A run loop that callbacks can be put on.
package protocol CallbackLoop: Sendable {
    /// The same for the same loop.
    var identity: ObjectIdentifier { get }
    /// A bell whose every ringing has `body` run on the loop's thread when the loop next runs in the mode.
    func bell(inMode mode: String, _ body: @escaping @Sendable () -> Void) -> any CallbackBell
}

/// Wakes a run loop, and has it do one thing. Any thread.
package protocol CallbackBell: Sendable {
    func ring()
    /// Has it ring no more.
    func remove()
}

/// Foundation's run loop.
///
/// `@unchecked Sendable` is sound because the loop is used for nothing but to add a timer, which is CFRunLoopAddTimer:
/// that locks the loop, and is meant for any thread.
struct FoundationLoop: CallbackLoop, @unchecked Sendable {
    private let loop: RunLoop

    init(_ loop: RunLoop) { self.loop = loop }

    var identity: ObjectIdentifier { ObjectIdentifier(loop) }

    func bell(inMode mode: String, _ body: @escaping @Sendable () -> Void) -> any CallbackBell {
        let bell = Bell(body)
        loop.add(bell.timer, forMode: RunLoop.Mode(rawValue: mode))
        return bell
    }

    /// A timer that is due only when it is rung: `RunLoop.perform` does not wake a loop that sleeps on Linux, a timer does.
    ///
    /// There is one for as long as a target is scheduled. Foundation on Linux never frees a timer, so each scheduling leaves
    /// some hundred bytes behind; what the timer calls is let go of.
    /// `@unchecked Sendable` is sound because CFRunLoopTimerSetNextFireDate and CFRunLoopTimerInvalidate, which is all that
    /// is called here, lock the timer, and are meant for any thread.
    private final class Bell: CallbackBell, @unchecked Sendable {
        fileprivate let timer: Timer
        private let clapper: Clapper

        init(_ body: @escaping @Sendable () -> Void) {
            let clapper = Clapper(body)
            self.clapper = clapper
            // One that does not repeat would be gone after its first ringing.
            timer = Timer(fire: .distantFuture, interval: Self.never, repeats: true) { _ in clapper.strike() }
        }

        func ring() { timer.fireDate = Date() }

        func remove() {
            timer.invalidate()
            clapper.takeOut()
        }

        /// A hundred years, in seconds.
        private static let never: TimeInterval = 100 * 365 * 86_400
    }

    /// What a bell does when it rings, until it is taken out.
    private final class Clapper: Sendable {
        private final class Body: Sendable {
            let run: @Sendable () -> Void

            init(run: @escaping @Sendable () -> Void) { self.run = run }
        }

        private let body: Mutex<Body?>

        init(_ run: @escaping @Sendable () -> Void) { body = Mutex(Body(run: run)) }

        func strike() { body.withLock { $0 }?.run() }

        func takeOut() {
            // Let go of outside of the lock: what it captured may run code of its own when it ends.
            let old = body.withLock { body in
                defer { body = nil }
                return body
            }
            withExtendedLifetime(old) {}
        }
    }
}
