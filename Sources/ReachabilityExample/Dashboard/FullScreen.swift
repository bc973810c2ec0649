internal import CRtnetlink
internal import Glibc
internal import Rtnetlink

/// The terminal as one page that is drawn whole, with keys that are read one by one.
///
/// Main thread. It is to be made before the engine has threads, since it takes signals away from them. The terminal is what it
/// was before once this is gone.
final class FullScreen {
    private let settings: termios
    /// Readable when the terminal has another size, or the user stops or continues the program.
    private let signals: Int32

    /// Why there can be none, for `UsageError`.
    init() throws(UsageError) {
        let isDumb = unsafe getenv("TERM").map { unsafe String(cString: $0) } ?? "dumb" == "dumb"
        var settings = termios()
        // Sound: tcgetattr writes one termios.
        guard !isDumb, isatty(STDOUT_FILENO) == 1, unsafe tcgetattr(STDIN_FILENO, &settings) == 0 else {
            throw UsageError("the dashboard needs a terminal; \"watch\" prints lines")
        }
        self.settings = settings
        var wanted = sigset_t()
        // Sound: each call reads or writes the one set it is given.
        unsafe sigemptyset(&wanted)
        for signal in [SIGWINCH, SIGTSTP, SIGCONT] { unsafe sigaddset(&wanted, signal) }
        unsafe pthread_sigmask(SIG_BLOCK, &wanted, nil)
        signals = unsafe signalfd(-1, &wanted, Int32(SFD_CLOEXEC | SFD_NONBLOCK))
        enter()
    }

    deinit {
        leave()
        close(signals)
    }

    /// What says that a key was pressed, or that the page has to be drawn anew.
    var descriptors: [Int32] { [STDIN_FILENO, signals] }

    private func enter() {
        var raw = settings
        raw.c_lflag &= ~tcflag_t(ICANON | ECHO)
        // Sound: tcsetattr reads one termios.
        unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, &raw)
        // The other screen, without a cursor and without line breaks of the terminal's own (xterm's control sequences).
        Terminal.put("\u{1b}[?1049h\u{1b}[?25l\u{1b}[?7l")
    }

    private func leave() {
        Terminal.put("\u{1b}[?7h\u{1b}[?25h\u{1b}[?1049l")
        var settings = settings
        unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, &settings)  // sound: as above
    }

    /// Columns and rows; 80 and 24 where the terminal does not say.
    var size: (columns: Int, rows: Int) {
        var size = winsize()
        // Sound: TIOCGWINSZ writes one winsize.
        let isKnown = unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 && size.ws_row > 0
        return isKnown ? (Int(size.ws_col), Int(size.ws_row)) : (80, 24)
    }

    /// Draws over what is there, which does not flicker as erasing first would.
    func show(_ lines: [StyledLine]) {
        let text = lines.map { $0.painted + "\u{1b}[K" }.joined(separator: "\r\n")
        Terminal.put("\u{1b}[H" + text + "\u{1b}[J")
    }

    /// The keys pressed since the last call, without waiting; nil once the terminal has gone.
    func keys() -> [UInt8]? {
        obeySignals()
        var state = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        // Sound: poll reads and writes the one element; read writes at most the buffer's own count of bytes.
        guard unsafe poll(&state, 1, 0) > 0 else { return [] }
        var buffer = [UInt8](repeating: 0, count: 64)
        let count = unsafe buffer.withUnsafeMutableBytes { unsafe read(STDIN_FILENO, $0.baseAddress, $0.count) }
        if count < 0 && (errno == EINTR || errno == EAGAIN) { return [] }
        return count > 0 ? Array(buffer[..<count]) : nil
    }

    private func obeySignals() {
        var information = signalfd_siginfo()
        let size = MemoryLayout<signalfd_siginfo>.size
        // Sound: one signalfd_siginfo is read, which the kernel fills whole.
        while unsafe read(signals, &information, size) == size {
            switch Int32(information.ssi_signo) {
            case SIGTSTP:
                // The shell gets its own screen; SIGCONT brings ours back.
                leave()
                kill(getpid(), SIGSTOP)
            case SIGCONT: enter()
            default: break
            }
        }
    }
}
