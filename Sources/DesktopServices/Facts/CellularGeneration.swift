/// A generation of mobile networks.
package enum CellularGeneration: UInt8, Sendable, CaseIterable {
    case second = 2
    case third
    case fourth
    case fifth
}

extension CellularGeneration: Comparable {
    package static func < (a: CellularGeneration, b: CellularGeneration) -> Bool { a.rawValue < b.rawValue }
}

extension CellularGeneration: CustomStringConvertible {
    /// `2G` to `5G`.
    package var description: String { "\(rawValue)G" }
}
