package import NameResolution
package import Timing

/// Keeps what is known of names up to date. Belongs to the engine's thread.
package protocol NameService: AnyObject {
    /// Begins to look a name up, and keeps at it until it is forgotten.
    func watch(_ name: HostName, now: Instant)
    func forget(_ name: HostName)
    /// The default path is another: what failed may succeed, and what is known may have changed.
    func defaultPathChanged(now: Instant)
    /// A descriptor that the service had the loop watch has something.
    func process(_ descriptor: Int32, readable: Bool, writable: Bool, now: Instant)
    /// Does what is due.
    func timePassed(now: Instant)
    /// When something will be due.
    func deadline(now: Instant) -> Instant?
    /// The name servers that are configured now, in the order in which they are asked.
    var nameservers: [Nameserver] { get }
    /// The answers since the last call.
    func takeAnswers() -> [(name: HostName, answer: NameAnswer)]
    /// Gives up everything under way and all descriptors.
    func close()
}
