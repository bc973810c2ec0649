internal import Glibc

/// A file descriptor that closes with its owner.
struct Descriptor: ~Copyable {
    let number: CInt

    /// Takes what a system call returned; negative means it failed.
    init(_ number: CInt, from call: String) throws(LoopError) {
        guard number >= 0 else { throw LoopError(call: call, code: errno) }
        self.number = number
    }

    deinit { close(number) }
}

/// The loop cannot be set up: descriptors or memory exhausted.
struct LoopError: Error, Hashable {
    let call: String
    let code: Int32
}
