internal import InternetProtocol

/// Addresses to be looked up in. Sorted: they are compared faster than they are hashed.
struct AddressIndex: Equatable, Sendable {
    private var addresses: [IPAddress] = []

    init() {}

    init(_ addresses: Set<IPAddress>) { self.addresses = addresses.sorted() }

    func contains(_ address: IPAddress) -> Bool {
        let position = addresses.firstPosition { $0 < address }
        return position < addresses.count && addresses[position] == address
    }
}
