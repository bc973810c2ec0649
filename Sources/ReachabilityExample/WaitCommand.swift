internal import Reachability

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
            case .interrupted, .readable:
                return ExitStatus.notReachable
            case .timedOut:
                // A name that no answer came for has had its time; of all else there is a last look.
                let missing = reports.indices.filter { position in
                    !reports[position].status.isReachable
                        && (reports[position].isKnown || options.targets[position].kind != .name)
                }
                if patience.runOut(lookingAgainAt: missing) { return giveUp(reports) }
                watcher.followAnew(options.targets)
            }
        }
    }

    private func giveUp(_ reports: [Report]) -> Int32 {
        show(reports)
        for observation in observations(reports) where !observation.report.status.isReachable {
            let isUnknown = observation.report.status == .unknown
            let state = isUnknown ? "is not known to be reachable" : "is still not reachable"
            Terminal.complain("\(observation.target) \(state): \(observation.explanation)")
        }
        return ExitStatus.notReachable
    }

    /// For programs alone: to people the end of the wait says enough.
    private func show(_ reports: [Report]) {
        guard options.isJSON else { return }
        for observation in observations(reports) { options.show(observation) }
    }

    private func observations(_ reports: [Report]) -> [Observation] {
        reports.enumerated().map { position, report in
            Observation(
                target: options.words[position], kind: options.targets[position].kind, report: report, previous: nil)
        }
    }
}
