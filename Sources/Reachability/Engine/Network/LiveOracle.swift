package import Rtnetlink

/// Asks a network source; the view is that of the moment it was made.
package struct LiveOracle: RouteOracle {
    private let source: any NetworkSource
    private let snapshot: NetworkSnapshot

    package init(_ source: any NetworkSource) {
        // First, so that what is left to do with the source is to keep it.
        snapshot = source.snapshot
        self.source = source
    }

    package var view: NetworkView { snapshot.view }

    package func route(_ question: RouteQuestion) -> RouteAnswer { source.route(question) }
    package func routes(_ first: RouteQuestion, _ second: RouteQuestion) -> (RouteAnswer, RouteAnswer) {
        source.routes(first, second)
    }
    package func flags(of link: LinkEntry) -> LinkFlags? { source.flags(of: link) }
    package func link(_ index: InterfaceIndex) -> LinkEntry? { snapshot.view.links.entry(index) ?? source.link(index) }
}
