internal import InternetProtocol
internal import Rtnetlink

extension EngineMachine {
    /// Evaluations are done. What they asked about must have been listened for before they asked: if it was not, they
    /// are repeated once it is.
    package mutating func evaluated(_ findings: [Finding]) -> [Action] {
        guard fault == nil else {
            // Nor are they causes of what comes after the fault.
            causes = []
            return []
        }
        guard areListenedFor(findings) else {
            // What nobody asks about any more is left out on this occasion. All that was asked stays in, what was listened
            // for before too: else the repetition would miss that, and the next one this, without end.
            var wanted: Set<IPAddress> = []
            for finding in findings { wanted.formUnion(finding.asked.lazy.map(\.destination)) }
            for target in watched.values { wanted.formUnion(target.destinations) }
            listening = AddressIndex(wanted)
            return [.listen(wanted), .evaluate(findings.map(\.id))]
        }
        var actions: [Action] = []
        for finding in findings { note(finding, &actions) }
        causes = []
        return actions
    }

    private func areListenedFor(_ findings: [Finding]) -> Bool {
        for finding in findings {
            for question in finding.asked where !listening.contains(question.destination) { return false }
        }
        return true
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
        let told = watched.values[position].take(report, causes: causes, generation: &generation)
        if told.isNewsForNames { actions.append(.defaultPathChanged) }
        if !told.old.isEmpty, let update = told.update { actions.append(.tell(told.old, update)) }
        if !told.new.isEmpty {
            actions.append(.tell(told.new, Update(report: report, causes: .initial, generation: generation)))
        }
    }
}
