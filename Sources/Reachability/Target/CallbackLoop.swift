internal import Foundation

/// A run loop that a callback can be put on.
package protocol CallbackLoop: Sendable {
    /// The same for the same loop.
    var identity: ObjectIdentifier { get }
    /// Any thread: has `body` run once on the loop's thread when the loop next runs in the mode, and wakes it.
    func perform(inMode mode: String, _ body: @escaping @Sendable () -> Void)
}

/// Foundation's run loop.
///
/// `@unchecked Sendable` is sound because the loop is used for nothing but to add a timer, which is CFRunLoopAddTimer:
/// that locks the loop, and is meant for any thread.
struct FoundationLoop: CallbackLoop, @unchecked Sendable {
    private let loop: RunLoop

    init(_ loop: RunLoop) { self.loop = loop }

    var identity: ObjectIdentifier { ObjectIdentifier(loop) }

    func perform(inMode mode: String, _ body: @escaping @Sendable () -> Void) {
        // `RunLoop.perform` does not wake a loop that sleeps on Linux; a timer that is due does.
        let timer = Timer(timeInterval: 0, repeats: false) { _ in body() }
        loop.add(timer, forMode: RunLoop.Mode(rawValue: mode))
    }
}
