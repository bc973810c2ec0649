import InternetProtocol
import Reachability
import Rtnetlink
import Testing
import Timing

@testable import ReachabilityExample

/// What the dashboard knows, and how it is drawn.
@Suite struct DashboardTests {
    private let start = Instant.now
    private let time = WallTime.now
    private static let wlan0 = NetworkInterface(name: "wlan0", index: 2, type: .wifi)

    private func report(_ flags: ReachabilityFlags, _ reason: ReachabilityReason? = nil) -> Report {
        var report = Report(flags: flags, reason: reason)
        report.interface = flags.isEmpty ? nil : Self.wlan0
        return report
    }

    /// Two targets, of which the first goes and comes again.
    private func model() -> DashboardModel {
        var model = DashboardModel(targets: [("default", .default), ("10.0.0.1", .address)])
        model.begin()
        model.heard(report(.reachable), of: 0, at: start, time)
        model.heard(report([], .noRoute), of: 0, at: start + .seconds(10), time)
        model.heard(report(.reachable), of: 0, at: start + .seconds(70), time)
        model.heard(report(.reachable), of: 2, at: start + .seconds(70), time)
        return model
    }

    private func page(_ model: DashboardModel, columns: Int = 100, rows: Int = 30) -> [String] {
        DashboardPage(model: model, now: start + .seconds(75), timeOfDay: "12:00:00")
            .lines(columns: columns, rows: rows).map(\.plain)
    }

    // MARK: - The model

    @Test func theSameAgainIsNoChange() {
        var model = model()
        #expect(model.changes.count == 3)
        model.heard(report(.reachable), of: 0, at: start + .seconds(80), time)
        #expect(model.changes.count == 3)
        #expect(model.targets[0].since == start + .seconds(70))
    }

    @Test func anotherWayWithTheSameStatusKeepsItsAge() {
        var model = model()
        var other = report(.reachable)
        other.gateway = IPAddress("10.0.0.254")
        model.heard(other, of: 0, at: start + .seconds(80), time)
        #expect(model.changes.first?.change == ["gateway"])
        #expect(model.targets[0].since == start + .seconds(70))
    }

    @Test func withoutMonitoringNothingIsClaimed() {
        var model = model()
        model.end(at: start + .seconds(71))
        // One that was on its way.
        model.heard(report(.reachable), of: 0, at: start + .seconds(71.5), time)
        #expect(model.path == nil && model.targets[0].observation == nil)
        let lines = page(model)
        #expect(lines[0].hasSuffix("not monitoring"))
        #expect(lines.contains { $0.hasPrefix("  default ") && $0.hasSuffix("not monitored") })
        #expect(lines.last?.hasPrefix("m starts monitoring") == true)
        model.begin()
        model.heard(report(.reachable), of: 0, at: start + .seconds(72), time)
        #expect(model.changes.first?.change == ["initial"])
    }

    @Test func changesDoNotGrowWithoutEnd() {
        var model = model()
        for second in 0..<2000 {
            model.heard(
                report(second.isMultiple(of: 2) ? [] : .reachable), of: 0, at: start + .seconds(100 + second), time)
        }
        #expect(model.changes.count == 500)
        #expect(model.changes.first?.report.flags == .reachable, "the newest stay")
    }

    // MARK: - The page

    @Test func whatIsKnownIsShown() {
        let lines = page(model())
        #expect(lines.contains("Connection  ● Wi-Fi  by wlan0"))
        #expect(lines.contains("Expensive   no"))
        #expect(lines.contains { $0.contains("default   Reachable via WiFi  for 5 s") && $0.contains("wlan0 (wifi)") })
        #expect(lines.contains { $0.contains("10.0.0.1  not known yet") })
        // Five seconds since it came back, a minute of loss before that.
        #expect(lines.contains { $0.hasSuffix("▁▁▁▁█████") })
        let changes = lines.drop { $0 != "Changes" }.dropFirst().prefix(3)
        #expect(changes.map { $0.contains("no route leads there") } == [false, true, false])
    }

    @Test func aLossIsSaidWithItsReason() {
        var model = model()
        model.heard(report([], .linkDown), of: 2, at: start + .seconds(72), time)
        let lines = page(model)
        #expect(lines.contains("Connection  ● Offline  the link that packets leave by is down"))
        #expect(!lines.contains { $0.hasPrefix("Expensive") })
    }

    @Test func ofManyLinksSomeAreShownAndTheRestCounted() {
        var model = model()
        let wlan0 = Link(index: InterfaceIndex(2), name: "wlan0")
        let row = InterfaceRow(wlan0, in: NetworkView(links: LinkTable([wlan0])))
        model.interfaces = [InterfaceRow](repeating: row, count: 50)
        let lines = page(model, rows: 30)
        #expect(lines.contains { $0.hasPrefix("  wlan0  wifi") })
        #expect(lines.contains { $0.hasPrefix("  and 4") && $0.hasSuffix(" more") })
        #expect(lines.contains("Changes"), "links leave room for changes")
    }

    @Test(arguments: [(0, 0), (1, 1), (7, 3), (20, 5), (40, 12), (80, 24), (300, 100)])
    func aPageFitsTheScreen(columns: Int, rows: Int) {
        var model = model()
        model.caption = ["1 of 2  Something happens.", "ip link set wlan0 down"]
        let lines = page(model, columns: columns, rows: rows)
        #expect(lines.count == rows)
        #expect(lines.allSatisfy { $0.count <= columns })
        if columns >= 80, rows > 0 { #expect(lines.last?.hasSuffix("q quits") == true) }
    }

    @Test(arguments: [
        (0, "0 s"), (59, "59 s"), (61, "1 min 1 s"), (3660, "1 h 1 min"), (90000, "1 d 1 h"), (-5, "0 s"),
    ])
    func agesHaveTwoUnits(seconds: Int, text: String) {
        #expect(DashboardPage.age(.seconds(seconds)) == text)
    }
}
