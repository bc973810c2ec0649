import InternetProtocol
import Reachability
import Rtnetlink

extension FakeHost {
    /// What an evaluation finds out.
    func report(_ subject: Subject, requiredInterface: String? = nil) -> Report {
        var evaluation = Evaluation(self)
        return evaluation.report(subject, requiredInterface: requiredInterface)
    }

    /// The report about one address, with `%link` for a scope.
    func report(to text: String, requiredInterface: String? = nil) -> Report {
        report(address(text), requiredInterface: requiredInterface)
    }

    /// The report about the default route.
    var defaultReport: Report { report(.defaultRoute) }

    /// The report about a pair; empty text is an end that is absent.
    func report(from local: String, to remote: String, requiredInterface: String? = nil) -> Report {
        let ends = [local, remote].map { $0.split(separator: "%").map(String.init) }
        let addresses = ends.map { $0.first.map { ip($0) } }
        let scope = ends.reversed().compactMap { $0.count > 1 ? index($0[1]) : nil }.first
        return report(
            .pair(local: addresses[0], remote: addresses[1], scope: scope), requiredInterface: requiredInterface)
    }

    /// What an evaluation asks.
    func questions(_ subject: Subject, requiredInterface: String? = nil) -> [RouteQuestion] {
        var evaluation = Evaluation(RecordingOracle(self))
        _ = evaluation.report(subject, requiredInterface: requiredInterface)
        return evaluation.oracle.asked
    }

    func address(_ text: String) -> Subject {
        let parts = text.split(separator: "%").map(String.init)
        return .address(ip(parts[0]), scope: parts.count > 1 ? index(parts[1]) : nil)
    }

    // MARK: - Hosts that many tests use

    /// eth0 with 192.0.2.2/24 and 2001:db8::2/64, and nothing else.
    static var wired: FakeHost {
        var host = FakeHost()
        host.addLink("eth0")
        host.own("192.0.2.2/24", "eth0")
        host.own("2001:db8::2/64", "eth0")
        return host
    }

    /// The same with a default route of each family.
    static var online: FakeHost {
        var host = wired
        host.route("0.0.0.0/0", via: "192.0.2.1", dev: "eth0")
        host.route("::/0", via: "2001:db8::1", dev: "eth0")
        return host
    }

    /// The same with a second card, which leads nowhere further than its own network.
    static var twoCards: FakeHost {
        var host = online
        host.addLink("eth1")
        host.own("198.51.100.2/24", "eth1")
        host.own("2001:db8:1::2/64", "eth1")
        return host
    }
}

extension Link {
    /// Makes the link a modem's.
    mutating func beCellular() {
        name = "wwan0"
        device = DeviceFacts(deviceType: "wwan", isWireless: false)
    }

    /// Makes the link a tunnel.
    mutating func beTunnel(_ kind: String = "wireguard") {
        driver = DriverKind(rawValue: kind)
        hardwareType = .none
        flags = [.up, .running, .pointToPoint]
    }
}
