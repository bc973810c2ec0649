import Foundation
import Glibc

/// A program that a test started, and that ends with the test.
final class ChildProcess {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private let process = Process()
    private let output = Pipe()
    private let input = Pipe()

    /// Starts a program found in PATH. Its errors go to a file so that a chatty daemon does not fill the test's output.
    init(_ arguments: [String], environment: [String: String], log: URL? = nil) throws {
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardOutput = output
        process.standardInput = input
        if let log {
            _ = FileManager.default.createFile(atPath: log.path, contents: nil)
            process.standardError = try FileHandle(forWritingTo: log)
        } else {
            process.standardError = output
        }
        try process.run()
    }

    deinit {
        kill()
    }

    /// Ends the program at once, without a chance to say goodbye.
    func kill() {
        guard process.isRunning else { return }
        signal(SIGCONT)
        signal(SIGKILL)
        process.waitUntilExit()
    }

    var identifier: pid_t { process.processIdentifier }

    func signal(_ number: CInt) {
        _ = Glibc.kill(process.processIdentifier, number)
    }

    /// The first line the program prints.
    func line() -> String {
        var bytes = Data()
        while bytes.last != UInt8(ascii: "\n"), let byte = try? output.fileHandleForReading.read(upToCount: 1),
            !byte.isEmpty
        {
            bytes.append(byte)
        }
        return String(decoding: bytes.dropLast(), as: UTF8.self)
    }

    func write(_ text: String) throws {
        try input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
    }

    /// Runs a program to its end and gives what it printed.
    @discardableResult
    static func run(_ arguments: [String], environment: [String: String]) throws -> String {
        let child = try ChildProcess(arguments, environment: environment)
        let output = String(decoding: child.output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        child.process.waitUntilExit()
        guard child.process.terminationStatus == 0 else {
            throw Failure(description: "\(arguments.joined(separator: " ")): \(output)")
        }
        return output
    }

    /// True if a program can be run.
    static func exists(_ program: String) -> Bool {
        (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/sbin:/usr/bin").split(separator: ":")
            .contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(program)") }
    }
}
