/// Why a `NetworkReachability` was not made, or does not do what was asked of it.
///
/// `kernel` apart, these are what SCNetworkReachability calls an invalid argument (1002);
/// Rules.md, "NetworkReachability".
public enum NetworkReachabilityError: Error, Hashable, Sendable {
    /// The name is empty.
    case emptyName
    /// Neither a name nor an address was given.
    case noTarget
    /// A name was given beside an address.
    case nameBesideAddress
    /// No interface has the name.
    case noSuchInterface(String)
    /// It is scheduled already: on a queue, or on a run loop where a queue was asked for.
    case alreadyScheduled
    /// It is not scheduled there.
    case notScheduled
    /// The kernel cannot be asked.
    case kernel(ReachabilityError)
}

extension NetworkReachabilityError: CustomStringConvertible {
    /// One sentence for people, without a full stop.
    public var description: String {
        switch self {
        case .emptyName: "a host name cannot be empty"
        case .noTarget: "a target needs a name, a local or a remote address"
        case .nameBesideAddress: "a target is a name or addresses, not both"
        case .noSuchInterface(let name): "no interface is called \"\(name)\""
        case .alreadyScheduled: "it is scheduled already"
        case .notScheduled: "it is not scheduled there"
        case .kernel(let error): error.description
        }
    }
}
