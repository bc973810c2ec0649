import Foundation
import ScriptedServers
import Testing

/// `ReachabilityExample watch --json` at work. One thread.
final class Watch {
    /// One line of it, as far as these tests look.
    struct Line: Decodable {
        let target: String
        let status: String
        let reason: String?
        let interface: String?
        let addresses: [String]
        let change: [String]

        init(_ text: String) throws { self = try JSONDecoder().decode(Line.self, from: Data(text.utf8)) }
    }

    private let child: ChildProcess
    /// All lines that were read so far.
    private(set) var lines: [Line] = []

    init(_ child: ChildProcess) { self.child = child }

    /// The next line.
    func next(within time: Duration = .seconds(30)) throws -> Line? {
        guard let text = child.line(within: time) else { return nil }
        let line = try Line(text)
        lines.append(line)
        return line
    }

    /// Reads on until a line of the target is as wanted.
    @discardableResult
    func until(_ target: String, _ isWanted: (Line) -> Bool) throws -> Line {
        while let line = try next() {
            if line.target == target && isWanted(line) { return line }
        }
        throw ChildProcess.Failure(description: "\(target): not told; the last is \(lines.last as Any)")
    }

    @discardableResult
    func until(_ target: String, status: String) throws -> Line { try until(target) { $0.status == status } }

    /// Reads on until nothing has been told for a while.
    func untilQuiet(for time: Duration) throws { while try next(within: time) != nil {} }

    /// How often its threads were put to sleep or interrupted so far.
    var contextSwitches: Int {
        get throws {
            let tasks = "/proc/\(child.identifier)/task"
            var sum = 0
            for thread in try FileManager.default.contentsOfDirectory(atPath: tasks) {
                let text = try String(contentsOfFile: "\(tasks)/\(thread)/status", encoding: .utf8)
                for line in text.split(separator: "\n") where line.contains("ctxt_switches") {
                    sum += line.split(separator: "\t").last.flatMap { Int($0) } ?? 0
                }
            }
            return sum
        }
    }
}
