/// Why something is no socket address.
public struct SocketAddressError: Error, Hashable, Sendable {
    /// What was wrong, with the input it was wrong in.
    public enum Problem: Hashable, Sendable {
        /// The text is neither an IPv4 nor an IPv6 address.
        case text(String)
        /// The text after the address is no port.
        case port(String, text: String)
        /// No interface has the name after `%`.
        case scope(String, text: String)
        /// A `sockaddr` of another family than AF_INET and AF_INET6, the number given.
        case family(Int32)
        /// A `sockaddr` whose length in bytes cannot be, for its family where that could be read.
        case length(Int, family: Int32?)
    }

    /// What was wrong.
    public let problem: Problem

    init(_ problem: Problem) { self.problem = problem }
}

extension SocketAddressError: CustomStringConvertible {
    /// One sentence for people, without a full stop.
    public var description: String {
        switch problem {
        case .text(let text):
            "\"\(text)\" is not an IPv4 or IPv6 address"
        case .port(let port, let text):
            "\"\(text)\" has the port \"\(port)\", which is not a number from 0 to 65535"
        case .scope(let scope, let text):
            "\"\(text)\" names the interface \"\(scope)\", which does not exist"
        case .family(let family):
            "a socket address of family \(family) is neither IPv4 (2) nor IPv6 (10)"
        case .length(let length, let family?):
            "a socket address of family \(family) cannot be \(length) bytes long"
        case .length(let length, nil):
            "a socket address cannot be \(length) bytes long"
        }
    }
}
