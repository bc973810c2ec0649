import Reachability
import Testing

extension Namespaces {
    /// The kernel tells of most changes first and carries them out then, and IPv4 routes vanish with their link or address
    /// without a word. Whoever asks in between is told of a route that is no more, and nothing would make him ask again.
    @Suite struct StaleAnswerTests {
        /// Two point-to-point-like links without IPv6, whose routes would be announced, and a default route on each.
        private func twoDefaults(better: [String] = [better]) throws -> (NetworkNamespace, [TunDevice]) {
            let net = try NetworkNamespace()
            let tuns = [try net.addTun("tun0", "10.0.0.2/24"), try net.addTun("tun1", "10.1.0.2/24")]
            try net.ip(better + ["route add default via 10.1.0.1 dev tun1 metric 200"])
            return (net, tuns)
        }

        private static let better = "route add default via 10.0.0.1 dev tun0 metric 100"

        /// Takes the better default away and brings it back, again and again, while the other core is busy.
        private func alternate(
            _ rounds: Int, _ gone: String, undo: [String] = [], better: [String] = [better]
        ) throws {
            let (net, tuns) = try twoDefaults(better: better)
            let busy = BusyCore()
            let watches = try ["default", "192.0.2.1"].map { try net.watch($0) }
            for round in 1...rounds {
                for (commands, egress) in [([gone], "tun1"), (undo + better, "tun0")] {
                    try net.ip(commands)
                    for watch in watches {
                        let isTrue = try watch.isTrueNow()
                        try #require(isTrue, "\(watch.target) in round \(round): \(String(describing: watch.last))")
                        try #require(watch.last?.interface?.name == egress, "\(watch.target) in round \(round)")
                    }
                }
            }
            for watch in watches { #expect(watch.count == 1 + 2 * rounds) }
            withExtendedLifetime((busy, tuns)) {}
        }

        @Test func aLinkThatGoesDownNeverLeavesAStaleAnswer() throws {
            try alternate(300, "link set tun0 down", undo: ["link set tun0 up"])
        }

        @Test func anAddressThatGoesNeverLeavesAStaleAnswer() throws {
            try alternate(300, "addr del 10.0.0.2/24 dev tun0", undo: ["addr add 10.0.0.2/24 dev tun0"])
        }

        @Test func aRouteThatGoesNeverLeavesAStaleAnswer() throws {
            try alternate(300, "route del default metric 100")
        }

        @Test func aNextHopThatGoesNeverLeavesAStaleAnswer() throws {
            let better = ["nexthop add id 1 via 10.0.0.1 dev tun0", "route add default nhid 1 metric 100"]
            try alternate(300, "nexthop del id 1", better: better)
        }

        /// An address is told before the kernel counts it as a source, and the rest that is told concerns it alone.
        @Test func anAddressThatComesNeverLeavesAStaleAnswer() throws {
            let net = try NetworkNamespace()
            let tun = try net.addTun("tun0")
            let busy = BusyCore()
            let watch = try net.watch("192.0.2.1")
            for round in 1...300 {
                try net.ip("route add default dev tun0")
                try net.settle()
                try #require(watch.last?.reason == .noSourceAddress, "round \(round)")
                try net.ip("addr add 10.0.0.2/32 dev tun0")
                try net.settle()
                try #require(watch.last?.flags.rawValue == 3, "round \(round)")
                try net.ip("addr del 10.0.0.2/32 dev tun0")
            }
            withExtendedLifetime((busy, tun)) {}
        }

        /// Of several next hops those of a link that comes up are used again without a word on the route.
        @Test func aLinkThatComesUpNeverLeavesAStaleAnswer() throws {
            let (net, tuns) = try twoDefaults()
            let busy = BusyCore()
            try net.ip("route add default metric 10 nexthop via 10.0.0.1 dev tun0 nexthop via 10.1.0.1 dev tun1")
            // Which of the two is taken hangs on the address.
            let watches = try (1...4).map { try net.watch("192.0.2.\($0)") }
            for round in 1...75 {
                for command in ["link set tun0 down", "link set tun0 up"] {
                    try net.ip(command)
                    for watch in watches { try #require(try watch.isTrueNow(), "\(watch.target) in round \(round)") }
                }
            }
            withExtendedLifetime((busy, tuns)) {}
        }
    }
}
