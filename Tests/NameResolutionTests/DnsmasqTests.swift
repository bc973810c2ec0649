import Foundation
import Glibc
import InternetProtocol
import ScriptedServers
import Testing
import Timing

@testable import NameResolution

/// The channel against a real server, dnsmasq (apt package dnsmasq-base), on loopback.
@Suite(.enabled(if: Dnsmasq.isInstalled, "needs dnsmasq (apt install dnsmasq-base)"))
struct DnsmasqTests {
    private static let zone = [
        "--host-record=both.test,10.0.0.1,2001:db8::1,300", "--host-record=four.test,10.0.0.4,45",
        "--host-record=six.test,2001:db8::6", "--cname=www.test,web.test,30", "--cname=web.test,both.test,600",
    ]

    @Test(
        arguments: [
            ("both.test", ["10.0.0.1", "2001:db8::1"], 300), ("four.test", ["10.0.0.4"], 45),
            ("six.test", ["2001:db8::6"], 0),
            ("www.test", ["10.0.0.1", "2001:db8::1"], 30), ("WEB.Test.", ["10.0.0.1", "2001:db8::1"], 300),
        ] as [(String, [String], Int)])
    func namesAndAliasesAreFound(name: String, addresses: [String], seconds: Int) throws {
        let server = try Dnsmasq(Self.zone)
        let driver = try ChannelDriver(ports: [server.port])
        #expect(
            try driver.outcome(of: name)
                == .addresses(addresses.compactMap { IPAddress($0) }, timeToLive: .seconds(seconds)))
    }

    @Test func r34_aNameThatIsNotInTheZoneIsNotFound() throws {
        let server = try Dnsmasq(Self.zone)
        let driver = try ChannelDriver(ports: [server.port])
        #expect(try driver.outcome(of: "none.test") == .notFound)
    }

    @Test func whatTheServerDoesNotAnswerForIsAFailure() throws {
        let server = try Dnsmasq(Self.zone)
        let driver = try ChannelDriver(ports: [server.port])
        guard case .failed? = try driver.outcome(of: "elsewhere.example") else {  // refused: it has no server above it
            Issue.record("not a failure")
            return
        }
    }

    @Test func aZoneThatChangesIsSeen() throws {
        let folder = try TemporaryFolder()
        try folder.write("10.0.0.1 api.test\n", to: "zone")
        let server = try Dnsmasq(["--addn-hosts=\(folder.path("zone"))"])
        let driver = try ChannelDriver(ports: [server.port])
        #expect(try driver.outcome(of: "api.test") == .addresses([#require(IPAddress("10.0.0.1"))], timeToLive: .zero))
        try folder.write("10.0.0.2 api.test\n", to: "zone")
        try server.readAgain()
        let new = LookupOutcome.addresses([try #require(IPAddress("10.0.0.2"))], timeToLive: .zero)
        let end = Instant.now + .seconds(30)
        while try driver.outcome(of: "api.test") != new { try #require(Instant.now < end) }
    }

    @Test func r22_aServerThatDiesAndComesBackIsAskedAgain() throws {
        var server: Dnsmasq? = try Dnsmasq(Self.zone)
        let port = try #require(server?.port)
        let driver = try ChannelDriver(ports: [port])
        let found = LookupOutcome.addresses([try #require(IPAddress("10.0.0.4"))], timeToLive: .seconds(45))
        #expect(try driver.outcome(of: "four.test") == found)
        server = nil
        guard case .failed? = try driver.outcome(of: "four.test") else {
            Issue.record("not a failure")
            return
        }
        server = try Dnsmasq(Self.zone, port: port)
        #expect(try driver.outcome(of: "four.test") == found)
        withExtendedLifetime(server) {}
    }

    /// `nameserver fe80::53%v0`, which c-ares before 1.20 cannot be told, in a network namespace of the test's own.
    @Test(.enabled(if: geteuid() == 0, "needs root for a network namespace"))
    func aServerWithALinkLocalAddressIsAskedOnItsLink() throws {
        let outcome = try onThread {
            try enterNewNetwork()
            for command in [
                "link set lo up", "link add v0 type veth peer name v1", "link set v0 up", "link set v1 up",
                "addr add fe80::53/64 dev v0 nodad",
            ] {
                try ChildProcess.run(["ip"] + command.split(separator: " ").map(String.init))
            }
            let server = try Dnsmasq(Self.zone, port: 5300, listening: ["--interface=v0"])
            var configuration = ResolverConfiguration()
            configuration.nameservers = [Nameserver("fe80::53%v0", port: server.port)].compactMap(\.self)
            return try ChannelDriver(configuration).outcome(of: "both.test")
        }
        #expect(
            outcome == .addresses(["10.0.0.1", "2001:db8::1"].compactMap { IPAddress($0) }, timeToLive: .seconds(300)))
    }

    /// Gives the calling thread a network namespace of its own. unshare(2), which the Glibc module does not show.
    private func enterNewNetwork() throws {
        // Sound: the C library has the function, and this is its type.
        guard let symbol = unsafe dlsym(nil, "unshare") else { throw TemporaryFolder.Failure(errno: ENOSYS) }
        let unshare = unsafe unsafeBitCast(symbol, to: (@convention(c) (CInt) -> CInt).self)
        guard unshare(0x4000_0000) == 0 else { throw TemporaryFolder.Failure(errno: errno) }  // CLONE_NEWNET
    }

    /// Runs a body on a thread that ends with it: whatever namespace it entered goes too.
    private func onThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) throws -> Value {
        let box = Box<Value>()
        let done = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            box.result = Result { try body() }
            done.signal()
        }
        done.wait()
        return try #require(box.result).get()
    }

    /// Sendable: written before the semaphore is signalled, read after.
    private final class Box<Value>: @unchecked Sendable {
        var result: Result<Value, any Error>?
    }
}
