import InternetProtocol
import ScriptedServers
import Testing

/// How much is asked, and how little is done when nothing happens.
@Suite(.enabled(if: PrivateHost.isPossible, PrivateHost.needs))
struct NameTrafficTests {
    private static func reply(_ question: ScriptedServer.Question, timeToLive: UInt32) -> ScriptedServer.Reply {
        guard question.type == 1 else { return .code(0) }
        return .records([.address(question.name, IPAddress(v4: 0xcb00_7105), timeToLive: timeToLive)])
    }

    @Test func r90_aThousandWatchersOfOneNameSendTwoQueries() throws {
        let host = try PrivateHost()
        let server = try host.serve { Self.reply($0, timeToLive: 300) }
        try host.write(PrivateHost.ownResolver, to: "resolv.conf")
        let watch = try host.watch(Array(repeating: "api.test", count: 1000))
        while watch.lines.count < 1000 { try #require(try watch.next() != nil) }
        #expect(watch.lines.allSatisfy { $0.status == "viaWiFi" })
        #expect(server.questions.sorted() == ["api.test A", "api.test AAAA"])
    }

    @Test func aThousandNamesAreAllFound() throws {
        let host = try PrivateHost()
        let server = try host.serve { Self.reply($0, timeToLive: 300) }
        try host.write(PrivateHost.ownResolver, to: "resolv.conf")
        let watch = try host.watch((0..<1000).map { "host\($0).test" })
        while watch.lines.count < 1000 { try #require(try watch.next() != nil) }
        #expect(watch.lines.allSatisfy { $0.status == "viaWiFi" })
        #expect(Set(watch.lines.map(\.target)).count == 1000)
        #expect(server.questions.count == 2000)
    }

    @Test func r90_sixtyPathChangesInASecondSendAHandfulOfQueries() throws {
        let host = try PrivateHost()
        let server = try host.serve { Self.reply($0, timeToLive: 300) }
        try host.write(PrivateHost.ownResolver, to: "resolv.conf")
        let watch = try host.watch("default", "api.test")
        try watch.until("api.test", status: "viaWiFi")
        let changes = (0..<60).map { "route replace default via 198.51.100.\(10 + $0)\n" }.joined()
        try host.write(changes, to: "changes")
        try host.ip("-batch /etc/changes")
        try watch.until("default") { _ in true }
        try watch.untilQuiet(for: .seconds(2))
        // The first pair, one for what changed, and one a second at most for what is left over; 16 are allowed.
        #expect(server.questions.count > 2 && server.questions.count <= 16)
        #expect(watch.lines.allSatisfy { $0.status == "viaWiFi" })
    }

    @Test(.disabled(if: PrivateHost.isSanitized, "a sanitizer's own thread wakes"))
    func idleIsIdleWithNamesOfEveryKind() throws {
        let host = try PrivateHost()
        let server = try host.serve { Self.reply($0, timeToLive: 0) }
        try host.write("127.0.0.1 localhost\n203.0.113.9 db.test\n", to: "hosts")
        try host.write(PrivateHost.ownResolver, to: "resolv.conf")
        let watch = try host.watch("db.test", "zero.test", "localhost", "default")
        while Set(watch.lines.map(\.target)).count < 4 { try #require(try watch.next() != nil) }
        try watch.untilQuiet(for: .seconds(1))
        let lines = watch.lines.count
        let before = try watch.contextSwitches
        try watch.untilQuiet(for: .seconds(4))
        #expect(try watch.contextSwitches - before <= 1)
        #expect(watch.lines.count == lines)
        #expect(server.questions.sorted() == ["zero.test A", "zero.test AAAA"])
    }

    /// Every exec of every program opens these files.
    @Test(.disabled(if: PrivateHost.isSanitized, "a sanitizer's own thread wakes"))
    func readersOfTheFilesWakeNobody() throws {
        let host = try PrivateHost()
        try host.write("127.0.0.1 localhost\n203.0.113.9 db.test\n", to: "hosts")
        let watch = try host.watch("db.test")
        try watch.until("db.test", status: "viaWiFi")
        try watch.untilQuiet(for: .seconds(1))
        let before = try watch.contextSwitches
        try ChildProcess.run(["cat", "\(host.etc)/hosts", "\(host.etc)/resolv.conf"])
        try watch.untilQuiet(for: .seconds(1))
        #expect(try watch.contextSwitches - before <= 1)
    }
}
