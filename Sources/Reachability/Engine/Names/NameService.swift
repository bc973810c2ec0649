package import NameResolution

/// Keeps what is known of names up to date. Belongs to the engine's thread.
package protocol NameService: AnyObject {
    /// Begins to look a name up, and keeps at it until it is forgotten.
    func watch(_ name: HostName, now: ContinuousClock.Instant)
    func forget(_ name: HostName)
    /// The default path is another: what failed may succeed, and what is known may have changed.
    func defaultPathChanged(now: ContinuousClock.Instant)
    /// A descriptor that the service had the loop watch has something.
    func process(_ descriptor: Int32, readable: Bool, writable: Bool, now: ContinuousClock.Instant)
    /// Does what is due.
    func timePassed(now: ContinuousClock.Instant)
    /// When something will be due.
    func deadline(now: ContinuousClock.Instant) -> ContinuousClock.Instant?
    /// The name servers that are configured now, in the order in which they are asked.
    var nameservers: [Nameserver] { get }
    /// The answers since the last call.
    func takeAnswers() -> [(name: HostName, answer: NameAnswer)]
    /// Gives up everything under way and all descriptors.
    func close()
}
