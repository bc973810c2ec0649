package import Glibc

/// A program that a test started, and that ends with the test.
package final class ChildProcess {
    package struct Failure: Error, CustomStringConvertible {
        package let description: String

        package init(_ description: String) { self.description = description }
    }

    package let identifier: pid_t
    /// What the program prints is read from here.
    private let output: Int32
    private let input: Int32
    private var status: Int32?
    /// What was read and not handed out yet.
    private var buffer: [UInt8] = []

    /// Starts a program found in PATH. Its errors go to a file so that a chatty daemon does not fill the test's output,
    /// or where the output goes if none is named.
    package init(_ arguments: [String], environment: [String: String] = [:], log: String? = nil) throws {
        let (ownOutput, childOutput) = try Self.makePipe()
        let (childInput, ownInput) = try Self.makePipe()
        let error = log.map { unsafe open($0, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600) } ?? childOutput
        defer {
            close(childOutput)
            close(childInput)
            if error != childOutput { close(error) }
        }
        output = ownOutput
        input = ownInput
        let variables = environment.map { "\($0.key)=\($0.value)" }.sorted()
        do {
            identifier = try Self.spawn(["env"] + variables + arguments, [childInput, childOutput, error])
        } catch {
            close(ownOutput)
            close(ownInput)
            throw error
        }
    }

    deinit {
        kill()
        close(output)
        close(input)
    }

    private static func makePipe() throws -> (reading: Int32, writing: Int32) {
        var ends: [Int32] = [-1, -1]
        // Not a pipe: pipe2 cannot be called from here, and an end without CLOEXEC would be left to other children.
        // Sound: socketpair writes two numbers.
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard unsafe socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw Failure("socketpair: errno \(errno)") }
        return (ends[0], ends[1])
    }

    private static func spawn(_ arguments: [String], _ descriptors: [Int32]) throws -> pid_t {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        for (number, descriptor) in descriptors.enumerated() {
            unsafe posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(number))
        }
        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        // This thread may have signals blocked that the program wants.
        var none = sigset_t()
        unsafe sigemptyset(&none)
        unsafe posix_spawnattr_setsigmask(&attributes, &none)
        unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        // Sound: the strings are copies of our own, freed after the call, and the list ends with null.
        var words = unsafe arguments.map { unsafe strdup($0) } + [nil]
        defer { unsafe words.forEach { word in unsafe free(word) } }
        var id: pid_t = 0
        let code = unsafe posix_spawnp(&id, arguments[0], &actions, &attributes, &words, environ)
        guard code == 0 else { throw Failure("\(arguments): errno \(code)") }
        return id
    }

    // MARK: - Its end

    /// Ends the program at once, without a chance to say goodbye.
    package func kill() {
        guard status == nil else { return }
        signal(SIGCONT)
        signal(SIGKILL)
        wait()
    }

    package func signal(_ number: CInt) {
        if status == nil { _ = Glibc.kill(identifier, number) }
    }

    /// Waits for the end: the exit status, or 128 and the number of the signal that ended it.
    @discardableResult
    package func wait() -> Int32 {
        if let status { return status }
        var word: Int32 = 0
        // Sound: waitpid writes one number.
        while unsafe waitpid(identifier, &word, 0) < 0, errno == EINTR {}
        let signal = word & 0x7f  // bits/waitstatus.h: WTERMSIG, WEXITSTATUS
        let status = signal == 0 ? (word >> 8) & 0xff : 128 + signal
        self.status = status
        return status
    }

    // MARK: - Talking to it

    /// The next line the program prints; what there is of one when it ends or the seconds are over.
    package func line(within seconds: Int64 = 15) -> String {
        let limit = ContinuousClock.now + .seconds(seconds)
        while true {
            if let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
                defer { buffer.removeSubrange(...end) }
                return String(decoding: buffer[..<end], as: UTF8.self)
            }
            guard fill(before: limit) else {
                defer { buffer = [] }
                return String(decoding: buffer, as: UTF8.self)
            }
        }
    }

    /// Everything the program prints until it ends.
    private func rest() -> String {
        while fill(before: nil) {}
        defer { buffer = [] }
        return String(decoding: buffer, as: UTF8.self)
    }

    /// Reads what there is; false when the program has ended or the time is over.
    private func fill(before limit: ContinuousClock.Instant?) -> Bool {
        var milliseconds: Int32 = -1
        if let limit {
            milliseconds = Int32(clamping: Int64(((limit - .now) / .milliseconds(1)).rounded(.up)))
            guard milliseconds > 0 else { return false }
        }
        var ready = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
        // Sound: poll reads and writes one pollfd, read at most the array's own count.
        guard unsafe poll(&ready, 1, milliseconds) > 0 else { return false }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = unsafe bytes.withUnsafeMutableBytes { unsafe read(output, $0.baseAddress, $0.count) }
        guard count > 0 else { return false }
        buffer += bytes[..<count]
        return true
    }

    package func write(_ text: String) throws {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            // Sound: send reads the slice's own bytes.
            let count = unsafe bytes.withUnsafeBytes {
                unsafe send(input, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw Failure("write: errno \(errno)") }
            bytes = bytes.dropFirst(count)
        }
    }

    // MARK: - Programs that end by themselves

    /// Runs a program to its end and gives what it printed.
    @discardableResult
    package static func run(_ arguments: [String], environment: [String: String] = [:]) throws -> String {
        let child = try ChildProcess(arguments, environment: environment)
        let output = child.rest()
        let status = child.wait()
        guard status == 0 else {
            throw Failure("\(arguments.joined(separator: " ")) ended with \(status): \(output)")
        }
        return output
    }

    /// True if a program can be run.
    package static func exists(_ program: String) -> Bool {
        let path = unsafe getenv("PATH").map { unsafe String(cString: $0) } ?? "/usr/sbin:/usr/bin"
        return path.split(separator: ":").contains { unsafe access("\($0)/\(program)", X_OK) == 0 }
    }
}
