internal import InternetProtocol

/// Addresses to be looked up in. Sorted: they are compared faster than they are hashed.
struct AddressIndex: Equatable, Sendable {
    private var addresses: [IPAddress] = []

    init() {}

    init(_ addresses: Set<IPAddress>) { self.addresses = addresses.sorted() }

    func contains(_ address: IPAddress) -> Bool {
        var low = 0
        var high = addresses.count
        while low < high {
            let middle = (low + high) / 2
            if addresses[middle] == address { return true }
            if addresses[middle] < address { low = middle + 1 } else { high = middle }
        }
        return false
    }
}
