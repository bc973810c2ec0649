internal import Glibc
internal import Rtnetlink

/// Writes to standard output and standard error.
enum Terminal {
    /// A line to standard output, at once. A reader that is gone ends the program quietly, a full disk with a sentence.
    static func print(_ line: String) {
        let failure = write(line + "\n", to: STDOUT_FILENO)
        if failure == EPIPE { exit(ExitStatus.success) }
        guard failure != 0 else { return }
        complain(SystemCallError("standard output cannot be written", code: failure).description)
        exit(ExitStatus.notReachable)
    }

    /// A sentence to standard error.
    static func complain(_ sentence: String) {
        _ = write("ReachabilityExample: \(sentence)\n", to: STDERR_FILENO)
    }

    /// A passing word to somebody who waits at a terminal; nothing where standard error is a file or pipe.
    static func progress(_ text: String) {
        guard isatty(STDERR_FILENO) == 1 else { return }
        _ = write("\(text)\n", to: STDERR_FILENO)
    }

    /// True if colours help: standard output is a terminal and NO_COLOR is not set (no-color.org).
    static let hasColour: Bool = unsafe isatty(STDOUT_FILENO) == 1 && getenv("NO_COLOR") == nil

    enum Colour: String {
        case green = "32"
        case yellow = "33"
        case red = "31"
        case grey = "90"
    }

    static func paint(_ text: String, _ colour: Colour) -> String {
        hasColour ? "\u{1b}[\(colour.rawValue)m\(text)\u{1b}[0m" : text
    }

    /// Zero, or the errno of why not all could be written.
    private static func write(_ text: String, to descriptor: Int32) -> Int32 {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            // Sound: write reads the slice's own bytes.
            let count = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 {
                if errno == EINTR { continue }
                return errno
            }
            bytes = bytes.dropFirst(count)
        }
        return 0
    }
}
