internal import CRtnetlink
internal import Glibc
internal import Rtnetlink

/// The set of descriptors that the engine's thread sleeps on (epoll).
struct Poller: ~Copyable {
    private let descriptor: Descriptor
    private var watched: [CInt: UInt32] = [:]

    init() throws(SystemCallError) {
        descriptor = try Descriptor(epoll_create1(Int32(EPOLL_CLOEXEC)), from: "epoll_create1")
    }

    /// A descriptor that has something.
    struct Ready {
        let descriptor: CInt
        let isReadable: Bool
        let isWritable: Bool
    }

    /// Watches a descriptor for what is asked, or forgets it where nothing is.
    mutating func watch(_ number: CInt, readable: Bool, writable: Bool) {
        let events = (readable ? EPOLLIN.rawValue : 0) | (writable ? EPOLLOUT.rawValue : 0)
        var event = unsafe epoll_event()
        unsafe event.events = events
        unsafe event.data.fd = number
        let old = watched[number]
        watched[number] = events == 0 ? nil : events
        // Sound: epoll_ctl reads one epoll_event.
        if events == 0 {
            _ = unsafe epoll_ctl(descriptor.number, EPOLL_CTL_DEL, number, &event)
            return
        }
        // A descriptor that was closed and opened again under the same number has left the set by itself.
        let isKept = unsafe old != nil && epoll_ctl(descriptor.number, EPOLL_CTL_MOD, number, &event) == 0
        if !isKept { _ = unsafe epoll_ctl(descriptor.number, EPOLL_CTL_ADD, number, &event) }
    }

    /// Sleeps until a descriptor has something or the milliseconds are over; -1 is without end. Fails where the set itself
    /// was closed, or must not be slept on.
    func wait(milliseconds: Int32) throws(SystemCallError) -> [Ready] {
        let capacity = 16  // more are told by the next call
        let (ready, failure) = unsafe withUnsafeTemporaryAllocation(of: epoll_event.self, capacity: capacity) {
            buffer -> ([Ready], SystemCallError?) in
            // Sound: epoll_wait fills at most `capacity` elements and says how many.
            let count = unsafe epoll_wait(descriptor.number, buffer.baseAddress, Int32(capacity), milliseconds)
            if count < 0 { return ([], errno == EINTR ? nil : SystemCallError("epoll_wait")) }
            let ready = unsafe buffer.prefix(Int(count)).map { event in
                let troubled = EPOLLERR.rawValue | EPOLLHUP.rawValue
                return unsafe Ready(
                    descriptor: event.data.fd, isReadable: event.events & (EPOLLIN.rawValue | troubled) != 0,
                    isWritable: event.events & (EPOLLOUT.rawValue | troubled) != 0)
            }
            return (ready, nil)
        }
        if let failure { throw failure }
        return ready
    }
}
