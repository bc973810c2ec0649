import Foundation
import Synchronization

/// Keeps one core busy as long as it is held.
final class BusyCore: Sendable {
    private final class Flag: Sendable { let isSet = Atomic(false) }
    private let end = Flag()

    init() {
        let end = end
        Thread { while !end.isSet.load(ordering: .relaxed) {} }.start()
    }

    deinit { end.isSet.store(true, ordering: .relaxed) }
}
