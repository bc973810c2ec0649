package import Dispatch
internal import Foundation

/// How work comes onto a queue to post notifications there.
///
/// An observer that asked for `OperationQueue.main` is called at once if the post comes from an operation of that queue,
/// or from the main thread; from a block of `DispatchQueue.main` that another thread runs, as all do after
/// `dispatchMain()`, the post would wait for the queue that it keeps busy, for ever (swift-corelibs-foundation).
package enum NotificationPosting {
    /// Has `body` called on the queue.
    package static func async(on queue: DispatchQueue, _ body: @escaping @Sendable () -> Void) {
        if queue.isMain { OperationQueue.main.addOperation(body) } else { queue.async(execute: there(body)) }
    }

    /// The same for what a receiver of the engine has to tell.
    static func bring(to queue: DispatchQueue, by courier: Courier, _ body: @escaping @Sendable () -> Void) {
        if queue.isMain { OperationQueue.main.addOperation(body) } else { courier.bring(to: queue, there(body)) }
    }

    /// A queue whose work the main queue does is known only from the inside.
    private static func there(_ body: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        { if DispatchQueue.isOnMain { OperationQueue.main.addOperation(body) } else { body() } }
    }
}
