import CNamespace
import Foundation
import Glibc
import Timing

/// The program on a terminal of its own (a pseudo-terminal): what it draws, and keys for it.
final class TerminalProgram {
    let process: ChildProcess
    /// Where a user would sit.
    private let user: Int32
    /// The program's end.
    private let end: Int32
    private(set) var written = ""

    init(_ words: [String], type: String = "xterm", columns: UInt16 = 100, rows: UInt16 = 30, in net: NetworkNamespace)
        throws
    {
        guard let path = WatchProgram.path else { throw NamespaceError("ReachabilityExample is not built") }
        var (user, end): (Int32, Int32) = (-1, -1)
        // Sound: two numbers are written.
        guard unsafe namespace_open_terminal(&user, &end) == 0 else { throw NamespaceError(call: "posix_openpt") }
        (self.user, self.end) = (user, end)
        var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        _ = unsafe ioctl(end, UInt(TIOCSWINSZ), &size)  // sound: it reads one winsize
        process = try ChildProcess(
            "/usr/bin/env", ["TERM=\(type)", path] + words, input: end, output: end, error: end, isJob: true, in: net)
    }

    deinit {
        process.end()
        close(user)
        close(end)
    }

    /// What is on the screen: all since it was last drawn from the top.
    var page: String { written.components(separatedBy: Self.top).last ?? "" }

    /// How often it was drawn.
    var pages: Int { written.components(separatedBy: Self.top).count - 1 }

    private static let top = "\u{1b}[H"

    func press(_ keys: String) {
        // Sound: write reads the text's own bytes.
        _ = unsafe keys.withCString { unsafe write(user, $0, strlen($0)) }
    }

    func setSize(columns: UInt16, rows: UInt16) {
        var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        _ = unsafe ioctl(end, UInt(TIOCSWINSZ), &size)  // sound: it reads one winsize
        // The terminal is not the one that controls the program, so the kernel does not tell it.
        process.signal(SIGWINCH)
    }

    /// True while keys are read one by one and not shown.
    var isRaw: Bool {
        var settings = termios()
        unsafe tcgetattr(end, &settings)  // sound: it writes one termios
        return settings.c_lflag & tcflag_t(ICANON | ECHO) == 0
    }

    /// Waits until what was written is as wanted; false if the time runs out first.
    func wait(within time: Duration = .seconds(10), until holds: (TerminalProgram) -> Bool) -> Bool {
        let deadline = Instant.now + time
        while !holds(self) {
            guard let bytes = readSome(from: user, before: deadline) else { return false }
            written += String(decoding: bytes, as: UTF8.self)
        }
        return true
    }
}
