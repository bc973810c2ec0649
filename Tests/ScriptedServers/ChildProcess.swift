import Foundation
package import Glibc

/// A program that a test started, and that ends with its last reference. One thread.
package final class ChildProcess {
    package let identifier: pid_t
    private let output: CInt
    private let input: CInt
    private var buffer: [UInt8] = []
    private var isEnded = false

    package struct Failure: Error, CustomStringConvertible {
        package let description: String

        package init(description: String) { self.description = description }
    }

    /// Starts a program found in PATH. Its errors are read with its output if asked for, else they are the test's.
    package init(_ arguments: [String], readsErrors: Bool = false) throws {
        // Sockets, since a pipe that no other child inherits (pipe2) is not to be had from the Glibc module.
        let kind = CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        var toChild: [CInt] = [-1, -1]
        var fromChild: [CInt] = [-1, -1]
        // Sound: socketpair writes two numbers to each.
        guard unsafe socketpair(AF_UNIX, kind, 0, &toChild) == 0, unsafe socketpair(AF_UNIX, kind, 0, &fromChild) == 0
        else { throw Failure(description: "socketpair: errno \(errno)") }
        var actions = unsafe posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        unsafe posix_spawn_file_actions_init(&actions)
        unsafe posix_spawnattr_init(&attributes)
        defer {
            unsafe posix_spawn_file_actions_destroy(&actions)
            unsafe posix_spawnattr_destroy(&attributes)
        }
        unsafe posix_spawn_file_actions_adddup2(&actions, toChild[0], 0)
        unsafe posix_spawn_file_actions_adddup2(&actions, fromChild[1], 1)
        if readsErrors { unsafe posix_spawn_file_actions_adddup2(&actions, fromChild[1], 2) }
        // The threads that tests run on block all signals, which the program would inherit.
        var none = sigset_t()
        unsafe sigemptyset(&none)
        unsafe posix_spawnattr_setsigmask(&attributes, &none)
        unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))

        let environment = ProcessInfo.processInfo.environment.map { "\($0)=\($1)" }
        // Sound: the strings are ours, end with null as they have to, and live through the call.
        var words = unsafe arguments.map { unsafe strdup($0) } + [nil]
        var variables = unsafe environment.map { unsafe strdup($0) } + [nil]
        var child: pid_t = 0
        let code = unsafe posix_spawnp(&child, arguments[0], &actions, &attributes, &words, &variables)
        unsafe words.forEach { unsafe free($0) }
        unsafe variables.forEach { unsafe free($0) }
        close(toChild[0])
        close(fromChild[1])
        (input, output, identifier) = (toChild[1], fromChild[0], child)
        if code != 0 {
            isEnded = true
            throw Failure(description: "\(arguments[0]): errno \(code)")
        }
    }

    deinit {
        kill()
        close(input)
        close(output)
    }

    /// Ends the program at once.
    package func kill() {
        guard !isEnded else { return }
        signal(SIGKILL)
        _ = exitStatus()
    }

    package func signal(_ number: CInt) { _ = Glibc.kill(identifier, number) }

    /// Waits for the end: the exit status, or nil if a signal ended it.
    package func exitStatus() -> Int? {
        var status: CInt = 0
        isEnded = true
        guard unsafe waitpid(identifier, &status, 0) == identifier, status & 0x7f == 0 else { return nil }
        return Int(status >> 8 & 0xff)
    }

    /// The next line that it prints; nil if there is none within the time, or no more at all.
    package func line(within time: Duration = .seconds(30)) -> String? {
        let end = ContinuousClock.now + time
        while true {
            if let position = buffer.firstIndex(of: UInt8(ascii: "\n")) {
                defer { buffer.removeFirst(position + 1) }
                return String(decoding: buffer[..<position], as: UTF8.self)
            }
            guard read(before: end) else { return nil }
        }
    }

    /// All that it prints, to its end.
    package func text() -> String {
        let end = ContinuousClock.now + .seconds(60)
        while read(before: end) {}
        return String(decoding: buffer, as: UTF8.self)
    }

    /// True if there was something to read.
    private func read(before end: ContinuousClock.Instant) -> Bool {
        var descriptor = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
        let left = max(ContinuousClock.now.duration(to: end) / .milliseconds(1), 0)
        guard unsafe poll(&descriptor, 1, CInt(left.rounded(.up))) > 0 else { return false }
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        // Sound: no more than the buffer's own size is read.
        let count = unsafe bytes.withUnsafeMutableBytes { unsafe Glibc.read(output, $0.baseAddress, $0.count) }
        guard count > 0 else { return false }
        buffer += bytes[..<count]
        return true
    }

    /// Runs a program to its end; throws what it printed if it failed.
    package static func run(_ arguments: [String]) throws {
        let child = try ChildProcess(arguments, readsErrors: true)
        let text = child.text()
        let status = child.exitStatus()
        guard status == 0 else { throw Failure(description: "\(arguments.joined(separator: " ")): \(text)") }
    }
}
