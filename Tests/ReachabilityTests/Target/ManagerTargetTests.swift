import Dispatch
import Foundation
import Reachability
import Testing

/// The targets of managers, and what is refused at creation. Nothing is started here.
@Suite struct ManagerTargetTests {
    private func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

    @Test(arguments: [
        ("https://example.org", "example.org"), ("https://user@EXAMPLE.org:8443/path?q#f", "example.org"),
        ("http://10.0.0.1:80/", "10.0.0.1"), ("http://[2001:db8::1]:80/", "2001:db8::1"),
        ("ftp://localhost", "localhost"),
        ("http://0.0.0.0/", "default"),
    ])
    func aURLIsItsHost(text: String, target: String) throws {
        #expect(try ReachabilityManager(url: url(text)).target.description == target)
    }

    @Test(arguments: ["file:///etc/hosts", "mailto:a@example.org", "/path", "data:,x"])
    func aURLWithoutHostIsRefused(text: String) throws {
        let url = try url(text)
        do {
            _ = try ReachabilityManager(url: url)
            Issue.record("taken")
        } catch {
            #expect(error.problem == .urlWithoutHost(text) && error.description.contains(text))
        }
    }

    @Test(arguments: ["https://example.org", "example.org:80", "", "a b", String(repeating: "a", count: 64)])
    func aDomainThatIsNoneIsRefused(text: String) {
        #expect(throws: ReachabilityTargetError.self) { try ReachabilityManager(domain: text) }
    }

    @Test func aSockaddrIsRead() throws {
        let address = try SocketAddress("[2001:db8::1]:80")
        // Sound: the pointer is used within the call, with its own length.
        let manager = try unsafe address.withSockaddr { try unsafe ReachabilityManager(sockaddr: $0, length: $1) }
        #expect(manager.target == .address(address))
        #expect(throws: SocketAddressError.self) {
            try unsafe address.withSockaddr { pointer, _ in
                try unsafe ReachabilityManager(sockaddr: pointer, length: 16)
            }
        }
    }

    @Test func creatingStartsNothing() throws {
        let managers = [
            ReachabilityManager(), ReachabilityManager(address: try SocketAddress("10.0.0.1")),
            try ReachabilityManager(domain: "localhost"),
        ]
        #expect(managers.allSatisfy { $0.status == .unknown && !$0.isMonitoring })
    }
}
