internal import Synchronization

/// Keeps the handler that was set, to be read back as it was given.
final class HandlerBox: Sendable {
    private let contents = Mutex(Contents())

    /// In a structure of its own: a generic type holds a bare function in another form, and each access, a read as well, would
    /// wrap it once more, until a call of it overruns the stack.
    private struct Contents {
        var handler: (@Sendable (NWPath) -> Void)?
    }

    func get() -> (@Sendable (NWPath) -> Void)? { contents.withLock { $0.handler } }

    func set(_ new: (@Sendable (NWPath) -> Void)?) {
        let old = contents.withLock { contents in
            defer { contents.handler = new }
            return Contents(handler: contents.handler)
        }
        // Let go of outside of the lock: what it captured may come back here when it ends.
        withExtendedLifetime(old) {}
    }
}
