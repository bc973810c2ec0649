internal import Glibc
internal import Rtnetlink

/// A file descriptor that closes with its owner.
struct Descriptor: ~Copyable {
    let number: CInt

    /// Takes what a system call returned; negative means it failed.
    init(_ number: CInt, from call: String) throws(SystemCallError) {
        guard number >= 0 else { throw SystemCallError(call) }
        self.number = number
    }

    deinit { close(number) }
}
