package import InternetProtocol
package import Rtnetlink

/// The answer about a target: the one value that managers, flags, paths, drop-ins and JSON are made from.
package struct Report: Hashable, Sendable {
    package var flags: ReachabilityFlags
    /// Why the target is not reachable, or why nothing is known; nil if it is reachable or was not asked yet.
    package var reason: ReachabilityReason?
    /// The interface that packets leave by.
    package var interface: NetworkInterface? { didSet { interfaceType = interface?.type } }
    package var gateway: IPAddress?
    package var source: IPAddress?
    /// The addresses of a name; empty for any other target.
    package var addresses: [IPAddress] = []
    /// False for a name that no answer came for yet.
    package var isKnown = true
    /// The link under the tunnel that packets leave by, where it is known; nil if they leave by no tunnel.
    package var underlying: NetworkInterface? { didSet { underlyingType = underlying?.type } }
    /// True if packets leave by a tunnel whose own packets have no way out.
    package var lacksUnderlyingPath = false

    /// What the report of a path says besides; nil for any other target.
    package var path: PathFacts?

    // Two interfaces are equal whatever their types; two reports are not. A bond may come to run on another kind of link.
    private var interfaceType: NetworkInterface.InterfaceType?
    private var underlyingType: NetworkInterface.InterfaceType?

    package init(flags: ReachabilityFlags = [], reason: ReachabilityReason? = nil) {
        self.flags = flags
        self.reason = reason
    }

    /// Nothing is known yet, and nothing went wrong.
    package static var notKnownYet: Report {
        var report = Report()
        report.isKnown = false
        return report
    }

    package var status: ReachabilityStatus {
        isKnown && reason?.isFault != true ? ReachabilityStatus(flags) : .unknown
    }

    /// Not reachable, with the reason and nothing on links: only `linkDown` and `noSourceAddress` have more to say.
    static func failed(_ reason: ReachabilityReason) -> Report { Report(reason: reason) }
}

extension ReachabilityReason {
    /// The reason that a failed route lookup is.
    package init(_ failure: RouteFailure) {
        self =
            switch failure {
            case .noRoute, .noInterface: .noRoute
            case .unreachable: .unreachableRoute
            case .prohibited: .prohibited
            case .blackhole: .blackhole
            // An entry, where a packet's way is all that the answer needs: that one is never too large.
            case .tooLargeToShow: .kernelUnavailable
            case .notAnswered(let code): code == Errno.operationNotPermitted ? .notPermitted : .kernelUnavailable
            }
    }

    private enum Errno {
        static let operationNotPermitted: Int32 = 1  // EPERM, asm-generic/errno-base.h
    }
}
