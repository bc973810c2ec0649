internal import Reachability
internal import Timing

/// `watch`: the current state, then every change.
struct WatchCommand {
    private let options: Options

    init(_ options: Options) { self.options = options }

    func run() -> Int32 {
        let watcher = Watcher(heedsReader: true)
        watcher.follow(options.targets)
        var observations = Observations(options)
        var count = 0
        let deadline = options.timeout.map { Instant.now + $0 }
        while true {
            guard case .reports(let new) = watcher.next(before: deadline) else { return ExitStatus.success }
            for (position, report) in new {
                guard let observation = observations.take(report, of: position) else { continue }
                options.show(observation, withTime: true)
                count += 1
                if count == options.count || Terminal.isReaderGone { return ExitStatus.success }
            }
        }
    }
}
