package import InternetProtocol
package import NameResolution
package import Timing

/// Asks for names, one lookup at a time for each. Belongs to the engine's thread.
package protocol NameLookups: AnyObject {
    /// False if a change of the resolver's configuration goes unseen.
    var isConfigurationWatched: Bool { get }
    /// The name servers that are configured now, in the order in which they are asked.
    var nameservers: [Nameserver] { get }
    /// Begins a lookup. `early` is told the addresses of one family where the other's are long in coming; `completion`
    /// is told the outcome once, unless the lookup is cancelled. Neither is called from inside this.
    func lookUp(
        _ name: HostName, early: @escaping ([IPAddress]) -> Void, completion: @escaping (LookupOutcome) -> Void
    ) -> LookupTicket
    func cancel(_ ticket: LookupTicket)
    /// A descriptor has something. True if the configuration changed: lookups under way are gone, and nobody is told.
    func process(_ descriptor: Int32, readable: Bool, writable: Bool, now: Instant) -> Bool
    /// Does what is due. True if the configuration changed, as for `process`.
    func timePassed(now: Instant) -> Bool
    /// When something will be due.
    func deadline(now: Instant) -> Instant?
    /// Gives up everything under way and all descriptors.
    func close()
}

/// A lookup under way.
package struct LookupTicket: Hashable, Sendable {
    package let number: UInt64

    package init(number: UInt64) { self.number = number }
}
