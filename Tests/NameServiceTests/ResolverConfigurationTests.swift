import InternetProtocol
import ScriptedServers
import Testing

/// The files that say how names are resolved, while they change under a running program.
@Suite(.enabled(if: PrivateHost.isPossible, PrivateHost.needs))
struct ResolverConfigurationTests {
    /// How the file comes to have another content.
    enum Change: CaseIterable, CustomTestStringConvertible {
        case writtenInPlace, replaced, linkRetargeted, targetReplaced, targetWrittenInPlace, targetsTargetReplaced
        case appeared

        var testDescription: String { "\(self)" }
    }

    private static let answer: @Sendable (ScriptedServer.Question) -> ScriptedServer.Reply = { question in
        guard question.type == 1 else { return .code(0) }
        return .records([.address(question.name, IPAddress(v4: 0xcb00_7105))])  // 203.0.113.5
    }

    @Test(arguments: Change.allCases)
    func aNewConfigurationIsUsedAtOnceHoweverItCame(change: Change) throws {
        let host = try PrivateHost()
        let server = try host.serve(Self.answer)
        let new = PrivateHost.ownResolver
        switch change {
        case .writtenInPlace, .replaced: break
        case .linkRetargeted, .targetReplaced, .targetWrittenInPlace:
            try host.write("", to: "stub")
            try host.link("resolv.conf", to: "stub")
        case .targetsTargetReplaced:
            try host.write("", to: "stub")
            try host.link("middle", to: "/etc/stub")
            try host.link("resolv.conf", to: "/etc/middle")
        case .appeared: try host.link("resolv.conf", to: "missing")
        }
        let watch = try host.watch("api.test")
        #expect(try watch.until("api.test", status: "notReachable").reason == "noResolver")
        #expect(server.questions.isEmpty)
        switch change {
        case .writtenInPlace: try host.write(new, to: "resolv.conf")
        case .replaced: try host.replace("resolv.conf", with: new)
        case .linkRetargeted:
            try host.write(new, to: "other")
            try host.link("resolv.conf", to: "other")
        case .targetReplaced, .targetsTargetReplaced: try host.replace("stub", with: new)
        case .targetWrittenInPlace: try host.write(new, to: "stub")
        case .appeared: try host.write(new, to: "missing")
        }
        try watch.until("api.test", status: "viaWiFi")
        #expect(watch.lines.count == 2)
    }

    /// c-ares and the C library ask 127.0.0.1 where nothing is configured; then a host offline looks like one with a
    /// broken server.
    @Test(arguments: ["", "# nothing\n", "search example.test\n", "nameserver nonsense\n"])
    func withoutServersThereIsNoResolverAndNobodyIsAsked(text: String) throws {
        let host = try PrivateHost()
        let server = try host.serve(Self.answer)
        try host.write(text, to: "resolv.conf")
        let lines = try host.status("api.test", "localhost", "www.localhost")
        #expect(lines.map(\.reason) == ["noResolver", nil, nil])
        #expect(lines.map(\.status) == ["notReachable", "viaWiFi", "viaWiFi"])
        #expect(server.questions.isEmpty)
        // It would have heard.
        try host.write(PrivateHost.ownResolver, to: "resolv.conf")
        #expect(try host.status("api.test").map(\.status) == ["viaWiFi"])
        #expect(!server.questions.isEmpty)
    }

    @Test(arguments: [false, true])
    func aNameOfTheHostsFileNeedsNoServer(isReplaced: Bool) throws {
        let host = try PrivateHost()
        let watch = try host.watch("db.test")
        #expect(try watch.until("db.test", status: "notReachable").reason == "noResolver")
        let text = "127.0.0.1 localhost\n203.0.113.9 DB.test db\n"
        try isReplaced ? host.replace("hosts", with: text) : host.write(text, to: "hosts")
        #expect(try watch.until("db.test", status: "viaWiFi").addresses == ["203.0.113.9"])
        try host.ip("route del default")
        #expect(try watch.until("db.test", status: "notReachable").reason == "noRoute")
    }

    @Test func theServicesSayWhetherServersAreAsked() throws {
        let host = try PrivateHost()
        let server = try host.serve(Self.answer)
        try host.write(PrivateHost.ownResolver, to: "resolv.conf")
        try host.write("hosts: files\n", to: "nsswitch.conf")
        let watch = try host.watch("api.test")
        #expect(try watch.until("api.test", status: "notReachable").reason == "nameNotFound")
        #expect(server.questions.isEmpty)
        try host.replace("nsswitch.conf", with: "hosts: files dns\n")
        try watch.until("api.test", status: "viaWiFi")
    }
}
