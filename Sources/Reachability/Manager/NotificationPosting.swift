package import Dispatch
internal import Foundation

/// How work comes onto a queue to post notifications there.
package enum NotificationPosting {
    /// Has `body` called on the queue.
    ///
    /// An observer that asked for `OperationQueue.main` is called at once if the post comes from an operation of that
    /// queue, or from the main thread; from a block of `DispatchQueue.main` that another thread runs, as all do after
    /// `dispatchMain()`, the post would wait for the queue that it keeps busy, for ever (swift-corelibs-foundation).
    package static func async(on queue: DispatchQueue, _ body: @escaping @Sendable () -> Void) {
        if queue.getSpecific(key: isMain) == true { return OperationQueue.main.addOperation(body) }
        queue.async {
            // A queue whose work the main queue does is known only from the inside.
            if DispatchQueue.getSpecific(key: isMain) == true { OperationQueue.main.addOperation(body) } else { body() }
        }
    }

    /// Marks the main queue: `DispatchQueue.main` is another object each time it is asked for on Linux.
    private static let isMain: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()
}
