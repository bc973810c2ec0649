import Foundation
import Glibc
import Testing

/// dnsmasq (apt package dnsmasq-base) at port 53 of a private host's 127.0.0.1. It ends with its last reference.
final class Dnsmasq {
    private static let path =
        ["/usr/sbin/dnsmasq", "/usr/bin/dnsmasq"].first(where: FileManager.default.isExecutableFile)
    static var isInstalled: Bool { path != nil }

    private let child: ChildProcess

    /// Starts it and waits until it says that it has.
    init(on host: PrivateHost, _ zone: [String]) throws {
        child = try host.start(
            [
                try #require(Self.path), "--keep-in-foreground", "--conf-file=/dev/null", "--no-resolv", "--no-hosts",
                "--no-poll", "--bind-interfaces", "--listen-address=127.0.0.1", "--user=", "--group=", "--pid-file=",
                "--log-facility=-", "--local=/test/",
            ] + zone, readsErrors: true)
        while let line = child.line() {
            if line.contains("started, version") { return }
        }
        throw ChildProcess.Failure(description: "dnsmasq does not start")
    }

    /// Makes it read its files again, and waits until it says that it has.
    func readAgain() throws {
        child.signal(SIGHUP)
        while let line = child.line() {
            if line.contains("read ") { return }
        }
        throw ChildProcess.Failure(description: "dnsmasq does not read its files again")
    }
}
