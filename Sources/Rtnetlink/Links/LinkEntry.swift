/// A link with the kind it is by itself, found out once. An object, so that a lookup hands it over without a copy.
package final class LinkEntry: Sendable {
    package let link: Link
    package let finding: LinkKindFinding

    package init(_ link: Link) {
        self.link = link
        finding = LinkKind.find(link)
    }
}

extension LinkEntry: Equatable {
    package static func == (a: LinkEntry, b: LinkEntry) -> Bool { a === b || a.link == b.link }
}
