import Foundation
import InternetProtocol
import ScriptedServers
import Testing
import Timing

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

    @Test func aConfigurationMayAskForTCPFromTheFirst() throws {
        let server = try ScriptedServer { question in
            question.isTCP ? .records([.address("api.test", question.family == .v4 ? ten : six)]) : .code(3)
        }
        var configuration = ResolverConfiguration.to([server.port])
        configuration.usesTCP = true
        let driver = try ChannelDriver(configuration)
        #expect(try driver.outcome(of: "api.test") == .addresses([ten, six], timeToLive: .seconds(60)))
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

    @Test func r89_addressesOfOneFamilyAreTakenThoughTheOtherFails() throws {
        let server = try ScriptedServer { $0.family == .v6 ? .records([.address("half.test", six)]) : .code(2) }
        let driver = try ChannelDriver(ports: [server.port])
        #expect(try driver.outcome(of: "half.test") == .partial([six], timeToLive: .seconds(60), missing: .v4))
    }

    @Test func silenceIsATimeoutAfterTheConfiguredTries() throws {
        let server = try ScriptedServer { _ in .silence }
        let driver = try ChannelDriver(ports: [server.port], timeout: .milliseconds(100), attempts: 2)
        let start = Instant.now
        #expect(try driver.outcome(of: "silent.test") == .timeout)
        let took = start.duration(to: .now)
        #expect(took >= .milliseconds(295) && took < .seconds(10), "\(took)")  // 100 ms, then 200 ms
        #expect(server.questions.count == 4)
        #expect(driver.wakeUps < 20, "\(driver.wakeUps) turns")
    }

    @Test func aSecondServerIsAskedWhenTheFirstIsSilent() throws {
        let silent = try ScriptedServer { _ in .silence }
        let server = try ScriptedServer { $0.family == .v4 ? .records([.address("api.test", ten)]) : .code(0) }
        let driver = try ChannelDriver(ports: [silent.port, server.port], timeout: .seconds(1))
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
        let start = Instant.now
        try driver.channel?.lookUp(HostName("api.test"), early: { early.append($0) }, completion: { outcome = $0 })
        driver.run(until: { !early.isEmpty || outcome != nil })
        #expect(early == [[ten]] && outcome == nil)
        #expect(start.duration(to: .now) >= NameChannel.earlyInterval)
        driver.run(until: { outcome != nil })
        #expect(early == [[ten]] && outcome == .partial([ten], timeToLive: .seconds(60), missing: .v6))
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

    @Test func aServerOnALinkThatIsNotThereIsPassedOver() throws {
        let server = try ScriptedServer { .records([.address("api.test", $0.family == .v4 ? ten : six)]) }
        var configuration = ResolverConfiguration.to([server.port], timeout: .seconds(30))
        configuration.nameservers.insert(try #require(Nameserver("fe80::1%nosuch0")), at: 0)
        let driver = try ChannelDriver(configuration)
        #expect(try driver.outcome(of: "api.test") == .addresses([ten, six], timeToLive: .seconds(60)))
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
}
