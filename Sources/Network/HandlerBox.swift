internal import Synchronization

/// Keeps the handler that was set, to be read back as it was given.
final class HandlerBox: Sendable {
    private let handler = Mutex<(@Sendable (NWPath) -> Void)?>(nil)

    func get() -> (@Sendable (NWPath) -> Void)? { handler.withLock { $0 } }

    func set(_ new: (@Sendable (NWPath) -> Void)?) { handler.withLock { $0 = new } }
}
