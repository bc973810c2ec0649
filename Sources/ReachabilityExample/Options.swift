internal import CGetopt
internal import Glibc
internal import Reachability

/// The program's command and options, as its words say.
struct Options {
    var command = Command.status
    var targets: [ReachabilityTarget] = []
    /// The targets as they were written; "default" where none was.
    var words: [String] = []
    var isJSON = false
    /// How many lines `watch` prints in all; nil is without end.
    var count: Int?
    var timeout: Duration?
    var isHelpWanted = false
    var isVersionWanted = false

    enum Command: String, CaseIterable {
        case status, wait, watch, path, interfaces, dashboard, demo

        var takesTargets: Bool { ![.path, .interfaces, .demo].contains(self) }
        var takesTimeout: Bool { takesTargets }
    }

    static let version = "0.1.0"

    /// Reads the words of the command line, the program's own name first.
    init(_ arguments: [String]) throws(UsageError) {
        var words = try readOptions(arguments)
        if let first = words.first {
            guard let command = Command(rawValue: first) else {
                let isTarget = (try? ReachabilityTarget(parsing: first)) != nil
                throw UsageError(
                    "\"\(first)\" is no command; "
                        + (isTarget && first != "help" ? "for a target: status \(first)" : "try --help"))
            }
            self.command = command
            words.removeFirst()
        }
        if !command.takesTargets, let word = words.first {
            throw UsageError("\"\(command.rawValue)\" takes no target, and \"\(word)\" is one too many")
        }
        if count != nil, command != .watch { throw UsageError("\"\(command.rawValue)\" takes no --count") }
        if timeout != nil, !command.takesTimeout { throw UsageError("\"\(command.rawValue)\" takes no --timeout") }
        if isJSON, command == .dashboard { throw UsageError("\"dashboard\" takes no --json; \"watch\" does") }
        self.words = words.isEmpty ? ["default"] : words
        for word in self.words {
            do {
                targets.append(try ReachabilityTarget(parsing: word))
            } catch {
                throw UsageError(error.description)
            }
        }
    }

    private enum Code {
        static let help: Int32 = 1
        static let version: Int32 = 2
        static let json: Int32 = 3
        static let count: Int32 = 4
        static let timeout: Int32 = 5
    }

    /// Takes the options out and returns the other words, in order.
    private mutating func readOptions(_ arguments: [String]) throws(UsageError) -> [String] {
        let known: [(name: StaticString, hasArgument: Int32, code: Int32)] = [
            ("help", no_argument, Code.help), ("version", no_argument, Code.version),
            ("json", no_argument, Code.json), ("count", required_argument, Code.count),
            ("timeout", required_argument, Code.timeout),
        ]
        // Sound: the names are literals, which live for ever, and an option of zeros ends the list.
        let table =
            unsafe known.map { name, hasArgument, code in
                unsafe option(
                    name: UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self), has_arg: hasArgument,
                    flag: nil, val: code)
            } + [option()]
        // Sound: getopt_long reorders the copies and reads them; they are freed after the last word was copied out.
        var argv = unsafe arguments.map { unsafe strdup($0) } + [nil]
        defer { unsafe argv.forEach { unsafe free($0) } }
        begin_options()
        while true {
            let code = unsafe getopt_long(Int32(arguments.count), &argv, "h", table, nil)
            if code == -1 { break }
            let value = unsafe option_value().map { unsafe String(cString: $0) } ?? ""
            switch code {
            case Code.help, Int32(UInt8(ascii: "h")): isHelpWanted = true
            case Code.version: isVersionWanted = true
            case Code.json: isJSON = true
            case Code.count:
                guard let number = Int(value), number > 0 else {
                    throw UsageError("--count takes a whole number above zero, not \"\(value)\"")
                }
                count = number
            case Code.timeout:
                guard let seconds = Double(value), seconds >= 0, seconds < 1e9 else {
                    throw UsageError("--timeout takes seconds, not \"\(value)\"")
                }
                timeout = .seconds(seconds)
            default:
                let index = Int(option_index()) - 1
                let word =
                    arguments.indices.contains(index) ? unsafe argv[index].map { unsafe String(cString: $0) } : nil
                let isMissingValue = word == "--count" || word == "--timeout"
                throw UsageError(
                    isMissingValue
                        ? "\(word ?? "") needs a value" : "\"\(word ?? "?")\" is no option; try --help")
            }
        }
        return unsafe argv[Int(option_index())..<arguments.count].compactMap { word in
            unsafe word.map { unsafe String(cString: $0) }
        }
    }

    /// Does what was asked, and returns the exit status.
    func run() throws(UsageError) -> Int32 {
        if isHelpWanted {
            Terminal.print(Self.help)
            return ExitStatus.success
        }
        if isVersionWanted {
            Terminal.print("ReachabilityExample \(Self.version)")
            return ExitStatus.success
        }
        switch command {
        case .status: return StatusCommand(self).run()
        case .wait: return WaitCommand(self).run()
        case .watch: return WatchCommand(self).run()
        case .path: return PathCommand(self).run()
        case .interfaces: return InterfacesCommand(self).run()
        case .dashboard: return try DashboardCommand(self).run()
        case .demo: return try DemoCommand(self).run()
        }
    }

    static let help = """
        usage: ReachabilityExample [COMMAND] [OPTIONS] [TARGET...]

        Says whether packets for a target can leave this host now, and over what kind of link. Nothing is sent, and
        nothing is said of the far end.

        commands:
          status       one line a target (the default command; needs no word if there is no target)
          wait         waits until every target is reachable
          watch        the current state, then every change, until interrupted
          path         the way that packets leave by, in full
          interfaces   every link with its kind, and what says so
          dashboard    all of that at a glance, live, on the full screen
          demo         a network of its own goes from Wi-Fi over cellular and offline to a VPN before your eyes

        targets:
          default              the default route (also if no target is given)
          10.0.0.1             an address; 10.0.0.1%eth0 by that interface alone
          fe80::1%eth0         a link-local address with its interface
          10.0.0.2,10.0.0.1    a pair LOCAL,REMOTE; either may be left out
          api.example.com      a host name; api.example.com%eth0 by that interface alone

        options:
          --json         one JSON object a line; of wait, one a target at the end
          --timeout S    seconds after which status, wait, watch and dashboard end
          --count N      watch ends after N lines
          -h, --help     this text
          --version      the program's version

        exit status: 0 all reachable (watch, interfaces, dashboard and demo: done), 1 some not reachable or not known,
        or what was asked for cannot be done or written, 2 bad usage
        """
}
