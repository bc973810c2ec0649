package import InternetProtocol

/// How a lookup of a name ended. One that was cancelled has no outcome: nobody is told.
package enum LookupOutcome: Hashable, Sendable {
    /// The name's addresses, both families, IPv4 first, each once, in the order of the answer; never empty.
    ///
    /// The time to live is that of the record that runs out first, aliases too; nil for an answer of the hosts file
    /// and for localhost, which hold until the configuration changes.
    case addresses([IPAddress], timeToLive: Duration?)
    /// Addresses of one family, as above; asking for those of the other failed, so that nothing is known of them.
    case partial([IPAddress], timeToLive: Duration, missing: IPAddress.Family)
    /// The name does not exist, or has no address in either family: an answer, not a failure.
    case notFound
    /// No server answered in the time the configuration gives.
    case timeout
    /// A server refused, failed or talked nonsense, or none could be reached. The code is c-ares' (ares.h).
    case failed(code: Int32, text: String)
    /// No server is configured.
    case noResolver

    /// The most addresses of a family that are kept: each costs a route lookup whenever a route changes, and an answer
    /// over TCP could hold 4,000. Published names have at most a dozen.
    package static let addressLimit = 64
}
