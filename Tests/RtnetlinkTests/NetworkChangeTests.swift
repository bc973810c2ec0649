import InternetProtocol
import Rtnetlink
import Testing

@Suite struct NetworkChangeTests {
    @Test func linksComeAndGo() {
        let link = MessageBuilder.link([.text(3, "eth0")])
        guard case .link(let message)? = changes(in: link.message).first else {
            Issue.record("no link")
            return
        }
        #expect(message.name == "eth0")
        #expect(changes(in: MessageBuilder.link(type: .deleteLink).message) == [.linkRemoved(InterfaceIndex(7))])
    }

    @Test func aPortThatLeavesItsBridgeIsNoLinkThatGoes() {
        #expect(changes(in: MessageBuilder.link(type: .deleteLink, family: 7).message).isEmpty)
        #expect(changes(in: MessageBuilder.link(type: .newLink, family: 7).message).isEmpty)
    }

    @Test func addressesComeAndGo() throws {
        let address = InterfaceAddress(
            interface: InterfaceIndex(7), address: try #require(IPAddress("192.0.2.2")), prefixLength: 24)
        let attributes = [MessageBuilder.Attribute.address(2, "192.0.2.2")]
        let added = MessageBuilder.address(family: .v4, prefixLength: 24, attributes)
        let removed = MessageBuilder.address(type: .deleteAddress, family: .v4, prefixLength: 24, attributes)
        #expect(changes(in: added.message + removed.message) == [.address(address), .addressRemoved(address)])
    }

    @Test(arguments: [MessageType.newRoute, .deleteRoute]) func aRouteIsItsPrefix(type: MessageType) throws {
        let route = MessageBuilder.route(type: type, destinationLength: 8, [.address(1, "10.0.0.0")])
        let prefix = AddressPrefix(try #require(IPAddress("10.0.0.0")), length: 8)
        #expect(changes(in: route.message) == [.route(prefix)])
        // A route that rejects changes answers too.
        let reject = MessageBuilder.route(
            type: type, destinationLength: 8, routeType: .blackhole, [.address(1, "10.0.0.0")])
        #expect(changes(in: reject.message) == [.route(prefix)])
    }

    @Test(arguments: [
        MessageType.newRule, .deleteRule, .newNetconf, .deleteNetconf, .newNextHop, .deleteNextHop,
        .newNextHopBucket,
    ])
    func whatSteersRoutesIsAboutEverything(type: MessageType) {
        #expect(changes(in: MessageBuilder(type: type, fixed: [2, 0, 0, 0]).message) == [.routing])
    }

    @Test(arguments: [MessageType.error, .done, .getLink, .getRoute, MessageType(rawValue: 28)])
    func otherMessagesAreNoChange(type: MessageType) {
        #expect(changes(in: MessageBuilder(type: type, fixed: Array(repeating: 1, count: 40)).message).isEmpty)
    }

    @Test(arguments: [MessageType.newLink, .deleteLink, .newAddress, .deleteAddress, .newRoute, .deleteRoute])
    func cutMessagesAreNoChange(type: MessageType) {
        #expect(changes(in: MessageBuilder(type: type, fixed: [2, 0, 0]).message).isEmpty)
    }
}
