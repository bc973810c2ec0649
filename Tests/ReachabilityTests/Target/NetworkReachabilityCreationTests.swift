import Reachability
import ReachabilityTesting
import TargetTesting
import Testing

/// Creation and description (Rules.md, "NetworkReachability").
@Suite struct NetworkReachabilityCreationTests {
    /// What the description shows between the braces.
    private func body(_ target: NetworkReachability) -> String {
        let text = target.description
        return String(
            text.dropFirst(text.distance(from: text.startIndex, to: text.firstIndex(of: "{") ?? text.endIndex)))
    }

    @Test(
        arguments: [
            ("192.0.2.1", "address = 192.0.2.1"), ("127.1", "address = 127.0.0.1"),
            ("0x7f000001", "address = 127.0.0.1"), ("017700000001", "address = 127.0.0.1"),
            ("1", "address = 0.0.0.1"), ("1.2.3.4 foo", "address = 1.2.3.4"), ("0", "default path"),
            ("::", "default path"), ("2001:db8::1", "address = 2001:db8::1"), ("fe80::1%lo", "address = fe80::1%lo"),
            ("fe80::1%nosuch", "address = fe80::1"), ("fe80:1::1", "address = fe80::1%lo"),
        ])
    func textThatIsAnAddressGivesThatAddress(text: String, expected: String) throws {
        #expect(body(try NetworkReachability(name: text)) == "{\(expected)}")
    }

    @Test(
        arguments: [
            "www.example.com", "WWW.Example.com", "host.", "www.example.com.", "1.2.3.4.", "[::1]", "http://host/",
            "host:80", "10.0.0.1:80", "a b", "bücher.example", ".", "...", "10.0.0.1%eth0",
            String(repeating: "a", count: 64), String(repeating: "a.", count: 200),
        ])
    func anyOtherTextIsANameAndKeptAsGiven(text: String) throws {
        #expect(body(try NetworkReachability(name: text)) == "{name = \(text)}")
    }

    @Test func anEmptyNameIsRefused() {
        #expect(throws: NetworkReachabilityError.emptyName) { try NetworkReachability(name: "") }
    }

    @Test func aTargetNeedsANameOrAnAddressAndNotBoth() throws {
        let address = try SocketAddress("192.0.2.1")
        #expect(throws: NetworkReachabilityError.noTarget) {
            try NetworkReachability(localAddress: nil, remoteAddress: nil)
        }
        #expect(throws: NetworkReachabilityError.noTarget) { try NetworkReachability(options: .init()) }
        #expect(throws: NetworkReachabilityError.nameBesideAddress) {
            try NetworkReachability(options: .init(name: "a.test", remoteAddress: address))
        }
        #expect(throws: NetworkReachabilityError.nameBesideAddress) {
            try NetworkReachability(options: .init(name: "a.test", localAddress: address))
        }
    }

    @Test func aRequiredInterfaceHasToExistAtCreation() throws {
        let lab = TargetLab()
        #expect(throws: NetworkReachabilityError.noSuchInterface("eth9")) {
            try lab.target(.init(name: "192.0.2.200", requiredInterface: "eth9"))
        }
        let target = try lab.target(.init(name: "192.0.2.200", requiredInterface: "wlan0"))
        #expect(body(target) == "{address = 192.0.2.200, if_index = 2}")
    }

    @Test func whereTheKernelRefusesThatIsSaidOfARequiredInterface() {
        let lab = TargetLab()
        lab.network.refuse(1)
        let error = #expect(throws: NetworkReachabilityError.self) {
            try lab.target(.init(name: "192.0.2.200", requiredInterface: "wlan0"))
        }
        guard case .kernel(let reason) = error else { return #expect(Bool(false), "\(String(describing: error))") }
        #expect(reason.reason == .notPermitted)
    }

    @Test(
        arguments: [
            ("", "192.0.2.1:80", "address = 192.0.2.1"), ("", "0.0.0.0", "default path"),
            ("10.0.0.2", "", "local address = 10.0.0.2, default path"),
            ("10.0.0.2:1", "192.0.2.1:2", "local address = 10.0.0.2, remote address = 192.0.2.1"),
            ("10.0.0.2:1", "10.0.0.2:2", "local address = 10.0.0.2, remote address = 10.0.0.2"),
            ("127.0.0.1", "192.0.2.1", "address = 192.0.2.1"), ("127.0.0.1", "2001:db8::1", "address = 2001:db8::1"),
            ("127.0.0.1", "0.0.0.0", "default path"),
            ("127.0.0.1", "127.0.0.2", "local address = 127.0.0.1, remote address = 127.0.0.2"),
            ("10.0.0.2", "2001:db8::1", "local address = 10.0.0.2, remote address = 2001:db8::1"),
        ])
    func pairsAreFoldedAsOnApplesSystems(local: String, remote: String, expected: String) throws {
        #expect(body(try TargetLab().pair(local, remote)) == "{\(expected)}")
    }

    @Test func theDescriptionShowsThePointerAndWhatIsKnownOfAName() throws {
        let lab = TargetLab()
        lab.network.setName("api.test", .silent)
        let watched = try lab.watch("api.test")
        let pointer = String(UInt(bitPattern: ObjectIdentifier(watched.target)), radix: 16)
        #expect(watched.target.description.hasPrefix("<SCNetworkReachability 0x\(pointer) [0x0]> {"))
        #expect(body(watched.target) == "{name = api.test (DNS query active), flags = 0x00000002, if_index = 2}")

        lab.network.setName("api.test", .addresses(["192.0.2.200", "2001:db8::200"]))
        lab.network.changeResolverConfiguration()
        lab.settle()
        let known = "name = api.test (complete, 192.0.2.200, 2001:db8::200), flags = 0x00020002, if_index = 2"
        #expect(body(watched.target) == "{\(known)}")

        lab.network.setName("api.test", .notFound)
        lab.network.changeResolverConfiguration()
        lab.settle()
        let gone = "name = api.test (complete, no addresses), flags = 0x00000000, if_index = 0"
        #expect(body(watched.target) == "{\(gone)}")

        try watched.target.setDispatchQueue(nil)
        #expect(body(watched.target) == "{name = api.test}")
    }

    @Test func theDescriptionShowsThatANameIsNotLookedUp() throws {
        let target = try TargetLab().target(.init(name: "api.test", requiredInterface: "wlan0", bypassesResolver: true))
        #expect(body(target) == "{name = api.test, if_index = 2, !resolve}")
    }

    @Test func theDescriptionOfAScheduledAddressHoldsItsFlags() throws {
        let lab = TargetLab()
        let watched = try lab.watch("127.0.0.1")
        #expect(body(watched.target) == "{address = 127.0.0.1, flags = 0x00030002, if_index = 1}")
        let everywhere = try lab.watch("0.0.0.0")
        #expect(body(everywhere.target) == "{default path, flags = 0x00000002, if_index = 2}")
    }
}
