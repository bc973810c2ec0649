internal import Glibc
internal import Rtnetlink

/// What the engine's thread sleeps on: descriptors of others, its waker, and the watch for resumes.
struct SleepSet: ~Copyable {
    private var poller: Poller
    private var resume: ResumeWatch
    let waker: Waker

    init() throws(SystemCallError) {
        var poller = try Poller()
        let waker = try Waker()
        let resume = try ResumeWatch()
        poller.watch(waker.number, readable: true, writable: false)
        poller.watch(resume.number, readable: true, writable: false)
        self.poller = poller
        self.resume = resume
        self.waker = waker
    }

    mutating func watch(_ descriptor: Int32, readable: Bool, writable: Bool) {
        poller.watch(descriptor, readable: readable, writable: writable)
    }

    /// What a sleep ended with.
    struct Awakening {
        /// Descriptors of others that have something.
        var ready: [Poller.Ready] = []
        /// The host slept meanwhile.
        var isResume = false
    }

    /// Sleeps until something happens or the time is over; -1 is without end.
    mutating func sleep(milliseconds: Int32) throws(SystemCallError) -> Awakening {
        var awakening = Awakening()
        for ready in try poller.wait(milliseconds: milliseconds) {
            switch ready.descriptor {
            case waker.number: waker.clear()
            case resume.number: awakening.isResume = resume.hasSlept()
            default: awakening.ready.append(ready)
            }
        }
        return awakening
    }

    /// Sleeps where not even a poll set can be had.
    static func sleepBlindly(milliseconds: Int32) {
        _ = poll(nil, 0, milliseconds)
    }
}
