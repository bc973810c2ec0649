import Foundation
import Glibc
import Synchronization
import Testing

/// A dnsmasq on loopback that ends with its last reference.
final class Dnsmasq {
    static let path = ["/usr/sbin/dnsmasq", "/usr/bin/dnsmasq"].first(where: FileManager.default.isExecutableFile)
    static var isInstalled: Bool { path != nil }

    let port: UInt16
    private let process: ChildProcess

    /// Ports that are not tried yet, below those that the kernel gives out, and not those of another run at the same time.
    private static let nextPort = Mutex(UInt16(15000 + getpid() % 1000 * 10))

    /// Starts it and waits until it says that it has.
    init(_ zone: [String], port: UInt16? = nil, listening: [String] = ["--listen-address=127.0.0.1"]) throws {
        let port =
            port
            ?? Self.nextPort.withLock {
                $0 += 1
                return $0
            }
        self.port = port
        process = try ChildProcess(
            try #require(Self.path),
            [
                "--keep-in-foreground", "--conf-file=/dev/null", "--no-resolv", "--no-hosts", "--no-poll",
                "--bind-interfaces", "--user=", "--group=", "--pid-file=", "--log-facility=-", "--local=/test/",
                "--port=\(port)",
            ] + listening + zone)
        var text = ""
        while !text.contains("started, version") {
            let data = process.readErrors()
            try #require(!data.isEmpty, "dnsmasq ended: \(text)")
            text += String(decoding: data, as: UTF8.self)
        }
    }

    /// Makes it read its files again, some time soon.
    func readAgain() {
        process.signal(SIGHUP)
    }
}

/// A child process that is ended and reaped with its last reference. (Foundation's Process waits on a run loop, which
/// the threads of tests do not run, and its children inherit the signals that those threads block.)
final class ChildProcess {
    private let identity: pid_t
    private let errors: CInt
    private var status: CInt?

    init(_ path: String, _ arguments: [String]) throws {
        var ends: [CInt] = [-1, -1]
        let kind = CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard unsafe socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw TemporaryFolder.Failure(errno: errno) }
        errors = ends[0]
        defer { close(ends[1]) }

        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_adddup2(&actions, ends[1], 2)

        var attributes = posix_spawnattr_t()
        var noSignals = sigset_t()
        unsafe sigemptyset(&noSignals)
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        unsafe posix_spawnattr_setsigmask(&attributes, &noSignals)
        unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))

        var words = unsafe ([path] + arguments).map { unsafe strdup($0) } + [nil]
        defer { unsafe words.forEach { unsafe free($0) } }
        var child: pid_t = 0
        let failure = unsafe posix_spawn(&child, path, &actions, &attributes, &words, environ)
        identity = child
        guard failure == 0 else {
            status = -1
            throw TemporaryFolder.Failure(errno: failure)
        }
    }

    deinit {
        signal(SIGKILL)
        waitForEnd()
        close(errors)
    }

    /// What it wrote to its standard error since; waits for it, and is empty once nobody can write any more.
    func readErrors() -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = unsafe buffer.withUnsafeMutableBytes { unsafe read(errors, $0.baseAddress, $0.count) }
        return Array(buffer.prefix(max(count, 0)))
    }

    func signal(_ number: CInt) {
        if status == nil { kill(identity, number) }
    }

    /// Its exit status, as wait(2) has it.
    @discardableResult
    func waitForEnd() -> CInt {
        if let status { return status }
        var result: CInt = 0
        while unsafe waitpid(identity, &result, 0) < 0, errno == EINTR {}
        status = result
        return result
    }
}
