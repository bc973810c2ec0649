internal import Reachability

extension Options {
    /// Prints an observation in the form that was asked for.
    func show(_ observation: Observation, withTime: Bool = false) {
        guard !isJSON else { return Terminal.print(observation.json) }
        let time = withTime ? StyledLine(observation.time.timeOfDay, .grey) + "  " : ""
        Terminal.print((time + observation.line(width: words.map(\.count).max() ?? 0)).painted)
    }
}
