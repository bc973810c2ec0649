import InternetProtocol
import Reachability
import Rtnetlink
import Testing

/// What a change does to the view, and what it can mean for answers given before.
@Suite struct NetworkViewTests {
    private static let index = InterfaceIndex(7)

    /// A full RTM_NEWLINK about eth0.
    private static func message(
        flags: LinkFlags = [.up, .running], name: String = "eth0", hardwareAddress: UInt8 = 1,
        type: HardwareType = .ethernet
    ) throws -> NetworkChange {
        func attribute(_ type: UInt8, _ value: [UInt8]) -> [UInt8] {
            [UInt8(4 + value.count), 0, type, 0] + value + Array(repeating: 0, count: -value.count & 3)
        }
        let flagBytes = (0..<4).map { UInt8(truncatingIfNeeded: flags.rawValue >> ($0 * 8)) }
        let payload =
            [0, 0, UInt8(type.rawValue & 0xff), 0, UInt8(index.rawValue), 0, 0, 0] + flagBytes + [0, 0, 0, 0]
            + attribute(3, Array(name.utf8) + [0]) + attribute(16, [6])
            + attribute(1, [2, 0, 0, 0, 0, hardwareAddress])
        // Sound: bytes have no padding to leave unset.
        return .link(try #require(LinkMessage(unsafe payload.span.bytes)))
    }

    private func link(_ flags: LinkFlags = [.up, .running]) throws -> Link {
        guard case .link(let message) = try Self.message(flags: flags), let link = message.apply(to: nil) else {
            throw Unexpected()
        }
        return link
    }

    private struct Unexpected: Error {}

    private func address(_ text: String, flags: InterfaceAddress.Flags = [.permanent]) -> InterfaceAddress {
        InterfaceAddress(interface: Self.index, address: ip(text), prefixLength: 24, flags: flags)
    }

    private func effect(_ change: NetworkChange, on view: inout NetworkView) -> NetworkView.Effect {
        view.apply(change) { _ in .unknown }
    }

    /// Flags before (nil: not known), flags after, what it means.
    @Test(
        arguments: [
            (nil, [.up, .running], .everything), (nil, [.up], .everything), (nil, [], .everything),
            ([.up, .running], [.up, .running], .none),
            ([.up, .running], [.up], .everythingOnceSettled), ([.up, .running], [], .everythingOnceSettled),
            ([.up], [], .everythingOnceSettled), ([.up], [.up, .running], .everything), ([], [.up], .everything),
            ([], [.broadcast], .none), ([.up, .running], [.up, .running, .pointToPoint], .everything),
        ] as [(LinkFlags?, LinkFlags, NetworkView.Effect)])
    func aLinksFlagsMatter(before: LinkFlags?, after: LinkFlags, effect: NetworkView.Effect) throws {
        var view = NetworkView()
        if let before { view.links[Self.index] = try link(before) }
        #expect(self.effect(try Self.message(flags: after), on: &view) == effect)
        #expect(view.links[Self.index]?.flags == after)
    }

    @Test func aNameOrAKindOfALiveLinkMatters() throws {
        var view = NetworkView(links: LinkTable([try link()]))
        #expect(effect(try Self.message(name: "lan0"), on: &view) == .everything)
        #expect(view.links[name: "lan0"] != nil && view.links[name: "eth0"] == nil)
        #expect(effect(try Self.message(name: "lan0", type: .rawIP), on: &view) == .everything)
    }

    @Test func theDeviceIsReadAnewOnlyForAnotherNameOrAddress() throws {
        var view = NetworkView()
        var reads = 0
        let wireless = Link.DeviceFacts(deviceType: "wlan", isWireless: true)
        let changes = [
            try Self.message(), try Self.message(flags: [.up]), try Self.message(), try Self.message(name: "wlan0"),
            try Self.message(name: "wlan0", hardwareAddress: 2),
        ]
        var counts: [Int] = []
        for change in changes {
            _ = view.apply(change) { _ in
                reads += 1
                return wireless
            }
            counts.append(reads)
        }
        #expect(counts == [1, 1, 1, 2, 3])
        #expect(view.links[Self.index]?.device == wireless)
    }

    @Test func aLinkThatGoesTakesItsAddressesAlong() throws {
        var view = NetworkView(links: LinkTable([try link()]), addresses: AddressTable([address("192.0.2.2")]))
        #expect(effect(.linkRemoved(Self.index), on: &view) == .everythingOnceSettled)
        #expect(view == NetworkView())
        #expect(effect(.linkRemoved(Self.index), on: &view) == .none, "not known any more")
    }

    /// What requires a link by its name is answered otherwise, up or down.
    @Test func aLinkThatIsDownMattersByItsName() throws {
        var view = NetworkView(links: LinkTable([try link([.broadcast])]))
        #expect(effect(try Self.message(flags: [.broadcast], name: "lan0"), on: &view) == .everything)
        #expect(effect(try Self.message(flags: [.broadcast, .pointToPoint], name: "lan0"), on: &view) == .none)
        #expect(effect(.linkRemoved(Self.index), on: &view) == .everything)
        #expect(view.links.all.isEmpty)
    }

    /// Kept by keep_addr_on_down, they are of no use until the kernel has looked for duplicates again.
    @Test func addressesThatStayOnALinkThatWentDownAreTentative() throws {
        let kept = InterfaceAddress(interface: Self.index, address: ip("2001:db8::1"), prefixLength: 64)
        var undetected = InterfaceAddress(interface: Self.index, address: ip("2001:db8::2"), prefixLength: 64)
        undetected.flags.insert(.withoutDuplicateDetection)
        let addresses = [kept, undetected, address("192.0.2.2")]
        var view = NetworkView(links: LinkTable([try link()]), addresses: AddressTable(addresses))
        #expect(effect(try Self.message(flags: [.up]), on: &view) == .everythingOnceSettled)
        #expect(view.owns(kept.address), "carrier alone takes nothing away")
        _ = effect(try Self.message(flags: []), on: &view)
        #expect(addresses.map { view.owns($0.address) } == [false, true, true])
        _ = effect(try Self.message(), on: &view)
        #expect(effect(.address(kept), on: &view) == .everything)
        #expect(view.owns(kept.address))
    }

    @Test func addressesMatterWhenTheyDiffer() {
        var view = NetworkView()
        #expect(effect(.address(address("192.0.2.2")), on: &view) == .everything)
        #expect(effect(.address(address("192.0.2.2")), on: &view) == .none, "lifetimes are told again and again")
        #expect(effect(.address(address("192.0.2.2", flags: [.deprecated])), on: &view) == .everything)
        // IPv4 routes go with their address, without a word and after it.
        #expect(effect(.addressRemoved(address("192.0.2.2")), on: &view) == .everythingOnceSettled)
        #expect(effect(.addressRemoved(address("192.0.2.2")), on: &view) == .none)
    }

    @Test func aRouteIsAboutItsPrefix() {
        var view = NetworkView()
        let prefix = AddressPrefix(ip("10.0.0.0"), length: 8)
        #expect(effect(.route(prefix), on: &view) == .destinations(prefix) && view == NetworkView())
    }

    @Test func whatSteersRoutesIsAboutEverything() {
        var view = NetworkView()
        #expect(effect(.routing, on: &view) == .everything && view == NetworkView())
    }

    @Test func aPartialMessageAboutAnUnknownLinkIsPassedOver() throws {
        let nameless = [0, 0, 1, 0, 9, 0, 0, 0, 0x41, 0, 0, 0, 0, 0, 0, 0] as [UInt8]
        let message = try #require(LinkMessage(unsafe nameless.span.bytes))  // sound: bytes have no padding
        var view = NetworkView()
        #expect(effect(.link(message), on: &view) == .none && view == NetworkView())
    }
}

/// What an emptying of the change stream amounts to.
@Suite struct ChangeBatchTests {
    private let prefix = AddressPrefix(ip("10.0.0.0"), length: 8)

    private func batch(_ changes: [(NetworkChange, NetworkView.Effect)]) -> ChangeBatch {
        var batch = ChangeBatch()
        for (change, effect) in changes { batch.add(change, effect) }
        return batch
    }

    @Test func changesWithoutEffectLeaveItEmpty() {
        #expect(batch([(.routing, .none), (.linkRemoved(InterfaceIndex(1)), .none)]).isEmpty)
    }

    @Test func prefixesAreCollected() {
        let other = AddressPrefix(ip("11.0.0.0"), length: 8)
        let batch = batch([(.route(prefix), .destinations(prefix)), (.route(other), .destinations(other))])
        #expect(batch.destinations == [prefix, other] && batch.causes == [.route])
        #expect(!batch.isAboutEverything && !batch.needsSettling && !batch.isEmpty)
    }

    @Test func everythingWithoutSettling() {
        let batch = batch([(.routing, .everything)])
        #expect(batch.isAboutEverything && !batch.needsSettling && batch.causes == [.routing])
    }

    @Test func settlingIsNeededOnceAnyChangeNeedsIt() {
        let link = InterfaceIndex(1)
        let address = InterfaceAddress(interface: link, address: ip("192.0.2.2"), prefixLength: 24)
        let batch = batch([
            (.linkRemoved(link), .everythingOnceSettled), (.address(address), .everything),
            (.route(prefix), .destinations(prefix)),
        ])
        #expect(batch.isAboutEverything && batch.needsSettling && batch.causes == [.link, .address, .route])
    }

    @Test func anOverrunOrAFailureIsNoEmptyBatch() {
        var overrun = ChangeBatch()
        overrun.isOverrun = true
        var failed = ChangeBatch()
        failed.failure = SystemCallError("recv", code: 5)
        #expect(!overrun.isEmpty && !failed.isEmpty)
    }

    @Test func causesHaveNames() {
        let all: ChangeCauses = [
            .initial, .link, .address, .route, .routing, .expiry, .names, .overrun, .wake, .availability, .services,
        ]
        #expect(Set(all.names).count == 11 && all.names.first == "initial")
        #expect(ChangeCauses([.route, .link]).names == ["link", "route"] && ChangeCauses().names == [])
    }
}
