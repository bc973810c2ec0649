import CNamespace
import Foundation
import Glibc
import Testing
import Timing

/// The command-line program as a process of its own, watching in a namespace.
final class WatchProgram {
    let process: ChildProcess
    private let output: Int32
    private var unread: [UInt8] = []
    private(set) var rows: [Row] = []

    /// What the tests look at of a line of `watch --json`.
    struct Row: Decodable, Equatable {
        let target: String
        let status: String
        let reason: String?
        let interface: String?
    }

    /// The built program, next to the test bundle; nil if it was not built.
    static let path: String? = {
        guard let bundle = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") else {
            return nil
        }
        let path = (bundle as NSString).deletingLastPathComponent + "/ReachabilityExample"
        return FileManager.default.isExecutableFile(atPath: path) ? path : nil
    }()

    /// - Parameter descriptors: how many the program may have open, itself included; nil for as many as usual.
    init(_ targets: String..., in namespace: NetworkNamespace, descriptors: Int? = nil) throws {
        guard let path = Self.path else { throw NamespaceError("ReachabilityExample is not built") }
        var ends: [Int32] = [-1, -1]
        // Sound: two numbers are written.
        guard unsafe namespace_pipe(&ends) == 0 else { throw NamespaceError(call: "pipe") }
        output = ends[0]
        defer { close(ends[1]) }
        let null = unsafe open("/dev/null", O_RDWR | O_CLOEXEC)  // sound: it reads the path
        defer { close(null) }
        let limit = descriptors.map { "ulimit -S -n \($0); " } ?? ""
        process = try ChildProcess(
            "/bin/sh", ["-c", limit + "exec \"$0\" \"$@\"", path, "watch", "--json"] + targets, input: null,
            output: ends[1], error: null, in: namespace)
    }

    deinit {
        process.end()
        close(output)
    }

    var last: Row? { rows.last }

    /// Waits until the last line is as wanted; false if the time runs out first.
    func wait(within time: Duration = .seconds(10), until holds: (Row) -> Bool) -> Bool {
        let deadline = Instant.now + time
        while true {
            if let last, holds(last) { return true }
            guard readMore(before: deadline) else { return false }
        }
    }

    /// Reads what there is, or waits for it; false at the end of the time or of the program.
    private func readMore(before deadline: Instant) -> Bool {
        guard let bytes = readSome(from: output, before: deadline) else { return false }
        unread += bytes
        while let end = unread.firstIndex(of: 10) {
            if let row = try? JSONDecoder().decode(Row.self, from: Data(unread[..<end])) { rows.append(row) }
            unread.removeSubrange(...end)
        }
        return true
    }
}

extension Trait where Self == ConditionTrait {
    /// Runs the tests only where the program was built beside them, as `swift build --build-tests` does.
    static var withProgram: Self { .enabled(if: WatchProgram.path != nil, "ReachabilityExample is not built") }
}
