import CFloor
import Dispatch
import Foundation

/// A thread that blocks in recv on route messages and does nothing else: the floor.
///
/// It has to be gone before anything else is measured, since it would be woken by every change as well.
struct BareListener {
    private let ended = DispatchSemaphore(value: 0)

    /// `told` is called on the thread with the time of each message, and whether something was taken away.
    init(told: @escaping @Sendable (_ time: UInt64, _ isRemoval: Bool) -> Void) {
        let socket = floor_open_routes()
        Thread.detachNewThread { [ended] in
            var isRemoval: Int32 = 0
            while true {
                let time = floor_wait(socket, &isRemoval)
                if time == 0 { break }
                told(time, isRemoval != 0)
            }
            close(socket)
            ended.signal()
        }
    }

    /// Waits for its end, which comes a moment after the last message.
    func join() { ended.wait() }
}
