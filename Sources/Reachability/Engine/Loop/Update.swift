/// What a subscriber is handed. An object, since ten thousand subscribers may keep the same one.
package final class Update: Sendable {
    package let report: Report
    package let causes: ChangeCauses
    /// Counts the reports of the engine: of two equal reports the later one has the higher number.
    package let generation: UInt64

    package init(report: Report, causes: ChangeCauses, generation: UInt64) {
        self.report = report
        self.causes = causes
        self.generation = generation
    }

    /// True if it says the same, whatever led to it. Compared in place: a report is long, and this is asked at each change.
    func says(_ other: Report) -> Bool { report == other }
    func says(the other: Update) -> Bool { self === other || report == other.report }
}

extension Update: Equatable {
    package static func == (a: Update, b: Update) -> Bool {
        a === b || (a.report == b.report && a.causes == b.causes && a.generation == b.generation)
    }
}
