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
            case .interrupted, .readable: break waiting
            case .timedOut: if patience.runOut() { break waiting }
            }
        }
        var isAllReachable = true
        for (position, word) in options.words.enumerated() {
            let observation = Observation(
                target: word, kind: options.targets[position].kind, report: reports[position] ?? .notKnownYet,
                previous: nil)
            options.show(observation)
            if !observation.report.status.isReachable { isAllReachable = false }
            if observation.report.status == .unknown {
                Terminal.complain("nothing is known of \(word): \(observation.explanation)")
            }
        }
        return isAllReachable ? ExitStatus.success : ExitStatus.notReachable
    }
}
