/// Gives each call of this process its serial, so that an answer is known by it.
///
/// One is left to the library's own first call on a connection (`Hello`), and D-Bus forbids zero.
package struct SerialNumbers: Sendable {
    private var last: UInt32 = 1

    /// Nothing has been sent.
    package init() {}

    /// The next serial.
    package mutating func next() -> UInt32 {
        last = last == .max ? 2 : last + 1
        return last
    }
}
