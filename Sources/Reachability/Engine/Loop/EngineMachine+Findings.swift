internal import InternetProtocol
internal import Rtnetlink

extension EngineMachine {
    /// Evaluations are done. What they asked about must have been listened for before they asked: if it was not, they
    /// are repeated once it is.
    package mutating func evaluated(_ findings: [Finding]) -> [Action] {
        guard fault == nil else { return [] }
        guard findings.allSatisfy(isListenedFor) else {
            // What nobody asks about any more is left out on this occasion. All that was asked stays in, what was listened
            // for before too: else the repetition would miss that, and the next one this, without end.
            listening = []
            for finding in findings { listening.formUnion(finding.asked.lazy.map(\.destination)) }
            for target in watched.values { listening.formUnion(target.destinations) }
            return [.listen(listening), .evaluate(findings.map(\.id))]
        }
        var actions: [Action] = []
        for finding in findings { note(finding, &actions) }
        causes = []
        return actions
    }

    private func isListenedFor(_ finding: Finding) -> Bool {
        finding.asked.allSatisfy { listening.contains($0.destination) }
    }

    private mutating func note(_ finding: Finding, _ actions: inout [Action]) {
        guard let position = watched.index(forKey: finding.id) else { return }
        if watched.values[position].noteQuestions(finding.asked) { isIndexStale = true }
        // Else what was known of an end stays, and is looked at when it has come: in its last hundredth of a second a route
        // looks as if it had none.
        if let expiry = finding.expiry { expiries[finding.id] = Expiry(time: expiry) }
        tell(position, finding.report, causes: causes, &actions)
    }

    /// Tells a report to all if it differs from the last, else to those alone who know nothing yet.
    mutating func tell(
        _ position: Dictionary<TargetID, WatchedTarget>.Index, _ report: Report, causes: ChangeCauses,
        _ actions: inout [Action]
    ) {
        let told = watched.values[position].take(report)
        if told.isNew { generation += 1 }
        if told.isNewsForNames { actions.append(.defaultPathChanged) }
        if !told.old.isEmpty {
            actions.append(.tell(told.old, Update(report: report, causes: causes, generation: generation)))
        }
        if !told.new.isEmpty {
            actions.append(.tell(told.new, Update(report: report, causes: .initial, generation: generation)))
        }
    }
}
