internal import Timing

/// `dashboard`: everything at a glance, live, on the full screen.
struct DashboardCommand {
    private let options: Options

    init(_ options: Options) { self.options = options }

    func run() throws(UsageError) -> Int32 {
        var dashboard = try Dashboard(options)
        _ = dashboard.show(until: options.timeout.map { .now + $0 })
        return ExitStatus.success
    }
}
