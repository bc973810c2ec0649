internal import Glibc

/// Why a route lookup gave no route.
package enum RouteFailure: Error, Hashable, Sendable {
    /// No route matches: ENETUNREACH, ESRCH.
    case noRoute
    /// An unreachable route or rule: EHOSTUNREACH. A lookup by interface and entry says so too where none matches.
    case unreachable
    /// A prohibit route or rule: EACCES.
    case prohibited
    /// A blackhole route or rule: EINVAL, the question being well-formed.
    case blackhole
    /// The question names an interface that is not there: ENODEV.
    case noInterface
    /// An entry matches, and is too large to be shown: EMSGSIZE. So it is with more than two hundred next hops
    /// (net/ipv4/route.c answers into one buffer of a page).
    case tooLargeToShow
    /// The kernel did not take the question, for lack of memory, descriptors or permission: this says nothing about
    /// routes. Carries the errno.
    case notAnswered(Int32)

    /// What an error number of RTM_GETROUTE means (net/ipv4/fib_semantics.c fib_props, net/ipv6/route.c).
    package init(errno code: Int32) {
        self =
            switch code {
            case ENETUNREACH, ESRCH, EAGAIN: .noRoute  // EAGAIN: a throw route with nothing behind it
            case EHOSTUNREACH: .unreachable
            case EACCES: .prohibited
            case EINVAL: .blackhole
            case ENODEV: .noInterface
            case EMSGSIZE: .tooLargeToShow
            default: .notAnswered(code)
            }
    }
}
