package import Rtnetlink

/// Whom an evaluation asks. The kernel is one, a scripted network the other, and a recorder wraps either.
package protocol RouteOracle {
    /// What is known of links and addresses.
    var view: NetworkView { get }
    /// Asks for a route, afresh.
    mutating func route(_ question: RouteQuestion) -> RouteAnswer
    /// Asks for two routes at once, which may be cheaper than one by one.
    mutating func routes(_ first: RouteQuestion, _ second: RouteQuestion) -> (RouteAnswer, RouteAnswer)
    /// A link's flags, afresh; nil if the link is gone.
    mutating func flags(of link: LinkEntry) -> LinkFlags?
    /// A link that the view may not know yet; nil if there is none.
    mutating func link(_ index: InterfaceIndex) -> LinkEntry?
}

extension RouteOracle {
    package mutating func routes(_ first: RouteQuestion, _ second: RouteQuestion) -> (RouteAnswer, RouteAnswer) {
        let answer = route(first)
        return (answer, route(second))
    }
}
