import Dispatch
import Synchronization

/// What callbacks told, and a way to wait for it. Any thread.
package final class Told<Element: Sendable>: Sendable {
    private let state = Mutex(
        (elements: [Element](), waiters: [(count: Int, continuation: CheckedContinuation<Void, Never>)]()))

    package init() {}

    /// What came so far, in order.
    package var elements: [Element] { state.withLock { $0.elements } }

    package func record(_ element: Element) {
        let due = state.withLock { state in
            state.elements.append(element)
            let count = state.elements.count
            defer { state.waiters.removeAll { $0.count <= count } }
            return state.waiters.filter { $0.count <= count }
        }
        for waiter in due { waiter.continuation.resume() }
    }

    /// Waits for so many elements in all, and returns all. Tests that wait have a time limit.
    @discardableResult
    package func first(_ count: Int) async -> [Element] {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.elements.count < count { state.waiters.append((count, continuation)) }
                return state.elements.count >= count
            }
            if isThere { continuation.resume() }
        }
        return elements
    }
}
