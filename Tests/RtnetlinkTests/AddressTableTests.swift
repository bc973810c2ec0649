import InternetProtocol
import Rtnetlink
import Testing

@Suite struct AddressTableTests {
    private let first = InterfaceIndex(3)
    private let second = InterfaceIndex(4)

    private func entry(
        _ text: String, _ interface: InterfaceIndex, length: Int = 24, flags: InterfaceAddress.Flags = [.permanent]
    ) throws -> InterfaceAddress {
        InterfaceAddress(
            interface: interface, address: try #require(IPAddress(text)), prefixLength: length, flags: flags)
    }

    @Test func addingSaysWhetherItIsNews() throws {
        var table = AddressTable()
        let address = try entry("2001:db8::1", first, length: 64, flags: [.tentative])
        var ready = address
        ready.flags = [.permanent]
        let answers = [address, address, ready].map { table.insert($0) }
        #expect(answers == [true, false, true], "other flags are news")
        #expect(table[first] == [ready])
    }

    @Test func removingSaysWhetherItWasThere() throws {
        var table = AddressTable([try entry("192.0.2.1", first)])
        let others = [try entry("192.0.2.1", second), try entry("192.0.2.1", first, length: 25)]
        // Flags may have changed since: the address is the same.
        let answers = (others + [try entry("192.0.2.1", first, flags: [.deprecated])]).map { table.remove($0) }
        #expect(answers == [false, false, true])
        #expect(table[first].isEmpty)
    }

    /// As a concentrator has one for each of its callers (net/ipv4/devinet.c); of IPv6 there is only one of each.
    @Test func oneIPv4AddressMayStandWithSeveralPeers() throws {
        var (one, other) = (try entry("192.0.2.1", first, length: 32), try entry("192.0.2.1", first, length: 32))
        one.peer = IPAddress("192.0.2.2")
        other.peer = IPAddress("192.0.2.3")
        var table = AddressTable([one])
        let isNews = table.insert(other)
        #expect(isNews && table[first] == [one, other])
        table.remove(other)
        #expect(table.owners(of: one.address) == [first])

        var v6 = try entry("2001:db8::1", first, length: 128)
        table = AddressTable([v6])
        v6.peer = IPAddress("2001:db8::2")
        table.insert(v6)
        #expect(table[first] == [v6])
    }

    @Test func oneAddressMayStandTwiceWithSeveralLengths() throws {
        var table = AddressTable([try entry("192.0.2.1", first, length: 24), try entry("192.0.2.1", first, length: 32)])
        #expect(table[first].map(\.prefixLength) == [24, 32])
        table.remove(try entry("192.0.2.1", first, length: 24))
        #expect(table.owners(of: try #require(IPAddress("192.0.2.1"))) == [first])
    }

    @Test func ownersAreThoseThatMayUseTheAddress() throws {
        let address = try #require(IPAddress("fe80::1"))
        let table = AddressTable([
            try entry("fe80::1", second, length: 64), try entry("fe80::1", first, length: 64),
            try entry("fe80::1", InterfaceIndex(5), length: 64, flags: [.tentative]),
            try entry("fe80::1", InterfaceIndex(6), length: 64, flags: [.duplicate]),
        ])
        #expect(table.owners(of: address) == [first, second])
        #expect(table.owns(address, on: first) && !table.owns(address, on: InterfaceIndex(5)))
        #expect(table.owners(of: .unspecified(.v6)).isEmpty && !table.owns(address, on: InterfaceIndex(9)))
        #expect(table.interfacesWithLinkLocalIPv6 == [first, second])
    }

    @Test func linkLocalIPv4AndGlobalAddressesAreNoLinkLocalIPv6() throws {
        let table = AddressTable([try entry("169.254.1.1", first), try entry("2001:db8::1", second, length: 64)])
        #expect(table.interfacesWithLinkLocalIPv6.isEmpty)
    }

    @Test func anInterfaceTakesItsAddressesAlong() throws {
        var table = AddressTable([try entry("192.0.2.1", first), try entry("192.0.2.2", second)])
        table.removeAll(of: first)
        #expect(table[first].isEmpty && table[second].count == 1)
    }

    @Test func theOrderIsFixed() throws {
        let entries = try ["2001:db8::1", "192.0.2.9", "192.0.2.1"].map { try entry($0, first) }
        #expect(AddressTable(entries)[first].map(\.address.description) == ["192.0.2.1", "192.0.2.9", "2001:db8::1"])
        #expect(AddressTable(entries) == AddressTable(entries.reversed()))
    }
}
