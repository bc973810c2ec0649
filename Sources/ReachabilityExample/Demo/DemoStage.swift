internal import Reachability
internal import Timing

/// Where the demonstration is seen.
protocol DemoStage {
    /// Says what is about to be done, and by which commands.
    mutating func announce(_ caption: String, _ commands: [String])

    /// Shows what comes of it; false if nobody wants to see more.
    mutating func show(isLast: Bool) -> Bool
}

/// The dashboard, with time to read.
struct ScreenStage: DemoStage {
    private var dashboard: Dashboard

    private static let timeToRead = Duration.seconds(5)

    init(_ options: Options) throws(UsageError) { dashboard = try Dashboard(options) }

    mutating func announce(_ caption: String, _ commands: [String]) {
        dashboard.caption = [caption] + commands.map { "ip \($0)" }
    }

    mutating func show(isLast: Bool) -> Bool {
        if case .quit = dashboard.show(until: isLast ? nil : .now + Self.timeToRead) { return false }
        return true
    }
}

/// Lines as `watch` prints them, for files, pipes and programs.
struct LineStage: DemoStage {
    private let options: Options
    private let watcher = Watcher()
    private var observations: Observations
    private var isFirst = true

    /// Long against what the kernel and a settling status take.
    private static let quiet = Duration.milliseconds(400)

    init(_ options: Options) {
        self.options = options
        observations = Observations(options)
        watcher.follow(options.targets)
    }

    mutating func announce(_ caption: String, _ commands: [String]) {
        guard !options.isJSON else { return }
        if !isFirst { Terminal.print("") }
        isFirst = false
        Terminal.print(StyledLine(caption, .bold).painted)
        for command in commands { Terminal.print(StyledLine("  ip \(command)", .grey).painted) }
    }

    mutating func show(isLast: Bool) -> Bool {
        while true {
            switch watcher.next(before: .now + Self.quiet) {
            case .reports(let reports):
                for (position, report) in reports {
                    guard let observation = observations.take(report, of: position) else { continue }
                    options.show(observation, withTime: true)
                }
            case .timedOut, .readable: return !Terminal.isReaderGone
            case .interrupted: return false
            }
        }
    }
}
