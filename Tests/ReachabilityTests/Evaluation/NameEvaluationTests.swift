import InternetProtocol
import Reachability
import Rtnetlink
import Testing

/// What is made of a name's addresses, and which reason is told where several look-ups failed.
@Suite struct NameEvaluationTests {
    /// A host with an address for each way a look-up can fail.
    private var host: FakeHost {
        var host = FakeHost.wired
        host.addLink("eth1") { $0.flags = [.up] }
        host.own("198.51.100.2/24", "eth1")
        host.route("203.0.113.1/32", type: .prohibit)
        host.route("203.0.113.2/32", type: .blackhole)
        host.route("203.0.113.3/32", type: .unreachable)
        host.route("203.0.113.9/32", via: "192.0.2.1", dev: "eth0")
        host.override = { question in
            question.destination == ip("203.0.113.4")
                ? .success(Route(destination: AddressPrefix(ip("203.0.113.4"), length: 32), egress: InterfaceIndex(2)))
                : nil
        }
        return host
    }

    private static let noRoute = "203.0.113.77"
    private static let prohibited = "203.0.113.1"
    private static let blackhole = "203.0.113.2"
    private static let unreachable = "203.0.113.3"
    private static let noSource = "203.0.113.4"
    private static let linkDown = "198.51.100.9"

    private func report(_ addresses: [String]) -> Report { host.report(.name(.addresses(addresses.map { ip($0) }))) }

    /// Servers that block names answer so; packets there stay on this host, whatever the default route is.
    @Test(arguments: ["0.0.0.0", "::"]) func aZeroAddressIsThisHost(address: String) {
        var host = host
        host.route("0.0.0.0/0", via: "192.0.2.1", dev: "eth0")
        let report = host.report(.name(.addresses([ip(address)])))
        #expect(report.flags.contains([.reachable, .isLocalAddress]) && report.interface?.name == "lo")
        #expect(report.addresses == [ip(address)])
    }

    /// In both orders: the one that came furthest.
    @Test(
        arguments: [
            (linkDown, noRoute, .linkDown), (linkDown, prohibited, .linkDown), (linkDown, unreachable, .linkDown),
            (noSource, blackhole, .noSourceAddress), (noSource, noRoute, .noSourceAddress),
            (prohibited, noRoute, .prohibited), (blackhole, noRoute, .blackhole),
            (unreachable, noRoute, .unreachableRoute),
        ] as [(String, String, ReachabilityReason)])
    func theReasonIsTheFurthest(further: String, other: String, reason: ReachabilityReason) {
        #expect(report([further, other]).reason == reason)
        #expect(report([other, further]).reason == reason)
    }

    @Test func ofEquallyFarTheFirstIsTold() {
        #expect(report([Self.linkDown, Self.noSource]).reason == .linkDown)
        #expect(report([Self.noSource, Self.linkDown]).reason == .noSourceAddress)
        #expect(report([Self.blackhole, Self.prohibited]).reason == .blackhole)
    }

    @Test func linkDownAndNoSourceAloneNameTheLink() {
        for address in [Self.linkDown, Self.noSource] { #expect(report([address]).interface != nil) }
        for address in [Self.noRoute, Self.prohibited, Self.blackhole, Self.unreachable] {
            let report = report([address])
            #expect(report.interface == nil && report.gateway == nil && report.source == nil)
        }
    }

    @Test func usableBeatsNotUsableAndTheFirstOfEqualsWins() {
        let report = report([Self.linkDown, "203.0.113.9", "192.0.2.9"])
        #expect(report.flags.rawValue == 0x2 && report.gateway == ip("192.0.2.1") && report.reason == nil)
        #expect(report.addresses == [ip(Self.linkDown), ip("203.0.113.9"), ip("192.0.2.9")])
    }

    @Test func addressesAfterTheFirstUsableOneAreNotAsked() {
        let name = Subject.name(.addresses([ip("203.0.113.9"), ip("192.0.2.9")]))
        #expect(host.questions(name) == [RouteQuestion(ip("203.0.113.9"))])
    }

    @Test func nothingIsKnownBeforeTheFirstAnswer() {
        let report = host.report(.name(.notKnownYet))
        #expect(!report.isKnown && report.status == .unknown && report.reason == nil)
    }

    @Test(arguments: [ReachabilityReason.nameNotFound, .resolverTimeout, .resolverFailed, .noResolver])
    func aFailureIsItsReason(reason: ReachabilityReason) {
        let report = host.report(.name(.failed(reason)))
        #expect(report.reason == reason && report.status == .notReachable)
    }

    @Test func aNameWithoutAddressesIsNotFound() {
        #expect(report([]).reason == .nameNotFound)
    }

    @Test func everyReasonIsAFaultOrNot() {
        #expect(ReachabilityReason.allCases.filter(\.isFault) == [.notPermitted, .kernelUnavailable])
        #expect(Set(ReachabilityReason.allCases.map(\.description)).count == ReachabilityReason.allCases.count)
        #expect(ReachabilityReason.allCases.count == 13)
    }
}
