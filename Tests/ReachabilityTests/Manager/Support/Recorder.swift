import Dispatch
import Synchronization

/// Collects what callbacks tell, and lets a test wait for it. Any thread.
final class Recorder<Element: Sendable>: Sendable {
    private let state = Mutex(State())

    private struct State {
        var elements: [Element] = []
        var waiters: [Int: Waiter] = [:]
        var lastWaiter = 0
    }

    private struct Waiter {
        let isSatisfied: @Sendable ([Element]) -> Bool
        let continuation: CheckedContinuation<Void, Never>
    }

    /// What came so far, in order.
    var elements: [Element] { state.withLock { $0.elements } }

    func record(_ element: Element) {
        let satisfied = state.withLock { state in
            state.elements.append(element)
            let ids = state.waiters.filter { $0.value.isSatisfied(state.elements) }.map(\.key)
            return ids.compactMap { state.waiters.removeValue(forKey: $0) }
        }
        for waiter in satisfied { waiter.continuation.resume() }
    }

    /// Waits until the predicate holds or the time is over; returns what came until then.
    @discardableResult
    func wait(until isSatisfied: @escaping @Sendable ([Element]) -> Bool) async -> [Element] {
        await withCheckedContinuation { continuation in
            let id = state.withLock { state -> Int? in
                guard !isSatisfied(state.elements) else { return nil }
                state.lastWaiter += 1
                state.waiters[state.lastWaiter] = Waiter(isSatisfied: isSatisfied, continuation: continuation)
                return state.lastWaiter
            }
            guard let id else { return continuation.resume() }
            DispatchQueue.global().asyncAfter(deadline: .now() + Patience.seconds) {
                self.state.withLock { $0.waiters.removeValue(forKey: id) }?.continuation.resume()
            }
        }
        return elements
    }

    /// Waits for so many elements in all; returns all, or those that came until the time was over.
    @discardableResult
    func first(_ count: Int) async -> [Element] {
        await wait { $0.count >= count }
    }
}

extension Recorder where Element: Equatable {
    /// Waits until the newest element is this one; returns all.
    @discardableResult
    func last(is element: Element) async -> [Element] {
        await wait { $0.last == element }
    }
}

/// How long a test waits for what has to come: long, since only a failing test waits to the end.
enum Patience {
    static let seconds = 30.0
    static let duration = Duration.seconds(30)
}
