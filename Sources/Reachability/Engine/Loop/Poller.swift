internal import CRtnetlink
internal import Glibc
internal import Rtnetlink

/// The set of descriptors that the engine's threads sleep on (epoll). Any thread.
final class Poller: Sendable {
    /// Wakes who sleeps here. It stays open for as long as anybody does, since a wake by what was closed is lost.
    let waker: Waker
    private let descriptor: Descriptor

    init() throws(SystemCallError) {
        waker = try Waker()
        descriptor = try Descriptor(epoll_create1(Int32(EPOLL_CLOEXEC)), from: "epoll_create1")
        try watch(waker.number, readable: true, writable: false, once: true)
    }

    /// Its descriptors were closed by somebody else: they are not to be closed again, since their numbers may have been given
    /// to others meanwhile.
    func abandon() {
        descriptor.abandon()
        waker.abandon()
    }

    /// A descriptor that has something.
    struct Ready: Sendable {
        let descriptor: CInt
        let isReadable: Bool
        let isWritable: Bool
    }

    /// Watches a descriptor for what is asked, or forgets it where nothing is.
    ///
    /// One that is emptied whenever it is looked at can be told once each time something comes (`EPOLLET`), which wakes
    /// one thread; of the others all who sleep are told for as long as there is something.
    /// Fails where the host has no room for another, or if it is nothing that can be waited for.
    func watch(_ number: CInt, readable: Bool, writable: Bool, once: Bool = false) throws(SystemCallError) {
        let directions = (readable ? EPOLLIN.rawValue : 0) | (writable ? EPOLLOUT.rawValue : 0)
        var event = unsafe epoll_event()
        unsafe event.events = directions | (once ? EPOLLET.rawValue : 0)
        unsafe event.data.fd = number
        // Sound, all three: epoll_ctl reads one epoll_event.
        guard directions != 0 else {
            _ = unsafe epoll_ctl(descriptor.number, EPOLL_CTL_DEL, number, &event)
            return
        }
        // One that was closed and opened again under the same number has left the set by itself.
        if unsafe epoll_ctl(descriptor.number, EPOLL_CTL_MOD, number, &event) == 0 { return }
        guard unsafe epoll_ctl(descriptor.number, EPOLL_CTL_ADD, number, &event) == 0 else {
            throw SystemCallError("epoll_ctl")
        }
    }

    /// Sleeps until a descriptor has something; nil if a signal has come instead. Of several that have something each is
    /// told by a call of its own. Fails where the set itself was closed, or must not be slept on.
    func wait() throws(SystemCallError) -> Ready? {
        var event = unsafe epoll_event()
        // Sound: epoll_wait fills at most one epoll_event, and says whether it did.
        let count = unsafe epoll_wait(descriptor.number, &event, 1, -1)
        guard count > 0 else {
            if count == 0 || errno == EINTR { return nil }
            throw SystemCallError("epoll_wait")
        }
        let troubled = EPOLLERR.rawValue | EPOLLHUP.rawValue
        return unsafe Ready(
            descriptor: event.data.fd, isReadable: event.events & (EPOLLIN.rawValue | troubled) != 0,
            isWritable: event.events & (EPOLLOUT.rawValue | troubled) != 0)
    }

    /// Sleeps where not even a set can be had.
    static func sleepBlindly(milliseconds: Int32) {
        _ = poll(nil, 0, milliseconds)
    }
}
