import InternetProtocol
import ScriptedServers
import Testing

/// Which names go out, and which do not.
@Suite(.enabled(if: PrivateHost.isPossible, PrivateHost.needs))
struct NameFormTests {
    private func hostWithServer() throws -> (PrivateHost, ScriptedServer) {
        let host = try PrivateHost()
        let server = try host.serve { question in
            guard question.type == 1 else { return .code(0) }
            return .records([.address(question.name, IPAddress(v4: 0xcb00_7105))])
        }
        try host.write(PrivateHost.ownResolver, to: "resolv.conf")
        return (host, server)
    }

    @Test func lettersBeyondASCIIGoOutAsALabels() throws {
        let (host, server) = try hostWithServer()
        let lines = try host.status("bücher.test")
        #expect(lines.map(\.target) == ["bücher.test"] && lines.map(\.status) == ["viaWiFi"])
        #expect(server.questions.sorted() == ["xn--bcher-kva.test A", "xn--bcher-kva.test AAAA"])
    }

    @Test func caseMakesNoOtherName() throws {
        let (host, server) = try hostWithServer()
        let lines = try host.status("api.test", "API.Test")
        #expect(lines.map(\.target) == ["api.test", "API.Test"])
        #expect(lines.allSatisfy { $0.status == "viaWiFi" })
        #expect(server.questions.sorted() == ["api.test A", "api.test AAAA"])
    }

    @Test func aNameWithTheDotAtItsEndIsNotLookedForInTheSearchDomains() throws {
        let (host, server) = try hostWithServer()
        try host.write(PrivateHost.ownResolver + "search corp.test\n", to: "resolv.conf")
        let lines = try host.status("printer.")
        #expect(lines.map(\.target) == ["printer."] && lines.map(\.status) == ["viaWiFi"])
        #expect(server.questions.sorted() == ["printer A", "printer AAAA"])
        _ = try host.status("printer")
        #expect(Set(server.questions).isSuperset(of: ["printer.corp.test A", "printer.corp.test AAAA"]))
    }

    @Test func numbersAreNotAskedFor() throws {
        let (host, server) = try hostWithServer()
        let lines = try host.status("127.1", "0x7f000001", "203.0.113.77", "::1")
        #expect(lines.map(\.status) == ["viaWiFi", "viaWiFi", "viaWiFi", "viaWiFi"])
        #expect(server.questions.isEmpty)
    }

    @Test(arguments: [
        "https://api.test/", "api.test:8080", "", "user@api.test", "a..b", "-a.test", "1.2.3.4.5",
        String(repeating: "a", count: 64) + ".test", Array(repeating: "abcdefghi", count: 26).joined(separator: "."),
    ])
    func r35_aBadNameIsToldBeforeAnythingIsSent(name: String) throws {
        let (host, server) = try hostWithServer()
        let (status, text) = try host.program("status", "api.test", name)
        #expect(status == 2)
        #expect(text.split(separator: "\n").count == 1, "\(text)")
        #expect(server.questions.isEmpty)
    }
}
