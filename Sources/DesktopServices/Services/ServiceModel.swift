/// What one daemon has told, and what to ask it: a pure value fed with its answers and signals.
///
/// A model never sees the connection: it returns methods to call, and `ServiceMachine` calls them, times them and keeps
/// the words of former owners away. Input may be anything; what does not fit is unknown.
package protocol ServiceModel: Sendable {
    /// The daemon's well-known name.
    static var busName: String { get }

    /// Match rules for the signals the model wants, without `type` and `sender`.
    static var signalRules: [String] { get }

    /// The first question. While it has no answer, the model knows nothing.
    static var root: BusMethod { get }

    init()

    /// Takes an answer; the body is nil if the daemon refused or sent what cannot be read.
    ///
    /// - Returns: what to ask next; nil if the answer to `root` is of no use, so that nothing can be known.
    mutating func reply(to method: BusMethod, _ body: [BusValue]?) -> [BusMethod]?

    /// Takes a signal of the daemon.
    ///
    /// - Returns: what to ask next; `root` if the signal makes no sense, for then something changed that is not known.
    mutating func signal(_ signal: BusSignal) -> [BusMethod]
}
