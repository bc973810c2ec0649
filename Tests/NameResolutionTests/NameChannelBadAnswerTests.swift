import Foundation
import InternetProtocol
import ScriptedServers
import TestSupport
import Testing

@testable import NameResolution

private let ten = IPAddress(v4: 0x0a00_0001)
private let eleven = IPAddress(v4: 0x0a00_0002)
private let six = IPAddress(family: .v6, bits: 0x2001_0db8 << 96 | 1)

/// What a server sends that is no answer: no trap, no leak, and the lookup ends.
@Suite struct NameChannelBadAnswerTests {
    /// The first answers are bad, those to the question sent again are good: a bad one changes nothing.
    @Test(arguments: BadAnswer.allCases)
    func aBadAnswerIsAsGoodAsNone(bad: BadAnswer) throws {
        let server = try ScriptedServer { question in
            question.count == 0
                ? .bytes(bad.bytes(question)) : .records([.address("api.test", question.family == .v4 ? ten : six)])
        }
        let driver = try ChannelDriver(ports: [server.port], timeout: .seconds(1))
        #expect(try driver.outcome(of: "api.test") == .addresses([ten, six], timeToLive: .seconds(60)))
    }

    enum BadAnswer: CaseIterable {
        case garbage, oneByte, headerOnly, wrongID, otherQuestion, noise

        func bytes(_ question: DNSMessage.Question) -> [UInt8] {
            let good = DNSMessage.reply(to: question, [.address("api.test", eleven)])
            switch self {
            case .garbage: return question.id + (0..<200).map { UInt8($0) }
            case .oneByte: return [0]
            case .headerOnly: return Array(good.prefix(12))
            case .wrongID: return [good[0] ^ 0x55, good[1] ^ 0x55] + good.dropFirst(2)
            case .otherQuestion:
                return Array(good.prefix(12)) + DNSMessage.encoded("apj.test") + good.dropFirst(12 + 10)
            case .noise: return (0..<512).map { UInt8(truncatingIfNeeded: $0 &* 197) }
            }
        }
    }

    /// An answer that is cut off or goes in circles is a failure, or no data, but never an end or a wait for ever.
    @Test func aCutOrCircularAnswerEnds() throws {
        let server = try ScriptedServer { question in
            switch question.name {
            case "cut.test":
                let reply = DNSMessage.reply(to: question, [.address("cut.test", question.family == .v4 ? ten : six)])
                return .bytes(reply.dropLast(3))
            case "circle.test":
                return .records([.alias("circle.test", "b.test"), .alias("b.test", "circle.test")])
            case "self.test":
                return .records(Array(repeating: .alias("self.test", "self.test"), count: 20))
            default:  // a compressed name that points at itself
                let start = 12 + question.section.count
                var reply = DNSMessage.reply(to: question)
                reply[7] = 1
                return .bytes(reply + [0xc0, UInt8(start), 0, 1, 0, 1, 0, 0, 0, 9, 0, 4, 1, 2, 3, 4])
            }
        }
        let driver = try ChannelDriver(ports: [server.port], timeout: .seconds(2), attempts: 1)
        #expect(try driver.outcome(of: "circle.test") == .notFound)
        #expect(try driver.outcome(of: "self.test") == .notFound)
        for name in ["cut.test", "pointer.test"] {
            switch try driver.outcome(of: name) {
            case .failed?, .timeout?: break
            case let other: Issue.record("\(name): \(String(describing: other))")
            }
        }
    }

    @Test func aConnectionThatIsClosedOrTalksNonsenseIsAFailure() throws {
        let server = try ScriptedServer { question in
            guard question.isTCP else { return .overTCP([]) }
            return question.name == "closed.test" ? .hangUp : .bytes([1, 2, 3])
        }
        let driver = try ChannelDriver(ports: [server.port], timeout: .seconds(1))
        for name in ["closed.test", "nonsense.test"] {
            switch try driver.outcome(of: name) {
            case .failed?, .timeout?: break
            case let other: Issue.record("\(name): \(String(describing: other))")
            }
        }
        #expect(driver.descriptors.isEmpty)
    }

    @Test func aLateAnswerBelongsToNobody() throws {
        let server = try ScriptedServer { question in
            guard question.family == .v4 else { return .code(0) }
            return question.name == "slow.test"
                ? .late(.milliseconds(400), .records([.address("slow.test", ten)]))
                : .late(.milliseconds(300), .records([.address("next.test", eleven)]))
        }
        let driver = try ChannelDriver(ports: [server.port], timeout: .milliseconds(100), attempts: 1)
        #expect(try driver.outcome(of: "slow.test") == .timeout)
        let patient = try ChannelDriver(ports: [server.port])
        #expect(try patient.outcome(of: "next.test") == .addresses([eleven], timeToLive: .seconds(60)))
        #expect(try driver.outcome(of: "slow.test") == .timeout)
    }

    /// Good answers with some bytes changed: each lookup ends, nothing traps.
    @Test(arguments: [1, 2, 3] as [UInt64])
    func anyAnswerEndsTheLookup(seed: UInt64) throws {
        let server = try ScriptedServer { question in
            var random = SeededGenerator(seed: seed &+ question.name.utf8.reduce(0) { $0 &* 31 &+ UInt64($1) })
            var reply = DNSMessage.reply(
                to: question,
                [
                    .alias(question.name, "b.test"), .address("b.test", question.family == .v4 ? ten : six),
                    .address(question.name, eleven),
                ])
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                // The identity and the question stay, so that the answer is read.
                let index = Int.random(in: 2..<reply.count, using: &random)
                guard !(12..<(12 + question.section.count)).contains(index) else { continue }
                reply[index] = UInt8.random(in: 0...255, using: &random)
            }
            if Bool.random(using: &random) { reply.removeLast(Int.random(in: 0...reply.count / 2, using: &random)) }
            return .bytes(reply)
        }
        var outcomes: [LookupOutcome] = []
        for batch in 0..<30 {
            let driver = try ChannelDriver(ports: [server.port], timeout: .milliseconds(30), attempts: 1)
            for number in 0..<10 {
                try driver.channel?.lookUp(HostName("n\(batch)-\(number).test")) { outcomes.append($0) }
            }
            #expect(driver.run(until: { outcomes.count == 10 * (batch + 1) }))
            #expect(driver.descriptors.isEmpty)
        }
        #expect(Set(outcomes).count > 2)
    }
}
