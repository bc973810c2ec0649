internal import Glibc
internal import Rtnetlink
internal import Synchronization

/// A file descriptor that closes with its owner.
struct Descriptor: ~Copyable, Sendable {
    let number: CInt
    private let abandoned = Atomic(false)

    /// Takes what a system call returned; negative means it failed.
    init(_ number: CInt, from call: String) throws(SystemCallError) {
        guard number >= 0 else { throw SystemCallError(call) }
        self.number = number
    }

    /// Somebody else has closed it, so it is not closed again.
    func abandon() { abandoned.store(true, ordering: .relaxed) }

    var isAbandoned: Bool { abandoned.load(ordering: .relaxed) }

    /// Takes what a timerfd counts; false if it has not expired.
    func takeExpirations() -> Bool {
        var count: UInt64 = 0
        // Sound: a timerfd yields eight bytes.
        return unsafe read(number, &count, MemoryLayout<UInt64>.size) > 0
    }

    deinit { if !isAbandoned { close(number) } }
}
