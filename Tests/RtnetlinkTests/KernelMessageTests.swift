import InternetProtocol
import Rtnetlink
import Testing

/// What a real kernel says is understood; the messages and the commands that led to them: `Scripts/capture-messages`.
@Suite struct KernelMessageTests {
    private let eth0 = InterfaceIndex(3)

    private func address(_ text: String) throws -> IPAddress { try #require(IPAddress(text)) }

    private func lookup(_ hex: String) throws -> Route {
        let found = messages(in: bytes(hex: hex))
        #expect(found.isWhole && found.messages.count == 1)
        let message = try #require(found.messages.first)
        #expect(message.header.type == .newRoute)
        return try #require(decoded(message.payload) { Route($0) })
    }

    @Test func aLinkThatIsUp() throws {
        let changes = changes(in: bytes(hex: KernelMessages.linkChanged))
        guard case .link(let message)? = changes.first else {
            Issue.record("\(changes)")
            return
        }
        #expect(message.isComplete && message.index == eth0 && message.flags.isLive)
        let link = try #require(message.apply(to: nil))
        #expect(link.name == "eth0" && link.driver?.rawValue == "veth" && link.hardwareType == .ethernet)
        #expect(link.hardwareAddress == [2, 0, 0, 0, 0, 1] && link.lower == InterfaceIndex(2) && link.master == nil)
    }

    @Test func aLinkThatJoinedABridge() {
        guard case .link(let message)? = changes(in: bytes(hex: KernelMessages.enslaved)).first else {
            Issue.record("no link")
            return
        }
        #expect(message.name == "p0" && message.master == InterfaceIndex(4))
    }

    @Test func aBridgesWordsOnItsPortsAreNoChange() {
        #expect(changes(in: bytes(hex: KernelMessages.bridgePortAdded)).isEmpty)
        #expect(changes(in: bytes(hex: KernelMessages.bridgePortRemoved)).isEmpty)
        #expect(changes(in: bytes(hex: KernelMessages.linkRemoved)) == [.linkRemoved(InterfaceIndex(6))])
    }

    @Test func addressesThatCameAndWent() throws {
        let added = InterfaceAddress(interface: eth0, address: try address("192.0.2.2"), prefixLength: 24)
        let peer = InterfaceAddress(
            interface: eth0, address: try address("198.51.100.1"), peer: try address("198.51.100.2"), prefixLength: 32)
        #expect(changes(in: bytes(hex: KernelMessages.addressAdded)) == [.address(added)])
        #expect(changes(in: bytes(hex: KernelMessages.peerAddressAdded)) == [.address(peer)])
        #expect(changes(in: bytes(hex: KernelMessages.addressRemoved)) == [.addressRemoved(peer)])
        let noDAD = InterfaceAddress.Flags(rawValue: 0x82)  // IFA_F_PERMANENT, IFA_F_NODAD
        let v6 = InterfaceAddress(interface: eth0, address: try address("2001:db8::2"), prefixLength: 64, flags: noDAD)
        #expect(changes(in: bytes(hex: KernelMessages.addressV6Added)) == [.address(v6)])
    }

    @Test func routesThatCameAndWent() throws {
        let all = AddressPrefix(.unspecified(.v4), length: 0)
        let v6 = AddressPrefix(try address("2001:db8:1::"), length: 48)
        #expect(changes(in: bytes(hex: KernelMessages.routeAdded)) == [.route(all)])
        #expect(changes(in: bytes(hex: KernelMessages.routeV6Added)) == [.route(v6)])
        #expect(changes(in: bytes(hex: KernelMessages.routeRemoved)) == [.route(v6)])
    }

    @Test(arguments: [KernelMessages.ruleAdded, KernelMessages.netconfChanged, KernelMessages.nextHopAdded])
    func whatSteersRoutes(hex: String) {
        #expect(changes(in: bytes(hex: hex)) == [.routing])
    }

    @Test func aLookupThroughAGateway() throws {
        let route = try lookup(KernelMessages.lookupThroughGateway)
        #expect(try route.destination == AddressPrefix(address("203.0.113.9"), length: 32))
        #expect(try route.gateway == (address("192.0.2.1")) && route.source == (address("192.0.2.2")))
        #expect(route.egress == eth0 && route.type == .unicast && route.lifetime == nil)
        let entry = try lookup(KernelMessages.lookupOfEntry)
        #expect(entry.destination == AddressPrefix(.unspecified(.v4), length: 0) && entry.priority == 100)
    }

    @Test func lookupsNearby() throws {
        let onLink = try lookup(KernelMessages.lookupOnLink)
        #expect(onLink.gateway == nil && onLink.egress == eth0 && onLink.type == .unicast)
        let own = try lookup(KernelMessages.lookupOfOwnAddress)
        #expect(own.type == .local && own.egress == InterfaceIndex(1))
    }

    @Test func aLookupThroughAGatewayOfTheOtherFamily() throws {
        #expect(try lookup(KernelMessages.lookupThroughIPv6Gateway).gateway == IPAddress("fe80::9"))
    }

    @Test func aLookupOfSeveralHops() throws {
        let route = try lookup(KernelMessages.lookupOfSeveralHops)
        #expect(route.firstOfSeveral == eth0 && route.destination.length == 16)
    }

    @Test func aLookupOfARouteThatExpires() throws {
        let lifetime = try #require(try lookup(KernelMessages.lookupOfExpiringEntry).lifetime)
        #expect(lifetime > .seconds(50) && lifetime <= .seconds(60))
        // Asked about a packet, the kernel answers from a copy of the route that does not expire.
        #expect(try lookup(KernelMessages.lookupOverExpiringRoute).lifetime == nil)
    }

    @Test(arguments: [KernelMessages.lookupOfUnreachable, KernelMessages.lookupWithoutEntry])
    func aLookupThatFails(hex: String) throws {
        let message = try #require(messages(in: bytes(hex: hex)).messages.first)
        #expect(message.header.type == .error)
        #expect(Array(message.payload.prefix(4)) == littleEndian(Int32(-113)))  // EHOSTUNREACH
    }

    @Test func aDumpOfLinks() throws {
        let dump = messages(in: bytes(hex: KernelMessages.linkDump))
        #expect(dump.isWhole && dump.messages.last?.header.type == .done)
        #expect(dump.messages.allSatisfy { $0.header.sequence == 7 && $0.header.flags.contains(.multipart) })
        let links = dump.messages.dropLast().compactMap { message in
            decoded(message.payload) { LinkMessage($0) }?.apply(to: nil)
        }
        #expect(links.count == dump.messages.count - 1)
        #expect(Set(links.map(\.name)).isSuperset(of: ["lo", "far0", "eth0", "br0"]))
        let table = LinkTable(links)
        #expect(table[name: "lo"]?.flags.contains(.loopback) == true)
        #expect(table[name: "br0"]?.driver?.rawValue == "bridge")
    }

    @Test func aDumpOfAddresses() throws {
        let dump = messages(in: bytes(hex: KernelMessages.addressDump))
        #expect(dump.isWhole && dump.messages.last?.header.type == .done)
        let table = AddressTable(
            dump.messages.compactMap { message in decoded(message.payload) { InterfaceAddress($0) } })
        #expect(table.owners(of: try address("127.0.0.1")) == [InterfaceIndex(1)])
        #expect(table.owners(of: try address("192.0.2.2")) == [eth0])
        #expect(table.owners(of: try address("2001:db8::2")) == [eth0])
        #expect(table.interfacesWithLinkLocalIPv6.contains(eth0))
    }
}
