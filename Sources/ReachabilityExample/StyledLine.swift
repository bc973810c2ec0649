/// A line of text in pieces, some of which are coloured.
struct StyledLine: ExpressibleByStringLiteral {
    private(set) var pieces: [(text: String, colour: Terminal.Colour?)] = []

    init() {}

    init(_ text: String, _ colour: Terminal.Colour? = nil) { add(text, colour) }

    init(stringLiteral text: String) { self.init(text) }

    mutating func add(_ text: String, _ colour: Terminal.Colour? = nil) { pieces.append((text, colour)) }

    static func + (a: StyledLine, b: StyledLine) -> StyledLine {
        var line = a
        line.pieces += b.pieces
        return line
    }

    /// The text alone.
    var plain: String { pieces.map(\.text).joined() }

    /// The text with its colours, where standard output has any.
    var painted: String {
        pieces.map { text, colour in colour.map { Terminal.paint(text, $0) } ?? text }.joined()
    }

    /// As much of the line as fits into so many columns.
    func cut(to columns: Int) -> StyledLine {
        var line = StyledLine()
        var room = max(columns, 0)
        for (text, colour) in pieces where room > 0 {
            let part = String(text.prefix(room))
            line.add(part, colour)
            room -= part.count
        }
        return line
    }
}
