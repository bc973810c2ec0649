import Dispatch
import Foundation
import Glibc
import ScriptedServers
import Testing

/// A host of a test's own: a network with one link and a default route, and a directory /etc of its own, for the
/// programs that are started in it. It ends with its last reference. One thread.
final class PrivateHost {
    /// Where its /etc is, seen from the test.
    let etc: String
    private let folder: String
    /// A shell that waits in the namespaces, and with which they end.
    private let keeper: ChildProcess

    /// What these tests need, for `.enabled(if:)`.
    static let isPossible: Bool = {
        guard FileManager.default.isExecutableFile(atPath: program) else { return false }
        return (try? ChildProcess.run(["unshare", "--net", "--mount", "ip", "link", "set", "lo", "up"])) != nil
    }()
    static let needs: Comment =
        "needs root or a user namespace (Scripts/in-namespace), iproute2 and the built ReachabilityExample"

    /// True under a sanitizer, whose own thread wakes now and then in the program too.
    static var isSanitized: Bool { unsafe dlsym(nil, "__tsan_init") != nil || dlsym(nil, "__asan_init") != nil }

    /// The program under test, beside the bundle of tests.
    private static let program =
        URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent().path + "/ReachabilityExample"

    init() throws {
        var template = Array("/tmp/PrivateHost.XXXXXX".utf8CString)
        guard unsafe mkdtemp(&template) != nil else { throw ChildProcess.Failure(description: "mkdtemp: \(errno)") }
        folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        etc = folder + "/etc"
        try FileManager.default.createDirectory(atPath: etc, withIntermediateDirectories: true)
        for name in ["passwd", "group"] {
            try? FileManager.default.copyItem(atPath: "/etc/\(name)", toPath: "\(etc)/\(name)")
        }
        let setUp = "mount --bind \(etc) /etc && echo ready && read word"
        keeper = try ChildProcess(["unshare", "--net", "--mount", "sh", "-c", setUp])
        guard keeper.line() == "ready" else { throw ChildProcess.Failure(description: "no namespaces") }
        try write("127.0.0.1 localhost\n", to: "hosts")
        try write("", to: "resolv.conf")
        for words in [
            "link set lo up", "link add eth0 type veth peer name eth1",
            // No IPv6 address by itself: the check for duplicates ends some time after the test has begun.
            "link set eth0 addrgenmode none", "link set eth1 addrgenmode none", "link set eth1 up", "link set eth0 up",
            "addr add 198.51.100.2/24 dev eth0", "route add default via 198.51.100.1",
        ] { try ip(words) }
    }

    deinit {
        keeper.kill()
        try? FileManager.default.removeItem(atPath: folder)
    }

    // MARK: - Files

    /// Writes a file of /etc, or one elsewhere by its path, in place.
    func write(_ text: String, to name: String) throws {
        try text.write(toFile: path(name), atomically: false, encoding: .utf8)
    }

    /// Puts a new file in the place of the old one at once, as most tools do.
    func replace(_ name: String, with text: String) throws {
        try write(text, to: name + ".new")
        try move(name + ".new", to: name)
    }

    /// Puts a symbolic link in the place of whatever is there.
    func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: path(name + ".new"), withDestinationPath: target)
        try move(name + ".new", to: name)
    }

    private func move(_ old: String, to new: String) throws {
        guard unsafe rename(path(old), path(new)) == 0 else {
            throw ChildProcess.Failure(description: "rename: errno \(errno)")
        }
    }

    private func path(_ name: String) -> String { "\(etc)/\(name)" }

    /// What asks 127.0.0.1 once, for a second.
    static let ownResolver = "nameserver 127.0.0.1\noptions timeout:1 attempts:1\n"

    // MARK: - Programs

    func ip(_ words: String) throws {
        try ChildProcess.run(inside(["ip"] + words.split(separator: " ").map(String.init)))
    }

    func start(_ arguments: [String], readsErrors: Bool = false) throws -> ChildProcess {
        try ChildProcess(inside(arguments), readsErrors: readsErrors)
    }

    func watch(_ targets: String...) throws -> Watch { try watch(targets) }

    func watch(_ targets: [String]) throws -> Watch { Watch(try start([Self.program, "watch", "--json"] + targets)) }

    /// One line for each target, from `status`.
    func status(_ targets: String...) throws -> [Watch.Line] {
        try start([Self.program, "status", "--json"] + targets).text()
            .split(separator: "\n").map { try Watch.Line(String($0)) }
    }

    /// Any call of the program: its exit status, and what it printed with its errors.
    func program(_ arguments: String...) throws -> (status: Int?, text: String) {
        let child = try start([Self.program] + arguments, readsErrors: true)
        let text = child.text()
        return (child.exitStatus(), text)
    }

    private func inside(_ arguments: [String]) -> [String] {
        ["nsenter", "--target", String(keeper.identifier), "--net", "--mount"] + arguments
    }

    // MARK: - Servers

    /// A server at port 53 of its 127.0.0.1.
    func serve(
        _ script: @escaping @Sendable (ScriptedServer.Question) -> ScriptedServer.Reply
    ) throws -> ScriptedServer {
        let process = keeper.identifier
        let box = Box()
        // On a thread that ends with it: a namespace that it entered must not be another test's.
        Thread.detachNewThread {
            box.server = Result {
                try Self.enterNetwork(of: process)
                return try ScriptedServer(port: 53, script)
            }
            box.done.signal()
        }
        box.done.wait()
        return try #require(box.server).get()
    }

    /// Sendable: written before the semaphore is signalled, read after.
    private final class Box: @unchecked Sendable {
        let done = DispatchSemaphore(value: 0)
        var server: Result<ScriptedServer, any Error>?
    }

    /// setns(2), which the Glibc module does not show.
    private static func enterNetwork(of process: pid_t) throws {
        let file = unsafe open("/proc/\(process)/ns/net", O_RDONLY | O_CLOEXEC)
        defer { close(file) }
        // Sound: the C library has the function, and this is its type.
        guard let symbol = unsafe dlsym(nil, "setns") else { throw ChildProcess.Failure(description: "setns") }
        let setns = unsafe unsafeBitCast(symbol, to: (@convention(c) (CInt, CInt) -> CInt).self)
        guard setns(file, 0x4000_0000) == 0 else {  // CLONE_NEWNET
            throw ChildProcess.Failure(description: "setns: errno \(errno)")
        }
    }
}
