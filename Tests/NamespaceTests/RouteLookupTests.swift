import InternetProtocol
import Reachability
import Rtnetlink
import Testing

extension Namespaces {
    /// The socket that asks, on the kernel itself.
    @Suite struct RouteLookupTests {
        /// Two questions of one send, whatever their answers are: a way, a refusal, or no such interface.
        @Test func twoQuestionsAtOnceAreAnsweredAsOneByOne() throws {
            let net = try NetworkNamespace()
            try net.addLink("eth0", "10.0.0.2/24", "2001:db8:1::2/64", gateway: "10.0.0.1")
            try net.ip("route add blackhole 198.51.100.0/24", "route add prohibit 2001:db8:5::/48")
            let texts = ["10.0.0.9", "203.0.113.1", "198.51.100.1", "2001:db8:1::9", "2001:db8:5::1", "2001:db8:9::1"]
            let addresses = try texts.map { try #require(IPAddress($0)) }
            var questions = addresses.flatMap { [RouteQuestion($0), RouteQuestion($0, match: .entry)] }
            questions += addresses.map { RouteQuestion($0, interface: InterfaceIndex(999)) }
            let asked = questions
            let wrong = try net.run {
                let socket = try RequestSocket()
                var wrong: [String] = []
                for first in asked {
                    for second in asked {
                        let together = socket.routes(first, second)
                        if together != (socket.route(first), socket.route(second)) {
                            wrong.append("\(first) \(second)")
                        }
                    }
                }
                return wrong
            }
            #expect(wrong == [])
        }
    }
}
