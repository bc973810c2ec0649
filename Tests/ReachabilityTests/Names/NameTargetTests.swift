import Foundation
import Glibc
import Reachability
import ReachabilityTesting
import TargetTesting
import TestSupport
import Testing

/// Which texts and URLs are targets, and what becomes of the others.
@Suite struct NameTargetTests {
    @Test(arguments: [
        ("api.test", "api.test"), ("API.Test", "api.test"), ("API.test.", "api.test."),
        ("bücher.test", "xn--bcher-kva.test"), ("localhost", "localhost"), ("my_container", "my_container"),
    ])
    func aNameIsWatchedInOneForm(text: String, name: String) throws {
        let manager = try ReachabilityManager(domain: text)
        #expect(manager.target.kind == .name)
        #expect(manager.target.description == name)
        #expect(manager.target == (try .domain(name)))
    }

    @Test(arguments: [
        ("192.0.2.1", "192.0.2.1"), ("127.1", "127.0.0.1"), ("0x7f000001", "127.0.0.1"), ("2130706433", "127.0.0.1"),
        ("2001:DB8::1", "2001:db8::1"), ("::1", "::1"),
    ])
    func numericTextIsAnAddress(text: String, address: String) throws {
        let manager = try ReachabilityManager(domain: text)
        #expect(manager.target.kind == .address)
        #expect(manager.target.description == address)
    }

    @Test(arguments: [("https://h/p", "write \"h\""), ("user@h", "write \"h\""), ("h/p", "write \"h\"")])
    func r35_whatHoldsAHostIsRefusedWithTheHost(text: String, advice: String) {
        let error = #expect(throws: ReachabilityTargetError.self) { try ReachabilityManager(domain: text) }
        #expect(error?.description.contains(advice) == true)
        #expect(error?.description.contains(text) == true)
    }

    @Test(arguments: [("h:8080", "write \"h\""), ("192.0.2.1:80", "write \"192.0.2.1\""), ("[::1]:80", "brackets")])
    func r36_aPortIsRefusedWithTheHost(text: String, advice: String) {
        let error = #expect(throws: ReachabilityTargetError.self) { try ReachabilityManager(domain: text) }
        #expect(error?.description.contains(advice) == true)
    }

    @Test func r36_aPortThatBelongsToAnAddressMakesNoDifference() throws {
        let lab = NameLab()
        let plain = lab.start(.address(try SocketAddress("198.51.100.5")))
        let withPort = lab.start(.address(try SocketAddress("198.51.100.5:443")))
        #expect(try plain.manager.currentFlags() == withPort.manager.currentFlags())
        #expect(withPort.statuses == [.viaWiFi])
    }

    @Test(arguments: [
        "", ".", "..", " ", "a..b", "-a.test", "a b", "\u{0}", "1.2.3.4.5", "256.1.1.1", "fe80::zz",
        String(repeating: "a", count: 64), Array(repeating: "abcdefghi", count: 26).joined(separator: "."),
    ])
    func r37_anInvalidDomainIsAReadableError(text: String) {
        let error = #expect(throws: ReachabilityTargetError.self) { try ReachabilityManager(domain: text) }
        #expect(error?.description.isEmpty == false)
    }

    /// Whatever text comes: an error, or a manager that says nothing before it is started.
    @Test(arguments: [1, 2] as [UInt64])
    func r37_noTextTraps(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let pieces = [
            "a", "Z", "9", "-", "_", ".", ":", "/", "@", "[", "]", "%", " ", "\n", "\u{0}", "ü", "。", "\u{301}",
            "\u{202e}", "🙂", "http://", "xn--", "localhost", "1.2.3.4", "::1", "%25", "?", "#", ",",
        ]
        var accepted = 0
        for _ in 0..<2000 {
            let count = Int.random(in: 0...6, using: &random)
            let text = (0..<count).compactMap { _ in pieces.randomElement(using: &random) }.joined()
            if let manager = try? ReachabilityManager(domain: text) {
                accepted += 1
                #expect(manager.status == .unknown && !manager.isMonitoring)
                #expect(!manager.target.description.isEmpty)
            }
            _ = try? ReachabilityTarget(parsing: text)
            _ = URL(string: text).flatMap { try? ReachabilityManager(url: $0) }
        }
        #expect(accepted > 0 && accepted < 2000)
    }

    @Test func r38_anAddressIsMadeFromTextOrBytesAndNothingElse() throws {
        let text = try SocketAddress("192.0.2.1")
        #expect(ReachabilityManager(address: text).target.description == "192.0.2.1")
        let bytes = unsafe try text.withSockaddr { pointer, length in
            unsafe try ReachabilityManager(sockaddr: pointer, length: length)
        }
        #expect(bytes.target == .address(text))
        var other = sockaddr(sa_family: sa_family_t(AF_UNIX), sa_data: sockaddr().sa_data)
        let error = #expect(throws: SocketAddressError.self) {
            unsafe try ReachabilityManager(sockaddr: &other, length: socklen_t(MemoryLayout<sockaddr>.size))
        }
        #expect(error?.problem == .family(AF_UNIX))
        #expect(throws: SocketAddressError.self) { try SocketAddress("not an address") }
    }

    // MARK: URLs

    @Test(arguments: [
        ("https://api.test", "api.test"), ("https://API.test:8443/v1?q=1#f", "api.test"),
        ("https://user:secret@api.test/", "api.test"), ("http://[2001:db8::1]:80/", "2001:db8::1"),
        ("http://192.0.2.1:80/", "192.0.2.1"), ("https://b%C3%BCcher.test/", "xn--bcher-kva.test"),
        ("https://xn--bcher-kva.test/", "xn--bcher-kva.test"), ("wss://api.test./socket", "api.test."),
        ("//api.test/path", "api.test"),
    ])
    func r42_aURLIsWatchedByItsHost(text: String, target: String) throws {
        let url = try #require(URL(string: text))
        #expect(try ReachabilityManager(url: url).target.description == target)
    }

    @Test func r42_aURLWithALinkLocalAddressKeepsItsScope() throws {
        let url = try #require(URL(string: "http://[fe80::1%25lo]/"))
        #expect(try ReachabilityManager(url: url).target.description == "fe80::1%lo")
    }

    @Test(arguments: ["", "/path", "file:///etc/hosts", "mailto:me@api.test", "data:,x", "http:///x", "api.test"])
    func r43_aURLWithoutAHostIsAnError(text: String) {
        guard let url = URL(string: text) else { return }  // Foundation refuses it already
        let error = #expect(throws: ReachabilityTargetError.self) { try ReachabilityManager(url: url) }
        #expect(error?.problem == .urlWithoutHost(url.absoluteString))
        #expect(error?.description.contains("without a host") == true)
    }

    @Test(arguments: ["http://a%20b/", "http://a%2Fb/", "http://-a/", "http://a..b/"])
    func r43_aURLWithAHostThatIsNoNameIsAnError(text: String) {
        guard let url = URL(string: text) else { return }
        #expect(throws: ReachabilityTargetError.self) { try ReachabilityManager(url: url) }
    }
}
