internal import Reachability

/// The states that targets were heard to be in last.
struct Observations {
    private let options: Options
    private var last: [Int: Report] = [:]

    init(_ options: Options) { self.options = options }

    /// Takes a report of the target at the position; nil if it shows nothing new.
    mutating func take(_ report: Report, of position: Int) -> Observation? {
        let observation = Observation(
            target: options.words[position], kind: options.targets[position].kind, report: report,
            previous: last[position])
        guard !observation.change.isEmpty else { return nil }
        last[position] = report
        return observation
    }
}
