import Glibc
import Rtnetlink
import Testing

@testable import Reachability

/// The set that the engine's threads sleep on, with descriptors that are ready before anybody sleeps.
@Suite struct PollerTests {
    private let poller: Poller

    init() throws { poller = try Poller() }

    @Test func eachThatHasSomethingIsToldOnceByACallOfItsOwn() throws {
        let wakers = try [Waker(), Waker(), Waker()]
        for waker in wakers {
            try poller.watch(waker.number, readable: true, writable: false, once: true)
            waker.wake()
        }
        let ready = try wakers.map { _ in try poller.wait()?.descriptor }
        #expect(Set(ready) == Set(wakers.map(\.number)))
        // Unread all of them, and told no more: the next call hears of what comes next.
        poller.waker.wake()
        #expect(try poller.wait()?.descriptor == poller.waker.number)
    }

    @Test func whatCannotBeWaitedForIsRefused() throws {
        let file = unsafe open("/proc/self/exe", O_RDONLY)
        defer { close(file) }
        let error = #expect(throws: SystemCallError.self) {
            try poller.watch(file, readable: true, writable: false)
        }
        #expect(error?.code == EPERM && error?.call == "epoll_ctl")
    }

    /// A number may be watched as another's at once, without a word that the first is gone.
    @Test func aNumberThatIsAnothersIsWatchedAnew() throws {
        let (first, other) = try (Waker(), Waker())
        try poller.watch(first.number, readable: true, writable: false, once: true)
        #expect(dup2(other.number, first.number) == first.number)
        try poller.watch(first.number, readable: true, writable: false, once: true)
        other.wake()
        #expect(try poller.wait()?.descriptor == first.number)
    }
}
