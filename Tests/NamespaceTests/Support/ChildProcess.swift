import CNamespace
import Foundation
import Glibc

/// A process that was started in a namespace. Foundation's `Process` would start it from a thread of its own choice.
final class ChildProcess {
    let id: pid_t
    private var status: Int32?

    /// Starts a program with these descriptors as its standard input, output and error; as a job if it is to be stopped and
    /// continued as a shell's are, since the kernel stops no process whose group nobody looks after.
    init(
        _ path: String, _ arguments: [String], input: Int32, output: Int32, error: Int32, isJob: Bool = false,
        in namespace: NetworkNamespace
    ) throws {
        id = try namespace.run {
            try Self.spawn(path, arguments, [input, output, error], isJob: isJob)
        }
    }

    deinit { end() }

    private static func spawn(_ path: String, _ arguments: [String], _ descriptors: [Int32], isJob: Bool) throws
        -> pid_t
    {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        for (number, descriptor) in descriptors.enumerated() {
            unsafe posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(number))
        }
        // Whatever this process was left by others is no concern of the child's.
        _ = unsafe namespace_close_others(&actions)
        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        // This thread may have signals blocked that the program wants.
        var none = sigset_t()
        unsafe sigemptyset(&none)
        unsafe posix_spawnattr_setsigmask(&attributes, &none)
        let flags = POSIX_SPAWN_SETSIGMASK | (isJob ? POSIX_SPAWN_SETPGROUP : 0)
        unsafe posix_spawnattr_setflags(&attributes, Int16(flags))
        // Sound: the strings are copies of our own, freed after the call, and the list ends with null.
        var words = unsafe ([path] + arguments).map { unsafe strdup($0) } + [nil]
        defer { unsafe words.forEach { word in unsafe free(word) } }
        var id: pid_t = 0
        let code = unsafe posix_spawn(&id, path, &actions, &attributes, &words, environ)
        guard code == 0 else { throw NamespaceError(call: "posix_spawn \(path)", code: code) }
        return id
    }

    func signal(_ number: Int32) { if status == nil { kill(id, number) } }

    /// Waits for the end: the exit status, or 128 and the number of the signal that ended it, as a shell has it.
    @discardableResult
    func wait() -> Int32 {
        if let status { return status }
        var word: Int32 = 0
        while unsafe waitpid(id, &word, 0) < 0, errno == EINTR {}
        let signal = word & 0x7f  // bits/waitstatus.h: WTERMSIG, WEXITSTATUS
        let status = signal == 0 ? (word >> 8) & 0xff : 128 + signal
        self.status = status
        return status
    }

    /// Waits until the process, a job, has stopped or ended; true if it stopped.
    func waitForStop() -> Bool {
        guard status == nil else { return false }
        var word: Int32 = 0
        while unsafe waitpid(id, &word, WUNTRACED) < 0, errno == EINTR {}
        return word & 0xff == 0x7f  // bits/waitstatus.h: WIFSTOPPED
    }

    /// How many descriptors the process has open.
    func descriptorCount() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/\(id)/fd").count
    }

    /// Ends the process if it runs.
    func end() {
        signal(SIGKILL)
        wait()
    }

    /// Runs a program to its end.
    ///
    /// - Throws: `NamespaceError` with what it wrote if its exit status is not zero.
    static func run(_ path: String, _ arguments: [String], input: String, in namespace: NetworkNamespace) throws {
        let (status, text) = try output(path, arguments, input: input, in: namespace)
        guard status == 0 else { throw NamespaceError("\(path) \(arguments) ended with \(status): \(text)") }
    }

    /// Runs a program to its end: its exit status, and what it wrote to standard output and error.
    static func output(
        _ path: String, _ arguments: [String], input: String = "", in namespace: NetworkNamespace
    ) throws -> (status: Int32, text: String) {
        let source = namespace_memory_file()
        let sink = namespace_memory_file()
        defer {
            close(source)
            close(sink)
        }
        guard source >= 0, sink >= 0 else { throw NamespaceError(call: "memfd_create") }
        try write(input, to: source)
        let child = try ChildProcess(path, arguments, input: source, output: sink, error: sink, in: namespace)
        let status = child.wait()
        return (status, readAll(sink))
    }

    private static func write(_ text: String, to file: Int32) throws {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            // Sound: write reads the slice's own bytes.
            let count = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(file, $0.baseAddress, $0.count) }
            guard count > 0 else { throw NamespaceError(call: "write") }
            bytes = bytes.dropFirst(count)
        }
        lseek(file, 0, SEEK_SET)
    }

    private static func readAll(_ file: Int32) -> String {
        lseek(file, 0, SEEK_SET)
        var text: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            // Sound: read writes at most the buffer's own count of bytes.
            let count = unsafe buffer.withUnsafeMutableBytes { unsafe read(file, $0.baseAddress, $0.count) }
            guard count > 0 else { return String(decoding: text, as: UTF8.self) }
            text += buffer[..<count]
        }
    }
}
