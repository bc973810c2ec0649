import InternetProtocol
import Reachability
import Rtnetlink
import Testing

extension Namespaces {
    /// Duplicate address detection (RFC 4862, 5.4; Rules.md, "Asking the kernel").
    @Suite struct OwnIPv6AddressTests {
        /// A link on which an address is looked for at the neighbours for a good while before it is used.
        private func link() throws -> NetworkNamespace {
            let net = try NetworkNamespace()
            try net.addLink("eth0")
            try net.set("net/ipv6/conf/eth0/accept_dad", to: "1")
            return net
        }

        @Test func aTentativeAddressIsNotOwnUntilItsDetectionIsOver() throws {
            let net = try link()
            let own = try net.watch("2001:db8:1::2")
            let pair = try net.watch("2001:db8:1::2,2001:db8:1::9")
            try net.ip("addr add 2001:db8:1::2/64 dev eth0")
            try net.settle()
            #expect(own.last?.flags.contains(.isLocalAddress) == false)
            #expect(pair.last?.reason == .notLocal)
            #expect(own.recorder.wait { $0.flags.rawValue == 0x30002 })
            #expect(pair.recorder.wait { $0.flags.rawValue == 0x20002 })
        }

        @Test func anAddressThatAnotherHostHasIsNotOwn() throws {
            let net = try link()
            let other = try NetworkNamespace()
            try net.giveFarEnd(of: "eth0", to: other, addresses: "2001:db8:1::2/64")
            let own = try net.watch("2001:db8:1::2")
            let pair = try net.watch("2001:db8:1::2,2001:db8:1::9")
            let changes = try net.listen(to: [.ipv6Address])
            try net.ip("addr add 2001:db8:1::2/64 dev eth0")
            let isDuplicate = changes.wait { change in
                guard case .address(let address) = change else { return false }
                return address.flags.contains(.duplicate)
            }
            #expect(isDuplicate)
            try net.settle()
            #expect(own.last?.flags.contains(.isLocalAddress) == false)
            #expect(pair.last?.reason == .notLocal)
            #expect(pair.count == 1)
        }

        /// Kept while the link is down, an address is of no use there, and no message on it says so.
        @Test(arguments: ["eth0", "lo"]) func anAddressThatIsKeptOnALinkThatWentDownIsNotOwn(link: String) throws {
            let net = try NetworkNamespace()
            try net.addLink("eth0")
            try net.addLink("eth1", "2001:db8:2::2/64")
            for name in ["all", link] { try net.set("net/ipv6/conf/\(name)/keep_addr_on_down", to: "1") }
            try net.set("net/ipv6/conf/\(link)/accept_dad", to: "1")
            try net.ip("addr add 2001:db8:1::2/64 dev \(link)")
            let pair = try net.watch("2001:db8:1::2,2001:db8:2::2")
            #expect(pair.recorder.wait { $0.reason == nil })
            try net.ip("link set \(link) down")
            try net.settle()
            #expect(pair.last?.reason == .notLocal)
            #expect(try pair.isTrueNow())
            try net.ip("link set \(link) up")
            #expect(pair.recorder.wait { $0.reason == nil })
            #expect(try pair.isTrueNow())
        }

        @Test func aDeprecatedAddressIsStillOwn() throws {
            let net = try link()
            let own = try net.watch("2001:db8:1::2")
            let pair = try net.watch("2001:db8:1::2,2001:db8:1::9")
            try net.addAddress("2001:db8:1::2/64", to: "eth0", "preferred_lft 0")
            try net.settle()
            #expect(own.last?.flags.rawValue == 0x30002)
            #expect(pair.last?.flags.rawValue == 0x20002)
        }

        @Test func addressesThatRunOutOrAreSwitchedOffAreGone() throws {
            let net = try link()
            let own = try net.watch("2001:db8:1::2")
            let neighbour = try net.watch("2001:db8:1::9")
            try net.addAddress("2001:db8:1::2/64", to: "eth0", "valid_lft 1 preferred_lft 1")
            try net.settle()
            #expect(own.last?.flags.rawValue == 0x30002)
            #expect(neighbour.last?.flags.rawValue == 0x20002)
            #expect(own.recorder.wait { $0.reason == .noRoute })
            #expect(neighbour.recorder.wait { $0.reason == .noRoute })
            try net.addAddress("2001:db8:1::2/64", to: "eth0")
            try net.settle()
            #expect(neighbour.last?.flags.rawValue == 0x20002)
            try net.set("net/ipv6/conf/eth0/disable_ipv6", to: "1")
            try net.settle()
            #expect(own.last?.reason == .noRoute)
            #expect(neighbour.last?.reason == .noRoute)
        }

        @Test func anOptimisticAddressIsOwnWhileItsDetectionRuns() throws {
            let net = try link()
            try net.set("net/ipv6/conf/eth0/optimistic_dad", to: "1")
            // Without this the kernel tells of the address only when the detection is over.
            try net.set("net/ipv6/conf/eth0/use_optimistic", to: "1")
            let pair = try net.watch("2001:db8:1::2,2001:db8:1::9")
            let changes = try net.listen(to: [.ipv6Address])
            try net.ip("addr add 2001:db8:1::2/64 dev eth0 optimistic")
            var isStillTentative = false
            let isTold = changes.wait { change in
                guard case .address(let address) = change, !address.address.isLinkLocal else { return false }
                isStillTentative = address.flags.isSuperset(of: [.tentative, .optimistic])
                return true
            }
            #expect(isTold && isStillTentative)
            try net.settle()
            #expect(pair.last?.flags.rawValue == 0x20002)
            #expect(try pair.isTrueNow())
        }
    }
}
