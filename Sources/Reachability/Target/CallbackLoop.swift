internal import Foundation

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
    /// There is one for as long as a target is scheduled, since Foundation on Linux never frees a timer.
    /// `@unchecked Sendable` is sound because CFRunLoopTimerSetNextFireDate and CFRunLoopTimerInvalidate, which is all that
    /// is called here, lock the timer, and are meant for any thread.
    private final class Bell: CallbackBell, @unchecked Sendable {
        fileprivate let timer: Timer

        init(_ body: @escaping @Sendable () -> Void) {
            // One that does not repeat would be gone after its first ringing.
            timer = Timer(fire: .distantFuture, interval: Self.never, repeats: true) { _ in body() }
        }

        func ring() { timer.fireDate = Date() }
        func remove() { timer.invalidate() }

        /// A hundred years, in seconds.
        private static let never: TimeInterval = 100 * 365 * 86_400
    }
}
