package import Dispatch
internal import Foundation

/// One who has something to tell on a queue.
protocol Teller: AnyObject, Sendable {
    /// Called on the queue: tells what is newest now.
    func deliver()
}

/// How work comes onto a queue to post notifications there.
///
/// An observer that asked for `OperationQueue.main` is called at once if the post comes from an operation of that queue,
/// or from the main thread; from a block of `DispatchQueue.main` that another thread runs, as all do after
/// `dispatchMain()`, the post would wait for the queue that it keeps busy, for ever (swift-corelibs-foundation).
package enum NotificationPosting {
    /// Has `body` called on the queue.
    package static func async(on queue: DispatchQueue, _ body: @escaping @Sendable () -> Void) {
        if queue.isMain { return OperationQueue.main.addOperation(body) }
        // A queue whose work the main queue does is known only from the inside.
        queue.async { if DispatchQueue.isOnMain { OperationQueue.main.addOperation(body) } else { body() } }
    }

    /// The same for what a receiver of the engine has to tell; it is not kept alive for that.
    static func bring(to queue: DispatchQueue, by courier: Courier, from teller: some Teller) {
        if queue.isMain { return OperationQueue.main.addOperation { [weak teller] in teller?.deliver() } }
        courier.bring(to: queue) { [weak teller] in
            guard DispatchQueue.isOnMain else {
                teller?.deliver()
                return
            }
            OperationQueue.main.addOperation { [weak teller] in teller?.deliver() }
        }
    }
}
