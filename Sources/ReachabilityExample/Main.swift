internal import Glibc

/// The command-line program: what a host's reachability is, and when it changes.
@main
enum Main {
    static func main() {
        Terminal.openStandardDescriptors()
        // A reader that goes away is told by the write that fails, and no reason to be killed.
        signal(SIGPIPE, SIG_IGN)
        do {
            exit(try Options(CommandLine.arguments).run())
        } catch {
            Terminal.complain(error.description)
            exit(ExitStatus.usage)
        }
    }
}

/// What the program's exit statuses mean.
enum ExitStatus {
    static let success: Int32 = 0
    /// Some target is not reachable, or not known to be.
    static let notReachable: Int32 = 1
    static let usage: Int32 = 2
}

/// What was wrong with the program's words.
struct UsageError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
