import ScriptedServers
import Testing

/// Names through the whole program, asked of a real server.
@Suite(
    .enabled(if: PrivateHost.isPossible, PrivateHost.needs),
    .enabled(if: Dnsmasq.isInstalled, "needs dnsmasq (apt install dnsmasq-base)"))
struct DnsmasqTests {
    private static let zone = [
        "--host-record=both.test,203.0.113.1,2001:db8::1", "--host-record=six.test,2001:db8::6",
        "--cname=www.test,web.test", "--cname=web.test,both.test",
    ]

    @Test func addressesOfBothFamiliesAreFoundThroughAliasesToo() throws {
        let host = try PrivateHost()
        try host.write(PrivateHost.ownResolver, to: "resolv.conf")
        let server = try Dnsmasq(on: host, Self.zone)
        for line in try host.status("both.test", "www.test", "WEB.Test.") {
            #expect(line.status == "viaWiFi" && line.interface == "eth0" && line.reason == nil)
            #expect(line.addresses == ["203.0.113.1", "2001:db8::1"])
        }
        withExtendedLifetime(server) {}
    }

    @Test func whatIsNotReachableSaysWhy() throws {
        let host = try PrivateHost()
        try host.write(PrivateHost.ownResolver, to: "resolv.conf")
        let server = try Dnsmasq(on: host, Self.zone)
        let lines = try host.status("none.test", "six.test", "elsewhere.example")
        #expect(lines.map(\.status) == ["notReachable", "notReachable", "notReachable"])
        // No name; a name in a family without a route; a name that the server refuses to answer for.
        #expect(lines.map(\.reason) == ["nameNotFound", "noRoute", "resolverFailed"])
        #expect(lines.map(\.addresses) == [[], ["2001:db8::6"], []])
        withExtendedLifetime(server) {}
    }

    @Test func aZoneThatChangesIsSeenWithTheNextPath() throws {
        let host = try PrivateHost()
        try host.write(PrivateHost.ownResolver, to: "resolv.conf")
        try host.write("203.0.113.1 api.test\n", to: "zone")
        let server = try Dnsmasq(on: host, ["--addn-hosts=/etc/zone"])
        let watch = try host.watch("api.test")
        #expect(try watch.until("api.test", status: "viaWiFi").addresses == ["203.0.113.1"])
        try host.write("203.0.113.2 api.test\n", to: "zone")
        try server.readAgain()
        try host.ip("route replace default via 198.51.100.3")
        try watch.until("api.test") { $0.addresses == ["203.0.113.2"] }
        #expect(watch.lines.allSatisfy { $0.status == "viaWiFi" })
    }

    @Test func r22_aServerThatIsDeadAndThenAliveIsFoundWithoutAnyOtherEvent() throws {
        let host = try PrivateHost()
        try host.write(PrivateHost.ownResolver, to: "resolv.conf")
        let watch = try host.watch("both.test")
        #expect(try watch.until("both.test", status: "notReachable").reason == "resolverFailed")
        let server = try Dnsmasq(on: host, Self.zone)
        try watch.until("both.test", status: "viaWiFi")
        #expect(watch.lines.count == 2)
        withExtendedLifetime(server) {}
    }

    @Test func r89_aServerThatDiesTakesNoNameDown() throws {
        let host = try PrivateHost()
        try host.write(PrivateHost.ownResolver, to: "resolv.conf")
        var server: Dnsmasq? = try Dnsmasq(on: host, Self.zone)
        let watch = try host.watch("both.test", "late.test")
        try watch.until("both.test", status: "viaWiFi")
        withExtendedLifetime(server) {}
        server = nil
        try host.ip("route replace default via 198.51.100.3")
        try watch.until("both.test") { $0.change == ["gateway"] }
        try watch.untilQuiet(for: .seconds(3))  // the lookup of the new path, and the first that repeats it
        #expect(watch.lines.last { $0.target == "both.test" }?.status == "viaWiFi")
    }
}
