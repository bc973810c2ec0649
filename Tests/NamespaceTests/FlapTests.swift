import Reachability
import TestSupport
import Testing

extension Namespaces {
    /// However wild it was: the last that is told is the truth.
    @Suite struct FlapTests {
        private static let commandCount = 1000

        /// Random changes to three links, their addresses and routes; many fail, as they would on a host in trouble.
        private func commands(seed: UInt64) -> [String] {
            var random = SeededGenerator(seed: seed)
            return (0..<Self.commandCount).map { _ in
                let link = Int.random(in: 0..<3, using: &random)
                let name = "eth\(link)"
                let isOn = Bool.random(using: &random)
                let verb = isOn ? "add" : "del"
                return switch Int.random(in: 0..<8, using: &random) {
                case 0: "link set \(name) \(isOn ? "up" : "down")"
                case 1: "link set \(name)p \(isOn ? "up" : "down")"
                case 2: "addr \(verb) 10.\(link).0.2/24 dev \(name)"
                case 3: "addr \(verb) 2001:db8:\(link)::2/64 dev \(name)"
                case 4: "route \(verb) default via 10.\(link).0.1 dev \(name) metric \(link + 1)"
                case 5: "route \(verb) 2000::/3 via 2001:db8:\(link)::1 dev \(name) metric \(link + 1)"
                case 6: "route \(verb) 198.51.100.0/24 via 10.\(link).0.1 dev \(name)"
                default: "rule \(verb) to 203.0.113.0/24 prohibit"
                }
            }
        }

        @Test(arguments: [1, 2, 3, 4] as [UInt64])
        func afterRandomFlapsTheLastReportIsTheTruth(seed: UInt64) throws {
            let net = try NetworkNamespace()
            for link in 0..<3 { try net.addLink("eth\(link)", "10.\(link).0.2/24", "2001:db8:\(link)::2/64") }
            var watches = try [
                "default", "192.0.2.1", "198.51.100.9", "203.0.113.9", "10.1.0.9", "2001:db8:2::9", "10.0.0.2",
            ]
            .map { try net.watch($0) }
            watches.append(try net.watch("10.1.0.2,192.0.2.1"))
            watches.append(try net.watch(ReachabilityTarget.default.requiring(interface: "eth2")))
            net.tryIP(commands(seed: seed))
            for watch in watches {
                let isTrue = try watch.becomesTrue()
                let fresh = try net.freshReport(of: watch.target)
                #expect(isTrue, "\(watch.target): told \(String(describing: watch.last)), is \(fresh)")
            }
            #expect(watches.contains { $0.count > 1 }, "something happened")
        }
    }
}
