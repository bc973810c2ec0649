import Foundation
import InternetProtocol
import ScriptedServers
import Testing
import Timing

@testable import NameResolution

private let ten = IPAddress(v4: 0x0a00_0001)
private let eleven = IPAddress(v4: 0x0a00_0002)
private let six = IPAddress(family: .v6, bits: 0x2001_0db8 << 96 | 1)

/// How lookups and channels end, and what may be called from where.
@Suite struct NameChannelLifetimeTests {
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

    @Test func endedLookupsAreLetGo() throws {
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

    @Test func aCancelledLookupTellsNothing() throws {
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

    @Test func aLookupMayBeginWhereAnotherIsTold() throws {
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

    @Test func aChannelMayBeClosedWhereALookupIsTold() throws {
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
