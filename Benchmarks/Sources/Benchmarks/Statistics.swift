/// Numbers of one kind, and what they amount to.
struct Sample {
    private(set) var values: [Double] = []

    mutating func add(_ value: Double) { values.append(value) }

    /// The value below which the given part of all values lies.
    func quantile(_ part: Double) -> Double {
        guard !values.isEmpty else { return .nan }
        let sorted = values.sorted()
        return sorted[min(Int(Double(sorted.count) * part), sorted.count - 1)]
    }

    var median: Double { quantile(0.5) }
    var best: Double { values.min() ?? .nan }
}

/// One row of the result: what, how much, against what, and what is wanted if anything is.
func row(_ what: String, _ value: Sample, floor: Sample, unit: String, wanted: Double? = nil) {
    let ratio = value.median / floor.median
    print(
        "\(what.padded(44)) \(value.median.text.padded(9)) \(unit)   floor \(floor.median.text.padded(9))"
            + " ratio \(ratio.text.padded(6)) "
            + (wanted.map { "wanted <= \($0.text)   \(ratio <= $0 ? "ok" : "MISSED")   " } ?? "")
            + "best/best \((value.best / floor.best).text)")
}

/// One row of something with a limit of its own.
func limit(_ what: String, _ value: Double, _ unit: String, wanted: Double) {
    print(
        "\(what.padded(44)) \(value.text.padded(9)) \(unit)   wanted <= \(wanted.text)"
            + "   \(value <= wanted ? "ok" : "MISSED")")
}

extension Double {
    var text: String {
        guard isFinite else { return "none" }
        let hundredths = Int((self * 100).rounded())
        return "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100)"
    }
}

extension String {
    func padded(_ width: Int) -> String { count >= width ? self : self + String(repeating: " ", count: width - count) }
}
