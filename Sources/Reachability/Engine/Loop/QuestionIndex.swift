package import InternetProtocol

/// Finds the targets that asked about an address within a prefix.
package struct QuestionIndex<ID: Hashable & Sendable>: Sendable {
    private var entries: [(address: IPAddress, id: ID)] = []

    package init() {}

    /// An index of what each target asked about.
    package init(_ questions: some Sequence<(id: ID, destinations: Set<IPAddress>)>) {
        for (id, destinations) in questions {
            for address in destinations { entries.append((address, id)) }
        }
        entries.sort { $0.address < $1.address }
    }

    /// The targets with a question inside one of the prefixes. Costs a binary search a prefix, and the hits.
    package func targets(within prefixes: [AddressPrefix]) -> [ID] {
        var found: [ID] = []
        // Most changes are one message, and are somebody's wait.
        for prefix in prefixes.count > 1 ? Array(Set(prefixes)) : prefixes {
            let last = prefix.last
            var position = entries.firstPosition { $0.address < prefix.address }
            while position < entries.count, !(last < entries[position].address) {
                let id = entries[position].id
                if id != found.last { found.append(id) }
                position += 1
            }
        }
        return found.count > 1 ? Array(Set(found)) : found
    }
}

extension Array {
    /// The first position in a sorted array whose element is not before what is looked for.
    func firstPosition(notBefore isBefore: (Element) -> Bool) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = low + (high - low) / 2
            if isBefore(self[middle]) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
