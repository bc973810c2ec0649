internal import Reachability

/// `status`: one line a target, in the order given.
struct StatusCommand {
    private let options: Options

    init(_ options: Options) { self.options = options }

    func run() -> Int32 {
        let watcher = Watcher()
        watcher.follow(options.targets)
        var reports: [Int: Report] = [:]
        let deadline = options.timeout.map { ContinuousClock.now + $0 }
        waiting: while reports.count < options.targets.count {
            switch watcher.next(before: deadline) {
            // The first that is known: recovery from a fault is not waited for.
            case .reports(let new):
                for (position, report) in new where reports[position] == nil { reports[position] = report }
            case .interrupted, .timedOut: break waiting
            }
        }
        var isAllReachable = true
        for (position, word) in options.words.enumerated() {
            let report = reports[position] ?? .notKnownYet
            options.show(
                Observation(target: word, kind: options.targets[position].kind, report: report, previous: nil))
            if !report.status.isReachable { isAllReachable = false }
            if report.status == .unknown {
                Terminal.complain("nothing is known of \(word): \(report.reason?.description ?? "no answer yet")")
            }
        }
        return isAllReachable ? ExitStatus.success : ExitStatus.notReachable
    }
}

/// `wait`: until every target is reachable.
struct WaitCommand {
    private let options: Options

    init(_ options: Options) { self.options = options }

    func run() -> Int32 {
        let watcher = Watcher()
        watcher.follow(options.targets)
        var reports = [Report](repeating: .notKnownYet, count: options.targets.count)
        let deadline = options.timeout.map { ContinuousClock.now + $0 }
        while true {
            switch watcher.next(before: deadline) {
            case .reports(let new):
                for (position, report) in new {
                    reports[position] = report
                    let reason = report.reason.map { ", \($0)" } ?? ""
                    Terminal.progress("\(options.words[position]): \(report.status)\(reason)")
                }
                if reports.allSatisfy(\.status.isReachable) { return ExitStatus.success }
            case .interrupted:
                return ExitStatus.notReachable
            case .timedOut:
                for (position, report) in reports.enumerated() where !report.status.isReachable {
                    Terminal.complain(
                        "\(options.words[position]) is still not reachable: \(report.reason?.description ?? "no answer yet")"
                    )
                }
                return ExitStatus.notReachable
            }
        }
    }
}

/// `watch`: the current state, then every change.
struct WatchCommand {
    private let options: Options

    init(_ options: Options) { self.options = options }

    func run() -> Int32 {
        let watcher = Watcher()
        watcher.follow(options.targets)
        var last: [Int: Report] = [:]
        var count = 0
        let deadline = options.timeout.map { ContinuousClock.now + $0 }
        while true {
            guard case .reports(let new) = watcher.next(before: deadline) else { return ExitStatus.success }
            for (position, report) in new {
                let observation = Observation(
                    target: options.words[position], kind: options.targets[position].kind, report: report,
                    previous: last[position])
                guard !observation.change.isEmpty else { continue }
                last[position] = report
                options.show(observation, withTime: true)
                count += 1
                if count == options.count { return ExitStatus.success }
            }
        }
    }
}

extension Options {
    /// Prints an observation in the form that was asked for.
    func show(_ observation: Observation, withTime: Bool = false) {
        guard !isJSON else { return Terminal.print(observation.json) }
        let time = withTime ? Terminal.paint(observation.time.timeOfDay, .grey) + "  " : ""
        Terminal.print(time + observation.line(width: words.map(\.count).max() ?? 0))
    }
}
