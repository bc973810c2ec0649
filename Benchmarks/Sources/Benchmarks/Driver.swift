import CFloor
import Foundation

/// Changes routes from a process of its own, so that whoever is measured sleeps as it would, and its CPU is its own.
enum Driver {
    /// The word that makes this program the driver.
    static let command = "drive"

    /// What the driver does.
    enum Work {
        /// Takes the default route away and puts it back, that often in all, so many microseconds apart.
        case flaps(Int, pause: UInt32)
        /// Adds that many routes nobody asks about, and deletes them.
        case storm(Int)

        fileprivate var words: [String] {
            switch self {
            case .flaps(let count, let pause): ["flaps", String(count), String(pause)]
            case .storm(let count): ["storm", String(count), "0"]
            }
        }
    }

    /// Has the work done, and waits for its end. Returns when each change was sent (CLOCK_MONOTONIC, nanoseconds).
    static func run(_ work: Work) throws -> [UInt64] {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = [command] + work.words
        process.standardOutput = output
        try process.run()
        let text = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: text, as: UTF8.self).split(separator: "\n").compactMap { UInt64($0) }
    }

    /// The driver's own side.
    static func main(_ words: [String], _ link: UInt32) {
        guard words.count == 3, let count = Int(words[1]), let pause = UInt32(words[2]) else { return }
        let request = floor_open_request()
        var starts: [UInt64] = []
        if words[0] == "flaps" {
            for number in 0..<count {
                starts.append(floor_now())
                _ = floor_set_route(request, 0, 0, Int32(link), Int32(number % 2))
                usleep(pause)
            }
        } else {
            for adds in [Int32(1), 0] {
                // 172.16.0.0 and on: inside of no question but the default route's own prefix.
                for number in 0..<UInt32(count) {
                    _ = floor_set_route(request, 0xac10_0000 + number, 32, Int32(link), adds)
                }
            }
        }
        print(starts.map(String.init).joined(separator: "\n"))
    }
}
