package import InternetProtocol

/// What is known of a name.
package enum NameKnowledge: Sendable {
    /// Not asked yet, or asked and still within the time the first result may take.
    case unknown
    /// Its addresses, never empty, best first only where the server put them so.
    case addresses([IPAddress])
    /// It does not exist, or has no address.
    case notFound
    /// It could not be looked up, and never could before.
    case failed(Reason)

    /// Why a name could not be looked up.
    package enum Reason: Hashable, Sendable {
        /// No server answered, or the first result took longer than it may.
        case timeout
        /// A server refused, failed or talked nonsense, or none could be reached.
        case failed
        /// No server is configured.
        case noResolver
    }
}

extension NameKnowledge: Equatable {
    /// Addresses compare as sets: servers rotate them, and that is no news (Rules.md, "A name").
    package static func == (a: NameKnowledge, b: NameKnowledge) -> Bool {
        switch (a, b) {
        case (.unknown, .unknown), (.notFound, .notFound): true
        case (.addresses(let a), .addresses(let b)): a == b || Set(a) == Set(b)
        case (.failed(let a), .failed(let b)): a == b
        default: false
        }
    }
}
