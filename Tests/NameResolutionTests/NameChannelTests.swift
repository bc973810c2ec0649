import Foundation
import InternetProtocol
import Testing

@testable import NameResolution

private let ten = IPAddress(v4: 0x0a00_0001)
private let eleven = IPAddress(v4: 0x0a00_0002)
private let six = IPAddress(family: .v6, bits: 0x2001_0db8 << 96 | 1)

/// The channel against a server that does what the test says.
@Suite struct NameChannelTests {
    // MARK: Answers

    @Test func bothFamiliesAreAskedForOnceAndIPv4ComesFirst() throws {
        let server = try ScriptedServer { question in
            question.family == .v4
                ? .late(
                    .milliseconds(50),
                    .records([
                        .address("api.test", eleven), .address("api.test", ten, timeToLive: 7),
                        .address("api.test", eleven),
                    ]))
                : .records([.address("api.test", six)])
        }
        let driver = try ChannelDriver(ports: [server.port])
        #expect(try driver.outcome(of: "API.test.") == .addresses([eleven, ten, six], timeToLive: .seconds(7)))
        #expect(server.questions.sorted() == ["api.test A", "api.test AAAA"])
        #expect(driver.descriptors.isEmpty)
        #expect(driver.channel?.deadline(now: .now) == nil)
    }

    @Test func aliasesAreFollowedAndCountForTheTimeToLive() throws {
        let server = try ScriptedServer { question in
            guard question.family == .v4 else { return .code(0) }
            return .records([
                .alias("www.test", "a.test", timeToLive: 300), .alias("a.test", "b.test", timeToLive: 20),
                .address("b.test", ten, timeToLive: 100),
            ])
        }
        let driver = try ChannelDriver(ports: [server.port])
        #expect(try driver.outcome(of: "www.test") == .addresses([ten], timeToLive: .seconds(20)))
    }

    @Test func noAnswerIsKept() throws {
        let server = try ScriptedServer { question in
            question.family == .v4 ? .records([.address("api.test", question.count == 0 ? ten : eleven)]) : .code(3)
        }
        let driver = try ChannelDriver(ports: [server.port])
        #expect(try driver.outcome(of: "api.test") == .addresses([ten], timeToLive: .seconds(60)))
        #expect(try driver.outcome(of: "api.test") == .addresses([eleven], timeToLive: .seconds(60)))
        #expect(server.questions.count == 4)
    }

    /// RFC 8767 (4): a number with its top bit set is a long time. c-ares from 1.34 on caps it.
    @Test(arguments: [(0, 0...0), (0x8000_0000, 0x7fff_ffff...0x8000_0000), (0xffff_ffff, 0x7fff_ffff...0xffff_ffff)])
    func anyTimeToLiveIsATime(timeToLive: UInt32, seconds: ClosedRange<Int>) throws {
        let server = try ScriptedServer { question in
            question.family == .v4 ? .records([.address("api.test", ten, timeToLive: timeToLive)]) : .code(0)
        }
        let driver = try ChannelDriver(ports: [server.port])
        guard case .addresses([ten], let duration?)? = try driver.outcome(of: "api.test") else {
            Issue.record("no address")
            return
        }
        #expect(seconds.contains(Int(duration.components.seconds)))
    }

    @Test func aLongAnswerIsFetchedOverTCPAndCutAtTheLimit() throws {
        let records = (0..<300).map { DNSMessage.Record.address("many.test", IPAddress(v4: 0x0a00_0000 + $0)) }
        let server = try ScriptedServer { $0.family == .v4 ? .overTCP(records) : .code(0) }
        let driver = try ChannelDriver(ports: [server.port])
        guard case .addresses(let addresses, _)? = try driver.outcome(of: "many.test") else {
            Issue.record("no addresses")
            return
        }
        #expect(addresses.count == LookupOutcome.addressLimit && addresses.first == IPAddress(v4: 0x0a00_0000))
        #expect(server.questions.sorted() == ["many.test A", "many.test A", "many.test AAAA"])
        #expect(driver.descriptors.isEmpty)
    }

    // MARK: No answers

    @Test(arguments: [(3, 3), (0, 0), (3, 0), (0, 3)] as [(UInt8, UInt8)])
    func r34_whatHasNoAddressInEitherFamilyIsNotFound(v4: UInt8, v6: UInt8) throws {
        let server = try ScriptedServer { .code($0.family == .v4 ? v4 : v6) }
        let driver = try ChannelDriver(ports: [server.port])
        #expect(try driver.outcome(of: "none.test") == .notFound)
        #expect(server.questions.count == 2)
    }

    @Test(arguments: [(2, 0), (0, 2), (2, 3), (3, 2), (5, 0), (0, 5), (4, 4), (1, 1)] as [(UInt8, UInt8)])
    func r89_aFailureOfOneFamilyIsNotTakenForNotFound(v4: UInt8, v6: UInt8) throws {
        let server = try ScriptedServer { question in
            let code = question.family == .v4 ? v4 : v6
            return code == 0 || code == 3 ? .late(.milliseconds(100), .code(code)) : .code(code)
        }
        let driver = try ChannelDriver(ports: [server.port])
        guard case .failed(let code, let text)? = try driver.outcome(of: "sick.test") else {
            Issue.record("not a failure")
            return
        }
        #expect(code > 0 && !text.isEmpty)
    }

    @Test func addressesOfOneFamilyOutweighAFailureOfTheOther() throws {
        let server = try ScriptedServer { $0.family == .v6 ? .records([.address("half.test", six)]) : .code(2) }
        let driver = try ChannelDriver(ports: [server.port])
        #expect(try driver.outcome(of: "half.test") == .addresses([six], timeToLive: .seconds(60)))
    }

    @Test func silenceIsATimeoutAfterTheConfiguredTries() throws {
        let server = try ScriptedServer { _ in .silence }
        let driver = try ChannelDriver(ports: [server.port], timeout: .milliseconds(100), attempts: 2)
        let start = ContinuousClock.now
        #expect(try driver.outcome(of: "silent.test") == .timeout)
        let took = start.duration(to: .now)
        #expect(took >= .milliseconds(295) && took < .seconds(10), "\(took)")  // 100 ms, then 200 ms
        #expect(server.questions.count == 4)
        #expect(driver.wakeUps < 20, "\(driver.wakeUps) turns")
    }

    @Test func aSecondServerIsAskedWhenTheFirstIsSilent() throws {
        let silent = try ScriptedServer { _ in .silence }
        let server = try ScriptedServer { $0.family == .v4 ? .records([.address("api.test", ten)]) : .code(0) }
        let driver = try ChannelDriver(ports: [silent.port, server.port], timeout: .milliseconds(100))
        #expect(try driver.outcome(of: "api.test") == .addresses([ten], timeToLive: .seconds(60)))
    }

    @Test func aClosedPortIsAFailureAtOnce() throws {
        var configuration = ResolverConfiguration()
        configuration.nameservers = [try #require(Nameserver("127.9.9.9", port: 9))]
        configuration.timeout = .seconds(30)
        let driver = try ChannelDriver(configuration)
        guard case .failed? = try driver.outcome(of: "api.test") else {
            Issue.record("not a failure")
            return
        }
        #expect(driver.descriptors.isEmpty)
    }

    @Test func r89_aServerThatNeverAnswersForIPv6DoesNotHoldIPv4Back() throws {
        let server = try ScriptedServer { $0.family == .v4 ? .records([.address("api.test", ten)]) : .silence }
        let driver = try ChannelDriver(ports: [server.port], timeout: .milliseconds(900), attempts: 2)
        var early: [[IPAddress]] = []
        var outcome: LookupOutcome?
        let start = ContinuousClock.now
        try driver.channel?.lookUp(HostName("api.test"), early: { early.append($0) }, completion: { outcome = $0 })
        driver.run(until: { !early.isEmpty || outcome != nil })
        #expect(early == [[ten]] && outcome == nil)
        #expect(start.duration(to: .now) >= NameChannel.earlyInterval)
        driver.run(until: { outcome != nil })
        #expect(early == [[ten]] && outcome == .addresses([ten], timeToLive: .seconds(60)))
    }

    // MARK: Bad answers

    /// The first answers are bad, those to the question sent again are good: a bad one changes nothing.
    @Test(arguments: BadAnswer.allCases)
    func aBadAnswerIsAsGoodAsNone(bad: BadAnswer) throws {
        let server = try ScriptedServer { question in
            question.count == 0
                ? .bytes(bad.bytes(question)) : .records([.address("api.test", question.family == .v4 ? ten : six)])
        }
        let driver = try ChannelDriver(ports: [server.port], timeout: .milliseconds(200))
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
        let driver = try ChannelDriver(ports: [server.port], timeout: .milliseconds(100))
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
        let driver = try ChannelDriver(ports: [server.port], timeout: .milliseconds(100))
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

    @Test func anAnswerToTheFirstTryCountsDuringTheSecond() throws {
        let server = try ScriptedServer { question in
            guard question.count == 0 else { return .silence }
            return .late(.milliseconds(250), question.family == .v4 ? .records([.address("slow.test", ten)]) : .code(0))
        }
        let driver = try ChannelDriver(ports: [server.port], timeout: .milliseconds(200), attempts: 2)
        #expect(try driver.outcome(of: "slow.test") == .addresses([ten], timeToLive: .seconds(60)))
    }

    /// Good answers with some bytes changed: each look-up ends, nothing traps.
    @Test(arguments: [1, 2, 3] as [UInt64])
    func anyAnswerEndsTheLookUp(seed: UInt64) throws {
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

    // MARK: Without a server

    @Test func r34_localhostNeedsNoServer() throws {
        let driver = try ChannelDriver(ResolverConfiguration())
        let loopback = [IPAddress(v4: 0x7f00_0001), IPAddress(family: .v6, bits: 1)]
        for name in ["localhost", "localhost.", "LocalHost", "a.localhost", "a.b.localhost."] {
            #expect(try driver.outcome(of: name) == .addresses(loopback, timeToLive: nil))
        }
    }

    @Test func theHostsFileNeedsNoServerAndWinsOverEverything() throws {
        let server = try ScriptedServer { _ in .records([.address("api.test", eleven)]) }
        let hosts = HostsFile("10.0.0.1 api.test db.localhost\n127.0.0.1 localhost\n")
        let driver = try ChannelDriver(ports: [server.port], hosts: hosts)
        #expect(try driver.outcome(of: "api.test") == .addresses([ten], timeToLive: nil))
        #expect(try driver.outcome(of: "db.localhost") == .addresses([ten], timeToLive: nil))
        #expect(try driver.outcome(of: "localhost") == .addresses([IPAddress(v4: 0x7f00_0001)], timeToLive: nil))
        #expect(server.questions.isEmpty)
    }

    @Test func withoutServersThereIsNoResolver() throws {
        let driver = try ChannelDriver(ResolverConfiguration())
        #expect(try driver.outcome(of: "api.test") == .noResolver)
    }

    @Test func theServicesSayWhereNamesAreLookedFor() throws {
        let server = try ScriptedServer { _ in .code(3) }
        var configuration = ResolverConfiguration.to([server.port])
        configuration.services = .hostsFile
        let hosts = HostsFile("10.0.0.1 api.test")
        #expect(try ChannelDriver(configuration, hosts: hosts).outcome(of: "other.test") == .notFound)
        #expect(server.questions.isEmpty)
        configuration.services = .servers
        #expect(try ChannelDriver(configuration, hosts: hosts).outcome(of: "api.test") == .notFound)
        #expect(server.questions.count == 2)
    }

    @Test func aServerOnALinkThatIsNotThereIsAFailureThatNamesIt() throws {
        var configuration = ResolverConfiguration()
        configuration.nameservers = try [#require(Nameserver("fe80::1%nosuch0")), #require(Nameserver("fe80::1"))]
        let driver = try ChannelDriver(configuration)
        #expect(
            try driver.outcome(of: "api.test")
                == .failed(code: 11, text: "no server can be addressed: fe80::1%nosuch0, fe80::1"))
    }

    // MARK: Search

    @Test func shortNamesAreSearchedFor() throws {
        let server = try ScriptedServer { question in
            question.name == "pc.b.test" && question.family == .v6 ? .records([.address("pc.b.test", six)]) : .code(3)
        }
        var configuration = ResolverConfiguration.to([server.port])
        configuration.searchDomains = ["a.test", "b.test"]
        let driver = try ChannelDriver(configuration)
        #expect(try driver.outcome(of: "pc") == .addresses([six], timeToLive: .seconds(60)))
        #expect(Set(server.questions) == ["pc.a.test A", "pc.a.test AAAA", "pc.b.test A", "pc.b.test AAAA"])
        #expect(try driver.outcome(of: "none") == .notFound)
        #expect(server.questions.suffix(2).allSatisfy { $0.hasPrefix("none A") })
    }

    @Test func aFailureEndsTheSearch() throws {
        let server = try ScriptedServer { $0.name == "pc.a.test" ? .code(2) : .records([.address("pc", ten)]) }
        var configuration = ResolverConfiguration.to([server.port])
        configuration.searchDomains = ["a.test"]
        guard case .failed? = try ChannelDriver(configuration).outcome(of: "pc") else {
            Issue.record("not a failure")
            return
        }
    }

    // MARK: Ends

    @Test func aClosedChannelTellsNothingAndForgetsEverything() throws {
        let server = try ScriptedServer { $0.name.hasPrefix("t") && !$0.isTCP ? .overTCP([]) : .silence }
        let counter = Counter()
        let driver = try ChannelDriver(ports: [server.port], hosts: HostsFile("10.0.0.1 h.test"))
        for name in (0..<20).flatMap({ ["s\($0).test", "t\($0).test"] }) + ["h.test", "localhost"] {
            let token = Token(counter)
            try driver.channel?.lookUp(
                HostName(name), early: { _ in token.use() }, completion: { _ in token.use() })
        }
        driver.run(until: { server.questions.count >= 80 && counter.used == 2 })
        #expect(!driver.descriptors.isEmpty && counter.made == 42)
        driver.channel?.close()
        #expect(driver.descriptors.isEmpty)
        #expect(driver.channel?.deadline(now: .now) == nil)
        // The hosts file's two were told; of the others nothing is left.
        #expect(counter.used == 2 && counter.gone == 42)
        try driver.channel?.lookUp(HostName("h.test")) { _ in Issue.record("told by a closed channel") }
        driver.channel?.processTimeouts(now: .now)
        driver.channel?.close()
    }

    @Test func aDroppedChannelIsAClosedOne() throws {
        let server = try ScriptedServer { _ in .silence }
        let counter = Counter()
        let driver = try ChannelDriver(ports: [server.port])
        for number in 0..<10 {
            let token = Token(counter)
            try driver.channel?.lookUp(HostName("n\(number).test")) { _ in token.use() }
        }
        #expect(!driver.descriptors.isEmpty)
        driver.drop()
        #expect(driver.descriptors.isEmpty && counter.gone == 10 && counter.used == 0)
    }

    @Test func endedLookUpsAreLetGo() throws {
        let server = try ScriptedServer { .code($0.count == 0 ? 3 : 2) }
        let counter = Counter()
        let driver = try ChannelDriver(ports: [server.port])
        for number in 0..<200 {
            let token = Token(counter)
            try driver.channel?.lookUp(HostName("n\(number % 100).test")) { _ in token.use() }
        }
        driver.run(until: { counter.used == 200 })
        #expect(counter.gone == 200)
    }

    @Test func aCancelledLookUpTellsNothing() throws {
        let server = try ScriptedServer { .records([.address($0.name, $0.family == .v4 ? ten : six)]) }
        let counter = Counter()
        let driver = try ChannelDriver(ports: [server.port], hosts: HostsFile("10.0.0.1 h.test"))
        let channel = try #require(driver.channel)
        for name in ["a.test", "h.test"] {
            let token = Token(counter)
            channel.cancel(try channel.lookUp(HostName(name)) { _ in token.use() })
        }
        #expect(counter.gone == 2)
        #expect(try driver.outcome(of: "b.test") != nil)
        #expect(counter.used == 0)
    }

    @Test func aLookUpMayBeginWhereAnotherIsTold() throws {
        let server = try ScriptedServer { .records([.address($0.name, $0.family == .v4 ? ten : six)]) }
        let driver = try ChannelDriver(ports: [server.port], hosts: HostsFile("10.0.0.1 h.test"))
        let channel = try #require(driver.channel)
        var told: [String] = []
        let names = try ["a.test", "h.test", "b.test", "localhost", "c.test"].map { try HostName($0) }
        func next(_ index: Int) {
            guard index < names.count else { return }
            channel.lookUp(names[index]) { _ in
                told.append(names[index].text)
                next(index + 1)
            }
        }
        next(0)
        driver.run(until: { told.count == names.count })
        #expect(told == names.map(\.text))
    }

    @Test func aChannelMayBeClosedWhereALookUpIsTold() throws {
        let server = try ScriptedServer { .records([.address($0.name, $0.family == .v4 ? ten : six)]) }
        let driver = try ChannelDriver(ports: [server.port])
        let channel = try #require(driver.channel)
        var told = 0
        for number in 0..<10 {
            try channel.lookUp(HostName("n\(number).test")) { _ in
                told += 1
                channel.close()
            }
        }
        driver.run(until: { told > 0 })
        #expect(told == 1 && driver.descriptors.isEmpty)
    }

    @Test func aChannelMayBeClosedWhereADescriptorIsTold() throws {
        let server = try ScriptedServer { _ in .overTCP([]) }
        let driver = try ChannelDriver(ports: [server.port])
        let channel = try #require(driver.channel)
        var calls = 0
        driver.onDescriptor = {
            calls += 1
            channel.process(descriptor: 0, readable: true, writable: true, now: .now)  // does nothing here
            if calls == 2 { channel.close() }
        }
        try channel.lookUp(HostName("api.test")) { _ in Issue.record("told by a closed channel") }
        driver.run(until: { calls >= 2 })
        #expect(driver.descriptors.isEmpty)
    }

    @Test func otherDescriptorsAreIgnored() throws {
        let server = try ScriptedServer { .records([.address($0.name, $0.family == .v4 ? ten : six)]) }
        let driver = try ChannelDriver(ports: [server.port])
        var told: LookupOutcome?
        try driver.channel?.lookUp(HostName("api.test")) { told = $0 }
        for descriptor in [-1, 0, 1, 100_000, .max] as [CInt] {
            driver.channel?.process(descriptor: descriptor, readable: true, writable: true, now: .now)
        }
        driver.run(until: { told != nil })
        #expect(told == .addresses([ten, six], timeToLive: .seconds(60)))
    }

    /// More than a socket holds in a burst: they are asked for in turns, and none is lost.
    @Test func manyNamesAreLookedUpAtOnce() throws {
        let server = try ScriptedServer { .records([.address($0.name, $0.family == .v4 ? ten : six)]) }
        let driver = try ChannelDriver(ports: [server.port], timeout: .seconds(20), attempts: 1)
        var outcomes: [LookupOutcome] = []
        for number in 0..<1000 {
            let id = try driver.channel?.lookUp(HostName("n\(number).test")) { outcomes.append($0) }
            if number % 100 == 99, let id { driver.channel?.cancel(id) }
        }
        driver.run(until: { outcomes.count == 990 })
        #expect(Set(outcomes) == [.addresses([ten, six], timeToLive: .seconds(60))])
        #expect(outcomes.count == 990)
        driver.channel?.close()
        #expect(driver.descriptors.isEmpty)
    }
}

/// Counts tokens.
private final class Counter {
    var made = 0
    var used = 0
    var gone = 0
}

/// Held by the closures of a look-up, so that their end is seen.
private final class Token {
    private let counter: Counter

    init(_ counter: Counter) {
        self.counter = counter
        counter.made += 1
    }

    deinit {
        counter.gone += 1
    }

    func use() {
        counter.used += 1
    }
}
