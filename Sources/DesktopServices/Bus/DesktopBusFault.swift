internal import Glibc

/// Why nothing is heard from the bus. None of these is an error of the program: everything else works without.
package enum DesktopBusFault: Error, Equatable, Sendable {
    /// The library could not be opened, or lacks a function. It is not tried again.
    case libraryUnusable(name: String, reason: String)
    /// The address names no local socket. It is not tried again.
    case addressUnusable(String)
    /// There is no bus at the address: the socket's file does not exist.
    case noBus
    /// Connecting failed, or the connection ended, with this errno.
    case connectionFailed(errno: CInt)
    /// The bus leaves calls unanswered or refuses to pass signals on.
    case busUnusable

    /// True if no later try can help.
    package var isFinal: Bool {
        switch self {
        case .libraryUnusable, .addressUnusable: true
        case .noBus, .connectionFailed, .busUnusable: false
        }
    }
}

extension DesktopBusFault: CustomStringConvertible {
    /// One sentence for people.
    package var description: String {
        switch self {
        case .libraryUnusable(let name, let reason): "\(name) cannot be used: \(reason)"
        case .addressUnusable(let address): "“\(address)” names no local bus socket"
        case .noBus: "no bus"
        case .connectionFailed(let errno): "bus connection: \(Self.text(errno)) (errno \(errno))"
        case .busUnusable: "the bus does not answer or passes no signals on"
        }
    }

    /// The text of an errno value. Any thread.
    private static func text(_ code: CInt) -> String {
        // Sound: strerror_r writes within the 128 bytes it is told of, or answers with a constant string.
        unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) { buffer in
            guard let base = buffer.baseAddress, unsafe strerror_r(code, base, buffer.count) == 0 else {
                return "error"
            }
            return unsafe String(cString: base)
        }
    }
}
