internal import Glibc
internal import Rtnetlink
internal import Synchronization

/// Writes to standard output and standard error.
enum Terminal {
    /// The reader of standard output went away: nobody is left to write for.
    static var isReaderGone: Bool { readerGone.load(ordering: .relaxed) }
    private static let readerGone = Atomic(false)

    /// Has descriptors 0 to 2 lead somewhere, so that none that is opened later is taken for one of them.
    static func openStandardDescriptors() {
        for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(descriptor, F_GETFD) < 0 {
            // The lowest number that is free, which is this one.
            _ = unsafe open("/dev/null", O_RDWR)  // sound: it reads a literal
        }
    }

    /// A line to standard output, at once. Where the reader is gone the line is dropped; a full disk ends the program.
    static func print(_ line: String) { put(line + "\n") }

    /// Text to standard output, at once, as `print` does.
    static func put(_ text: String) {
        guard !isReaderGone else { return }
        let failure = write(text, to: STDOUT_FILENO)
        if failure == EPIPE { return readerGone.store(true, ordering: .relaxed) }
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
        case bold = "1"
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
                if errno == EAGAIN {
                    // A pipe that somebody made non-blocking is full.
                    var full = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                    _ = unsafe poll(&full, 1, -1)  // sound: it reads and writes the one element
                    continue
                }
                return errno
            }
            bytes = bytes.dropFirst(count)
        }
        return 0
    }
}

extension String {
    /// The text with as many blanks as make it that many characters; never less than the text.
    func padded(to width: Int) -> String { self + String(repeating: " ", count: max(width - count, 0)) }
}
