package import InternetProtocol
package import Rtnetlink

/// What an evaluation comes to: a report in plain memory, with indexes for links.
///
/// It is handed up through many a return, which for a report would mean to count the references of its names each time;
/// a live read of flags needs no more than this.
package struct Verdict: Equatable, Sendable {
    package var flags: ReachabilityFlags
    package var reason: ReachabilityReason?
    package var isKnown = true
    /// The link that packets leave by.
    package var egress: InterfaceIndex?
    package var gateway: IPAddress?
    package var source: IPAddress?
    /// The link under a tunnel, as `Report.underlying`.
    package var underlying: InterfaceIndex?
    package var lacksUnderlyingPath = false

    package init(flags: ReachabilityFlags = [], reason: ReachabilityReason? = nil) {
        self.flags = flags
        self.reason = reason
    }

    /// Nothing is known yet, and nothing went wrong.
    static var notKnownYet: Verdict {
        var verdict = Verdict()
        verdict.isKnown = false
        return verdict
    }

    /// Not reachable, with the reason and nothing on links: only `linkDown` and `noSourceAddress` have more to say.
    static func failed(_ reason: ReachabilityReason) -> Verdict { Verdict(reason: reason) }
}
