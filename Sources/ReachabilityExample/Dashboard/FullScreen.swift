internal import CRtnetlink
internal import Glibc

/// The terminal as one page that is drawn whole, with keys that are read one by one.
///
/// Main thread. It is to be made before the engine has threads, since it takes signals away from them. The terminal is what it
/// was before once this is gone.
final class FullScreen {
    private let settings: termios
    /// Readable when the terminal has another size, or the user stops, continues or ends the program.
    private let signals: Int32
    /// False while another program has the terminal.
    private var isShown = false

    /// Fails where standard input and output are no terminal, or one that can only print.
    init() throws(UsageError) {
        var settings = termios()
        // Sound: tcgetattr writes one termios.
        guard Self.isPossible, unsafe tcgetattr(STDIN_FILENO, &settings) == 0 else {
            throw UsageError("the dashboard needs a terminal; \"watch\" prints lines")
        }
        self.settings = settings
        var wanted = sigset_t()
        // Sound: each call reads or writes the one set it is given.
        unsafe sigemptyset(&wanted)
        for signal in [SIGWINCH, SIGTSTP, SIGCONT, SIGQUIT] { unsafe sigaddset(&wanted, signal) }
        unsafe pthread_sigmask(SIG_BLOCK, &wanted, nil)
        signals = unsafe signalfd(-1, &wanted, Int32(SFD_CLOEXEC | SFD_NONBLOCK))
        enter()
    }

    deinit {
        leave()
        close(signals)
    }

    /// True if standard input and output are a terminal that can do more than print.
    static var isPossible: Bool {
        // Sound: the text is copied before anybody changes the environment.
        let type = unsafe getenv("TERM").map { unsafe String(cString: $0) } ?? "dumb"
        return type != "dumb" && isatty(STDOUT_FILENO) == 1 && isatty(STDIN_FILENO) == 1
    }

    /// What says that a key was pressed, or that the page has to be drawn anew.
    var descriptors: [Int32] { isShown ? [STDIN_FILENO, signals] : [signals] }

    /// Takes the terminal, unless another program has it: who takes it from the background is stopped (SIGTTOU).
    private func enter() {
        let foreground = tcgetpgrp(STDIN_FILENO)
        // Where it controls nobody, nobody else has it.
        isShown = foreground < 0 || foreground == getpgrp()
        guard isShown else { return }
        var raw = settings
        raw.c_lflag &= ~tcflag_t(ICANON | ECHO)
        // Sound: tcsetattr reads one termios.
        unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, &raw)
        // The other screen, without a cursor and without line breaks of the terminal's own (xterm's control sequences).
        Terminal.put("\u{1b}[?1049h\u{1b}[?25l\u{1b}[?7l")
    }

    private func leave() {
        guard isShown else { return }
        isShown = false
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

    /// Draws over what is there, which does not flicker as erasing first would: as many lines as the screen has.
    func show(_ lines: [StyledLine]) {
        if !isShown { enter() }
        guard isShown else { return }
        // Each line is erased before it is written: after it the cursor may still stand on its last letter.
        Terminal.put("\u{1b}[H" + lines.map { "\u{1b}[K" + $0.painted }.joined(separator: "\r\n"))
    }

    /// The keys pressed since the last call, without waiting; nil once the user wants an end, or the terminal has gone.
    func keys() -> [UInt8]? {
        guard obeySignals() else { return nil }
        // Who reads from the background is stopped (SIGTTIN).
        guard isShown else { return [] }
        var state = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        // Sound: poll reads and writes the one element; read writes at most the buffer's own count of bytes.
        guard unsafe poll(&state, 1, 0) > 0 else { return [] }
        var buffer = [UInt8](repeating: 0, count: 64)
        let count = unsafe buffer.withUnsafeMutableBytes { unsafe read(STDIN_FILENO, $0.baseAddress, $0.count) }
        if count < 0 && (errno == EINTR || errno == EAGAIN) { return [] }
        return count > 0 ? Array(buffer[..<count]) : nil
    }

    /// False if the program is to end.
    private func obeySignals() -> Bool {
        var information = signalfd_siginfo()
        let size = MemoryLayout<signalfd_siginfo>.size
        // Sound: one signalfd_siginfo is read, which the kernel fills whole.
        while unsafe read(signals, &information, size) == size {
            switch Int32(information.ssi_signo) {
            case SIGQUIT: return false
            case SIGTSTP: stop()
            // After a stop that nobody announced the shell has had the terminal.
            case SIGCONT: enter()
            default: break
            }
        }
        return true
    }

    /// Stops as if nobody had taken the signal, with the shell's own screen before the user meanwhile. Where nobody could
    /// continue the program the kernel does not stop it (an orphaned process group, the first process of a container).
    private func stop() {
        leave()
        var stop = sigset_t()
        // Sound: each call reads or writes the one set it is given.
        unsafe sigemptyset(&stop)
        unsafe sigaddset(&stop, SIGTSTP)
        kill(getpid(), SIGTSTP)
        unsafe pthread_sigmask(SIG_UNBLOCK, &stop, nil)
        unsafe pthread_sigmask(SIG_BLOCK, &stop, nil)
        enter()
    }
}
