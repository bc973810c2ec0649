import Reachability
import Testing

/// IPv4 routes vanish with their link or address without a word, and after the message that told of the link: whoever
/// asks in between is told of a route that is no more, and nothing would make him ask again.
@Suite(.inNamespace, .serialized) struct StaleAnswerTests {
    private static let rounds = 300

    /// Two point-to-point-like links without IPv6, whose routes would be announced, and a default route on each.
    private func twoDefaults() throws -> (NetworkNamespace, [TunDevice]) {
        let net = try NetworkNamespace()
        let tuns = [try net.addTun("tun0", "10.0.0.2/24"), try net.addTun("tun1", "10.1.0.2/24")]
        try net.ip(better, "route add default via 10.1.0.1 dev tun1 metric 200")
        return (net, tuns)
    }

    private let better = "route add default via 10.0.0.1 dev tun0 metric 100"

    private func alternate(_ gone: [String], _ back: [String]) throws {
        let (net, tuns) = try twoDefaults()
        let busy = BusyCore()
        let watches = try ["default", "192.0.2.1"].map { try net.watch($0) }
        for round in 1...Self.rounds {
            for (commands, egress) in [(gone, "tun1"), (back, "tun0")] {
                try net.ip(commands)
                for watch in watches {
                    let isTrue = try watch.isTrueNow()
                    try #require(isTrue, "\(watch.target) in round \(round): \(String(describing: watch.last))")
                    try #require(watch.last?.interface?.name == egress, "\(watch.target) in round \(round)")
                }
            }
        }
        for watch in watches { #expect(watch.count == 1 + 2 * Self.rounds) }
        withExtendedLifetime((busy, tuns)) {}
    }

    @Test func aLinkThatGoesDownNeverLeavesAStaleAnswer() throws {
        try alternate(["link set tun0 down"], ["link set tun0 up", better])
    }

    @Test func anAddressThatGoesNeverLeavesAStaleAnswer() throws {
        try alternate(["addr del 10.0.0.2/24 dev tun0"], ["addr add 10.0.0.2/24 dev tun0", better])
    }
}
