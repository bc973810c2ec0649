internal import NameResolution

/// Why something is no target.
public struct ReachabilityTargetError: Error, Hashable, Sendable {
    /// What was wrong, with the input it was wrong in.
    public enum Problem: Hashable, Sendable {
        /// A pair with neither end.
        case emptyPair
        /// A pair of an IPv4 and an IPv6 address.
        case mixedPair(local: SocketAddress, remote: SocketAddress)
        /// Text that is no host name, and one sentence that says why.
        case name(String, why: String)
        /// Text or a `sockaddr` that is no address.
        case address(SocketAddressError)
        /// A URL without a host.
        case urlWithoutHost(String)
    }

    /// What was wrong.
    public let problem: Problem

    init(_ problem: Problem) { self.problem = problem }
}

extension ReachabilityTargetError: CustomStringConvertible {
    /// One sentence for people, without a full stop.
    public var description: String {
        switch problem {
        case .emptyPair: "a pair needs a local or a remote address"
        case .mixedPair(let local, let remote):
            "a pair cannot mix the families of \(local) and \(remote)"
        case .name(_, let why): why
        case .address(let error): error.description
        case .urlWithoutHost(let url): "\"\(url)\" is a URL without a host; a host name alone is a domain"
        }
    }
}

extension ReachabilityTargetError {
    /// The kind of target that was meant.
    var kind: ReachabilityTarget.Kind {
        switch problem {
        case .emptyPair, .mixedPair: .pair
        case .name, .urlWithoutHost: .name
        case .address: .address
        }
    }

    /// What was meant to be the target.
    var input: String {
        switch problem {
        case .emptyPair: ","
        case .mixedPair(let local, let remote): "\(local),\(remote)"
        case .name(let name, _): name
        case .urlWithoutHost(let url): url
        case .address(let error): error.description
        }
    }

    /// Why such a target is not reachable.
    package var reason: ReachabilityReason {
        switch kind {
        case .name: .nameNotFound
        case .pair: .notLocal
        case .address, .default: .noRoute
        }
    }
}
