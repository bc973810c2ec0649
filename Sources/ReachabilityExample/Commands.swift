internal import Reachability

/// `status`: one line a target, in the order given.
struct StatusCommand {
    private let options: Options

    init(_ options: Options) { self.options = options }

    func run() -> Int32 {
        let watcher = Watcher()
        watcher.follow(options.targets)
        var reports: [Int: Report] = [:]
        var patience = Patience(options)
        waiting: while reports.count < options.targets.count {
            switch watcher.next(before: patience.deadline) {
            // The first that is known: recovery from a fault is not waited for.
            case .reports(let new):
                for (position, report) in new where reports[position] == nil {
                    reports[position] = report
                    patience.heard(of: position)
                }
                if patience.isOver { break waiting }
            case .interrupted: break waiting
            case .timedOut: if patience.runOut() { break waiting }
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
        var patience = Patience(options)
        while true {
            switch watcher.next(before: patience.deadline) {
            case .reports(let new):
                for (position, report) in new {
                    reports[position] = report
                    patience.heard(of: position)
                    let reason = report.reason.map { ", \($0)" } ?? ""
                    Terminal.progress("\(options.words[position]): \(report.status)\(reason)")
                }
                if reports.allSatisfy(\.status.isReachable) {
                    show(reports)
                    return ExitStatus.success
                }
                if patience.isOver { return giveUp(reports) }
            case .interrupted:
                return ExitStatus.notReachable
            case .timedOut:
                if patience.runOut() { return giveUp(reports) }
            }
        }
    }

    private func giveUp(_ reports: [Report]) -> Int32 {
        show(reports)
        for (position, report) in reports.enumerated() where !report.status.isReachable {
            let state = report.status == .unknown ? "is not known to be reachable" : "is still not reachable"
            Terminal.complain("\(options.words[position]) \(state): \(report.reason?.description ?? "no answer yet")")
        }
        return ExitStatus.notReachable
    }

    /// For programs alone: to people the end of the wait says enough.
    private func show(_ reports: [Report]) {
        guard options.isJSON else { return }
        for (position, report) in reports.enumerated() {
            options.show(
                Observation(
                    target: options.words[position], kind: options.targets[position].kind, report: report,
                    previous: nil))
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
