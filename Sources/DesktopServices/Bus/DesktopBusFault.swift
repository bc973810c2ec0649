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
        case .connectionFailed(let errno): "bus connection failed, errno \(errno)"
        case .busUnusable: "the bus does not answer or passes no signals on"
        }
    }
}
