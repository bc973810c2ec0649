import InternetProtocol
import ScriptedServers
import Synchronization
import Testing

/// Servers that lie, stammer or are slow.
@Suite(.enabled(if: PrivateHost.isPossible, PrivateHost.needs))
struct BadAnswerTests {
    enum Answer: CaseIterable, CustomTestStringConvertible {
        case garbage, onlyAnID, cutOff, countsTooMuch, loopingName, loopingAlias, wrongID, wrongName, silence, failure

        var testDescription: String { "\(self)" }

        func reply(to question: ScriptedServer.Question) -> ScriptedServer.Reply {
            let good = DNSMessage.reply(to: question, [BadAnswerTests.record(question)])
            switch self {
            case .garbage: return .bytes(question.id + (0..<200).map { UInt8($0) })
            case .onlyAnID: return .bytes(question.id)
            case .cutOff: return .bytes(Array(good.dropLast(9)))
            case .countsTooMuch:
                var bytes = good
                bytes[7] = 200
                return .bytes(bytes)
            case .loopingName:
                // A name that is a pointer to itself (RFC 1035, 4.1.4), at the place of the first record.
                let start = 12 + question.section.count
                let pointer: [UInt8] = [0xc0 | UInt8(start >> 8), UInt8(truncatingIfNeeded: start)]
                return .bytes(Array(good[..<start]) + pointer + [0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 203, 0, 113, 5])
            case .loopingAlias:
                return .records([.alias(question.name, "b.test"), .alias("b.test", question.name)])
            case .wrongID: return .bytes([question.id[0] ^ 0xff, question.id[1]] + good.dropFirst(2))
            case .wrongName:
                let other = DNSMessage.encoded("other.test") + question.section.suffix(4)
                return .bytes(Array(good[..<12]) + other + good.dropFirst(12 + question.section.count))
            case .silence: return .silence
            case .failure: return .code(2)  // SERVFAIL
            }
        }
    }

    private static func record(_ question: ScriptedServer.Question) -> DNSMessage.Record {
        .address(question.name, question.type == 1 ? IPAddress(v4: 0xcb00_7105) : IPAddress(family: .v6, bits: 0x2001))
    }

    @Test(arguments: Answer.allCases)
    func aBadAnswerEndsInAReasonAndTheRetryTimerGoesOn(answer: Answer) throws {
        let host = try PrivateHost()
        let isGood = Mutex(false)
        let server = try host.serve { question in
            guard isGood.withLock({ $0 }) else { return answer.reply(to: question) }
            return question.type == 1 ? .records([Self.record(question)]) : .code(0)
        }
        try host.write(PrivateHost.ownResolver, to: "resolv.conf")
        let watch = try host.watch("default", "api.test")
        let bad = try watch.until("api.test", status: "notReachable")
        #expect(["resolverFailed", "resolverTimeout", "nameNotFound"].contains(bad.reason))
        #expect(bad.addresses.isEmpty)
        let asked = server.questions.count
        #expect(server.awaitQuestions { $0.count > asked })  // it tries again
        isGood.withLock { $0 = true }
        try watch.until("api.test", status: "viaWiFi")
        #expect(watch.lines.filter { $0.target == "default" }.map(\.status) == ["viaWiFi"])
    }

    @Test func aLateAnswerOfADeadLookupIsNobodys() throws {
        let host = try PrivateHost()
        let server = try host.serve { question in
            // The first pair comes after its lookup has timed out, and says something else.
            guard question.type == 1 else { return .code(0) }
            let address = IPAddress(v4: question.count == 0 ? 0xcb00_7101 : 0xcb00_7102)
            let reply = ScriptedServer.Reply.records([.address(question.name, address)])
            return question.count == 0 ? .late(.milliseconds(1500), reply) : .late(.seconds(2), reply)
        }
        try host.write("nameserver 127.0.0.1\noptions timeout:1 attempts:1\n", to: "resolv.conf")
        let watch = try host.watch("api.test")
        let first = try watch.until("api.test", status: "notReachable")
        #expect(first.reason == "resolverTimeout")
        #expect(server.awaitQuestions { $0.count > 2 })
        #expect(watch.lines.allSatisfy { !$0.addresses.contains("203.0.113.1") })
    }

    @Test func r89_aFailureInOneFamilyTakesNoNameDown() throws {
        let host = try PrivateHost()
        let isSick = Mutex(false)
        let server = try host.serve { question in
            question.type == 1 && isSick.withLock { $0 } ? .code(2) : .records([Self.record(question)])
        }
        try host.write(PrivateHost.ownResolver, to: "resolv.conf")
        let watch = try host.watch("api.test")  // its IPv6 address has no route here
        try watch.until("api.test", status: "viaWiFi")
        isSick.withLock { $0 = true }
        let asked = server.questions.count
        try host.ip("route replace default via 198.51.100.3")
        #expect(server.awaitQuestions { $0.count >= asked + 4 })  // and it is tried again
        isSick.withLock { $0 = false }
        try watch.untilQuiet(for: .seconds(3))
        #expect(watch.lines.map(\.status) == ["viaWiFi", "viaWiFi"])
        #expect(watch.lines.last?.change == ["gateway"])
    }

    /// Order, not time: whatever happens to the default route while the server thinks is told before its answer.
    @Test func aSlowServerDelaysNobodyElsesEvents() throws {
        let host = try PrivateHost()
        let server = try host.serve { .late(.seconds(1), .records([Self.record($0)])) }
        try host.write("nameserver 127.0.0.1\noptions timeout:10 attempts:1\n", to: "resolv.conf")
        let watch = try host.watch("default", "api.test")
        try watch.until("default", status: "viaWiFi")
        #expect(server.awaitQuestions { $0.count >= 2 })
        try host.ip("route del default")
        try watch.until("default", status: "notReachable")
        try host.ip("route add default via 198.51.100.1")
        try watch.until("default", status: "viaWiFi")
        #expect(watch.lines.allSatisfy { $0.target == "default" })
        try watch.until("api.test", status: "viaWiFi")
    }
}
