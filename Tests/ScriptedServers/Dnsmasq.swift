import Foundation
import Glibc
import Synchronization

/// dnsmasq (apt package dnsmasq-base), a real server. It ends with its last reference. One thread.
package final class Dnsmasq {
    private static let path =
        ["/usr/sbin/dnsmasq", "/usr/bin/dnsmasq"].first(where: FileManager.default.isExecutableFile)
    package static var isInstalled: Bool { path != nil }

    package let port: UInt16
    private let child: ChildProcess

    /// Ports that are not tried yet, below those that the kernel gives out, and not those of another run at the same time.
    private static let nextPort = Mutex(UInt16(15000 + getpid() % 1000 * 10))

    /// Starts it and waits until it says that it has. Without a port it takes one that no other test has; `start` starts
    /// a program with these arguments whose errors can be read, elsewhere than in the test's own network.
    package init(
        _ zone: [String], port: UInt16? = nil, listening: [String] = ["--listen-address=127.0.0.1"],
        start: ([String]) throws -> ChildProcess = { try ChildProcess($0, readsErrors: true) }
    ) throws {
        guard let path = Self.path else { throw ChildProcess.Failure(description: "no dnsmasq") }
        let port =
            port
            ?? Self.nextPort.withLock {
                $0 += 1
                return $0
            }
        self.port = port
        child = try start(
            [
                path, "--keep-in-foreground", "--conf-file=/dev/null", "--no-resolv", "--no-hosts", "--no-poll",
                "--bind-interfaces", "--user=", "--group=", "--pid-file=", "--log-facility=-", "--local=/test/",
                "--port=\(port)",
            ] + listening + zone)
        try waitUntilItSays("started, version")
    }

    /// Makes it read its files again, and waits until it says that it has.
    package func readAgain() throws {
        child.signal(SIGHUP)
        try waitUntilItSays("read ")
    }

    private func waitUntilItSays(_ words: String) throws {
        var text: [String] = []
        while let line = child.line() {
            if line.contains(words) { return }
            text.append(line)
        }
        throw ChildProcess.Failure(description: "dnsmasq does not say \"\(words)\": \(text)")
    }
}
