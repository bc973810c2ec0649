internal import CPrivateNetwork
internal import Glibc
internal import Rtnetlink

/// A network of the program's own, which the host neither sees nor feels.
struct PrivateNetwork: ~Copyable {
    private let tunnel: Int32?

    /// Why no private network is to be had, or a change could not be made in it.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Moves the program into a new network. To be called before there is another thread.
    init(tunnelNamed name: String) throws(Failure) {
        guard private_network_enter() == 0 else {
            let error = SystemCallError("unshare")
            throw Failure(
                description: "no private network can be made: \(error)"
                    + (error.code == EPERM || error.code == ENOSPC
                        ? " (this host does not let users make namespaces; as root it can be done)" : ""))
        }
        let descriptor = unsafe name.withCString { unsafe private_network_open_tunnel($0) }  // sound: it reads the name
        tunnel = descriptor >= 0 ? descriptor : nil
        // The host's daemons speak of the host's links.
        unsafe setenv("DBUS_SYSTEM_BUS_ADDRESS", "unix:path=/dev/null", 1)  // sound: before there is another thread
    }

    deinit { if let tunnel { close(tunnel) } }

    var hasTunnel: Bool { tunnel != nil }

    /// Changes the network with `ip`.
    func change(_ words: String) throws(Failure) {
        // Sound: two numbers are written.
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { throw Failure(description: "\(SystemCallError("pipe"))") }
        let child = Result { () throws(SystemCallError) in
            try Self.spawn(["ip"] + words.split(separator: " ").map(String.init), error: ends[1], closing: ends[0])
        }
        close(ends[1])
        defer { close(ends[0]) }
        let id: pid_t
        do { id = try child.get() } catch {
            guard error.code != ENOENT else {
                throw Failure(description: "the demonstration needs the program ip (package iproute2)")
            }
            throw Failure(description: "\"ip \(words)\" cannot be run: \(error)")
        }
        let text = Self.readAll(ends[0])
        var status: Int32 = 0
        while unsafe waitpid(id, &status, 0) < 0, errno == EINTR {}  // sound: it writes one number
        guard status == 0 else {
            throw Failure(
                description: "\"ip \(words)\" failed: \(text.split(separator: "\n").first ?? "without a word")")
        }
    }

    /// Foundation's `Process` needs a network that works.
    private static func spawn(_ words: [String], error: Int32, closing other: Int32) throws(SystemCallError) -> pid_t {
        var actions = unsafe posix_spawn_file_actions_t()
        // Sound: each call reads or writes the one value it is given. The words are copies, freed after the call, and the list
        // of them ends with null.
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_adddup2(&actions, error, STDERR_FILENO)
        unsafe posix_spawn_file_actions_addclose(&actions, error)
        unsafe posix_spawn_file_actions_addclose(&actions, other)
        var list = unsafe words.map { unsafe strdup($0) } + [nil]
        defer { unsafe list.forEach { unsafe free($0) } }
        var id: pid_t = 0
        let code = unsafe posix_spawnp(&id, words[0], &actions, nil, &list, environ)
        guard code == 0 else { throw SystemCallError("posix_spawn", code: code) }
        return id
    }

    private static func readAll(_ end: Int32) -> String {
        var text: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1024)
        while true {
            // Sound: read writes at most the buffer's own count of bytes.
            let count = unsafe buffer.withUnsafeMutableBytes { unsafe read(end, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return String(decoding: text, as: UTF8.self) }
            text += buffer[..<count]
        }
    }
}
