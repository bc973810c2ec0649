import Foundation

/// Collects what callbacks bring, for a test to wait for.
final class HeardEvents<Element: Sendable>: @unchecked Sendable {  // sound: all of it is behind the condition's lock
    private let condition = NSCondition()
    private var elements: [Element] = []

    var all: [Element] { condition.withLock { elements } }

    func add(_ element: Element) {
        condition.withLock {
            elements.append(element)
            condition.broadcast()
        }
    }

    /// Waits until there are that many elements; nil after twenty seconds with fewer.
    func wait(count: Int) -> [Element]? {
        let limit = Date(timeIntervalSinceNow: 20)
        return condition.withLock {
            while elements.count < count {
                guard condition.wait(until: limit) else { return nil }
            }
            return elements
        }
    }
}
