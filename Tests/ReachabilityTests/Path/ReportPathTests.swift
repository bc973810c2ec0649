import Testing
import Timing

@testable import Reachability

/// What of a report a path shows.
@Suite struct ReportPathTests {
    private let eth0 = NetworkInterface(name: "eth0", index: 2, type: .wiredEthernet)
    private let wwan0 = NetworkInterface(name: "wwan0", index: 3, type: .cellular)
    private let vpn0 = NetworkInterface(name: "vpn0", index: 4, type: .other)

    private func path(_ change: (inout Report) -> Void) -> NetworkPath {
        var report = Report(flags: .reachable)
        change(&report)
        return NetworkPath(report, causes: [.route], generation: 7)
    }

    @Test func aReachableTargetHasASatisfiedPath() {
        let path = path {
            $0.interface = eth0
            $0.gateway = ip("192.0.2.1")
            $0.source = ip("192.0.2.2")
        }
        #expect(path.status == .satisfied && path.reason == nil && path.availableInterfaces == [eth0])
        #expect(path.gateways.map(\.description) == ["192.0.2.1"] && path.generation == 7 && path.causes == ["route"])
        #expect(path.localAddresses.map(\.description) == ["192.0.2.2"] && !path.isExpensive)
        #expect(path.usesInterfaceType(.wiredEthernet) && !path.usesInterfaceType(.cellular))
    }

    @Test func aLinkLocalGatewayHasTheInterfaceAsItsScope() {
        let path = path {
            $0.interface = eth0
            $0.gateway = ip("fe80::1")
            $0.source = ip("2001:db8::2")
        }
        #expect(path.gateways.map(\.scopeID) == [2] && path.localAddresses.map(\.scopeID) == [0])
    }

    @Test func theLinkUnderATunnelCounts() {
        let path = path {
            $0.flags = [.reachable, .transientConnection, .isWWAN]
            $0.interface = vpn0
            $0.underlying = wwan0
        }
        #expect(path.isExpensive && path.usesInterfaceType(.other) && path.usesInterfaceType(.cellular))
        #expect(path.underlyingInterface == wwan0 && !path.usesInterfaceType(.wifi))
    }

    @Test func aPathThatIsNotThereUsesNoInterface() {
        let path = path {
            $0.flags = []
            $0.reason = .linkDown
            $0.interface = eth0
        }
        #expect(path.status == .unsatisfied && path.reason == .linkDown && path.availableInterfaces == [eth0])
        #expect(!path.usesInterfaceType(.wiredEthernet))
    }

    @Test func interfacesAreEqualByNameAndIndex() {
        #expect(eth0 == NetworkInterface(name: "eth0", index: 2, type: .wifi))
        #expect(eth0 != NetworkInterface(name: "eth0", index: 3, type: .wiredEthernet))
        #expect(eth0 != NetworkInterface(name: "eth1", index: 2, type: .wiredEthernet))
        #expect(Set([eth0, NetworkInterface(name: "eth0", index: 2, type: .wifi)]).count == 1)
    }
}

/// The last things that happened to a manager.
@Suite struct EventLogTests {
    @Test func itKeepsTheLastFewOldestFirstWithTheirAge() {
        var log = Reachability.EventLog()
        let start = Instant.now
        #expect(log.lines(now: start).isEmpty)
        log.add(.started, at: start)
        for second in 1...20 {
            log.add(.delivered(second % 2 == 0 ? .viaWiFi : .viaWWAN), at: start + .seconds(second))
        }
        let lines = log.lines(now: start + .seconds(21))
        #expect(lines.count == 8 && lines.first == "8.0 s ago: told Reachable via WWAN")
        #expect(lines.last == "1.0 s ago: told Reachable via WiFi")
    }

    @Test func aFindingIsNamedWithReasonAndCauses() {
        var log = Reachability.EventLog()
        let start = Instant.now
        log.add(.reported(.notReachable, .linkDown, [.link, .address]), at: start)
        #expect(
            log.lines(now: start) == [
                "0.0 s ago: found Not Reachable: the link that packets leave by is down (link, address)"
            ])
    }
}
