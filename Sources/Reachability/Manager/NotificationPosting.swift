internal import Dispatch
internal import Foundation

/// One who has something to tell on a queue.
protocol Notifier: AnyObject, Sendable {
    /// Called on the queue: tells what is newest now.
    func deliver()
}

/// How work comes onto a queue to post notifications there.
///
/// An observer that asked for `OperationQueue.main` is called at once if the post comes from an operation of that queue,
/// or from the main thread; from a block of `DispatchQueue.main` that another thread runs, as all do after
/// `dispatchMain()`, the post would wait for the queue that it keeps busy, for ever (swift-corelibs-foundation).
package enum NotificationPosting {
    /// Has `body` called on the main queue.
    package static func onMain(_ body: @escaping @Sendable () -> Void) { OperationQueue.main.addOperation(body) }

    /// Has what a receiver of the engine has to tell brought to the queue; it is not kept alive for that.
    static func bring(to queue: DispatchQueue, by courier: Courier, from notifier: some Notifier) {
        guard !queue.isMain else { return onMain { [weak notifier] in notifier?.deliver() } }
        courier.bring(to: queue) { [weak notifier] in
            guard let notifier else { return }
            // A queue whose work the main queue does is known only from the inside.
            if DispatchQueue.isOnMain { onMain { [weak notifier] in notifier?.deliver() } } else { notifier.deliver() }
        }
    }
}
