package import InternetProtocol

/// What is known of a name.
package enum NameAnswer: Hashable, Sendable {
    case notKnownYet
    case addresses([IPAddress])
    case failed(ReachabilityReason)
}
