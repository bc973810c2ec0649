internal import Glibc
internal import Rtnetlink
internal import Synchronization

/// A file descriptor that closes with its owner.
struct Descriptor: ~Copyable, Sendable {
    let number: CInt
    private let isAbandoned = Atomic(false)

    /// Takes what a system call returned; negative means it failed.
    init(_ number: CInt, from call: String) throws(SystemCallError) {
        guard number >= 0 else { throw SystemCallError(call) }
        self.number = number
    }

    /// Somebody else has closed it, so it is not closed again.
    func abandon() { isAbandoned.store(true, ordering: .relaxed) }

    deinit { if !isAbandoned.load(ordering: .relaxed) { close(number) } }
}
