import Glibc

/// A step of a test's set-up failed: which one, and what was said about it.
struct NamespaceError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }

    /// A system call that failed, with its errno.
    init(call: String, code: Int32 = errno) {
        description = "\(call): errno \(code)"
    }
}
