internal import InternetProtocol

/// What came of asking for a name's addresses in one family.
enum FamilyAnswer: Hashable, Sendable {
    /// Never empty. The time to live is that of the record that runs out first.
    case addresses([IPAddress], timeToLive: Duration)
    /// The name does not exist, or has no address in this family.
    case notFound
    case timeout
    case failed(CaresStatus)
    case noResolver
    /// The channel was closed; nobody is told.
    case cancelled

    /// The answer that a status other than success is (Rules.md, "A name").
    init(_ status: CaresStatus) {
        switch status {
        case .noData, .notFound, .badName, .noName: self = .notFound
        case .timeout: self = .timeout
        case .noServer: self = .noResolver
        case .cancelled, .destruction: self = .cancelled
        default: self = .failed(status)
        }
    }

    /// The answer that these records are; none of them is no data. Of a family's addresses the first are kept.
    init(addresses: [IPAddress], secondsToLive: UInt32) {
        var unique: [IPAddress] = []
        for address in addresses where unique.count < LookupOutcome.addressLimit && !unique.contains(address) {
            unique.append(address)
        }
        self = unique.isEmpty ? .notFound : .addresses(unique, timeToLive: .seconds(secondsToLive))
    }
}
