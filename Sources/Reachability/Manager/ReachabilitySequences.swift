internal import Synchronization

extension ReachabilityManager {
    /// The current status, then each change of it. A slow reader gets the newest, never an old one after a new one.
    ///
    /// Iterating monitors for as long as it goes on, without `startMonitoring`, and ends when the manager goes. Does not
    /// wait for the delivery queue.
    public var statuses: Statuses { Statuses(self) }

    /// The current state as a change from `unknown`, then each change of status or path. Otherwise as `statuses`; the
    /// old status is the one this reader was handed before.
    public var changes: Changes { Changes(self) }

    /// See `ReachabilityManager.statuses`.
    public struct Statuses: AsyncSequence, Sendable {
        private weak let manager: ReachabilityManager?

        init(_ manager: ReachabilityManager) { self.manager = manager }

        /// A new reader, which begins with the current state.
        public func makeAsyncIterator() -> Iterator { Iterator(Updates(manager)) }

        /// Hands out statuses.
        public struct Iterator: AsyncIteratorProtocol {
            private let updates: Updates
            private var last: ReachabilityStatus?

            init(_ updates: Updates) { self.updates = updates }

            /// The next status that differs; nil when the manager is gone or the task cancelled.
            public mutating func next(
                isolation actor: isolated (any Actor)? = #isolation
            ) async -> ReachabilityStatus? {
                while let update = await updates.next(isolation: actor) {
                    let status = update.report.status
                    guard status != last else { continue }
                    last = status
                    return status
                }
                return nil
            }
        }
    }

    /// See `ReachabilityManager.changes`.
    public struct Changes: AsyncSequence, Sendable {
        private weak let manager: ReachabilityManager?

        init(_ manager: ReachabilityManager) { self.manager = manager }

        /// A new reader, which begins with the current state.
        public func makeAsyncIterator() -> Iterator { Iterator(Updates(manager)) }

        /// Hands out changes.
        public struct Iterator: AsyncIteratorProtocol {
            private let updates: Updates
            private var last: Report?

            init(_ updates: Updates) { self.updates = updates }

            /// The next change; nil when the manager is gone or the task cancelled.
            public mutating func next(
                isolation actor: isolated (any Actor)? = #isolation
            ) async -> ReachabilityChange? {
                while let update = await updates.next(isolation: actor) {
                    guard update.report != last else { continue }
                    defer { last = update.report }
                    return ReachabilityChange(
                        old: last?.status ?? .unknown, new: update.report.status, report: update.report,
                        causes: update.causes, generation: update.generation)
                }
                return nil
            }
        }
    }

    /// One reader's updates. Monitors while it lives; does not keep the manager alive.
    final class Updates {
        private weak let manager: ReachabilityManager?
        private let id: UInt64
        private var iterator: AsyncStream<Update>.Iterator

        init(_ manager: ReachabilityManager?) {
            let (stream, continuation) = AsyncStream.makeStream(of: Update.self, bufferingPolicy: .bufferingNewest(1))
            self.manager = manager
            iterator = stream.makeAsyncIterator()
            if let manager {
                id = manager.beginIteration(continuation)
            } else {
                id = 0
                continuation.finish()
            }
        }

        deinit { manager?.endIteration(id) }

        func next(isolation actor: isolated (any Actor)?) async -> Update? {
            await iterator.next(isolation: actor)
        }
    }

    private func beginIteration(_ continuation: AsyncStream<Update>.Continuation) -> UInt64 {
        let (id, isFirst) = state.withLock { state in
            state.lastID += 1
            state.sequences[state.lastID] = continuation
            let isFirst = state.machine.beginIteration()
            // Under the lock, so that no newer update can come before it.
            if let current = state.machine.current { continuation.yield(current) }
            return (state.lastID, isFirst)
        }
        if isFirst { resubscribe() }
        return id
    }

    private func endIteration(_ id: UInt64) {
        let (sequence, isLast) = state.withLock { state in
            (state.sequences.removeValue(forKey: id), state.machine.endIteration())
        }
        sequence?.finish()
        if isLast { resubscribe() }
    }
}

// MARK: - Waiting

extension ReachabilityManager {
    /// Waits until the target is reachable, and returns by which kind of link. Works without a start.
    ///
    /// Does not wait for the delivery queue: what it returns is newer than `status`, which a started manager sets there.
    ///
    /// - Throws: `ReachabilityTimeout` if it is not reachable after `timeout`, `CancellationError` if the task is
    ///   cancelled or the manager goes.
    @discardableResult
    public func waitUntilReachable(timeout: Duration) async throws -> ReachabilityStatus {
        try await firstStatus(within: timeout) { $0.isReachable }
    }

    /// Waits until anything is known, and returns it: never `unknown`. Works without a start.
    ///
    /// - Throws: as `waitUntilReachable(timeout:)`.
    public func firstKnownStatus(timeout: Duration) async throws -> ReachabilityStatus {
        try await firstStatus(within: timeout) { $0 != .unknown }
    }

    private func firstStatus(
        within timeout: Duration, where isWanted: @escaping @Sendable (ReachabilityStatus) -> Bool
    ) async throws -> ReachabilityStatus {
        let statuses = statuses
        let newest = Newest()
        return try await withThrowingTaskGroup(of: ReachabilityStatus.self) { group in
            group.addTask {
                for await status in statuses {
                    newest.status.withLock { $0 = status }
                    if isWanted(status) { return status }
                }
                throw CancellationError()
            }
            group.addTask {
                try await Alarm.sleep(for: min(timeout, .longestWait))
                throw ReachabilityTimeout(timeout: timeout, status: newest.status.withLock { $0 })
            }
            defer { group.cancelAll() }
            guard let status = try await group.next() else { throw CancellationError() }
            return status
        }
    }
}

/// What a wait has heard last.
private final class Newest: Sendable {
    let status = Mutex(ReachabilityStatus.unknown)
}
