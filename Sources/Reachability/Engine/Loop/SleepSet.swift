internal import Glibc
internal import Rtnetlink

/// What the engine sleeps on: descriptors of others, a waker, its deadline, and the watch for resumes.
struct SleepSet: ~Copyable {
    let poller: Poller
    private var deadline: Deadline
    private var resume: ResumeWatch

    init() throws(SystemCallError) {
        let poller = try Poller()
        let deadline = try Deadline()
        let resume = try ResumeWatch()
        for number in [deadline.number, resume.number] {
            try poller.watch(number, readable: true, writable: false, once: true)
        }
        self.poller = poller
        self.deadline = deadline
        self.resume = resume
    }

    /// As `Poller.abandon`, for all that the set is made of.
    func abandon() {
        poller.abandon()
        deadline.abandon()
        resume.abandon()
    }

    /// Sets how long to sleep at most; -1 is without end.
    mutating func setDeadline(milliseconds: Int32) { deadline.set(milliseconds: milliseconds) }

    /// What a descriptor that has something stands for.
    enum Sign {
        /// Somebody has left a command, or moved the clock.
        case call
        /// The time is over.
        case time
        /// The host slept meanwhile.
        case resume
        /// The wall clock was set.
        case nothing
        /// A descriptor of others.
        case other
    }

    /// Tells what a descriptor stands for, and empties it if it is the set's own.
    mutating func sign(of ready: Poller.Ready) -> Sign {
        switch ready.descriptor {
        case poller.waker.number:
            poller.waker.clear()
            return .call
        case deadline.number:
            deadline.clear()
            return .time
        case resume.number: return resume.hasSlept() ? .resume : .nothing
        default: return .other
        }
    }
}
