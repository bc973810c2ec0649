internal import Glibc

/// A system call that failed: which one, for what, and its errno.
package struct SystemCallError: Error, Hashable, Sendable, CustomStringConvertible {
    package let call: String
    package let code: Int32

    package init(_ call: String, code: Int32 = Glibc.errno) {
        self.call = call
        self.code = code
    }

    package var description: String {
        // Sound: strerror returns a valid C string for every number.
        let text = unsafe strerror(code).map { unsafe String(cString: $0) } ?? "error"
        return "\(call): \(text) (errno \(code))"
    }
}
