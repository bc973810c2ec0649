/// The links of a network namespace by their index.
package struct LinkTable: Equatable, Sendable {
    /// By index. A sorted list, since a host has few links and every lookup of a route ends in a search here.
    private var entries: [LinkEntry] = []

    package init(_ links: some Sequence<Link> = []) {
        for link in links { self[link.index] = link }
    }

    package subscript(index: InterfaceIndex) -> Link? {
        get { entry(index)?.link }
        set {
            let place = firstPosition(atOrAfter: index)
            let isThere = place < entries.count && entries[place].link.index == index
            switch (newValue, isThere) {
            case (let link?, true): entries[place] = LinkEntry(link)
            case (let link?, false): entries.insert(LinkEntry(link), at: place)
            case (nil, true): entries.remove(at: place)
            case (nil, false): break
            }
        }
    }

    /// The link with its kind.
    package func entry(_ index: InterfaceIndex) -> LinkEntry? {
        let place = firstPosition(atOrAfter: index)
        guard place < entries.count, entries[place].link.index == index else { return nil }
        return entries[place]
    }

    /// The link of that name; the kernel lets no two share one, alternative names included.
    package subscript(name name: String) -> Link? {
        entries.first { $0.link.name == name || $0.link.alternativeNames.contains(name) }?.link
    }

    /// Nobody else has the names of this link any more: the kernel does not tell when a link that is down loses one
    /// (net/core/rtnetlink.c, rtnl_linkprop).
    package mutating func takeNames(from link: Link) {
        let names = Set([link.name] + link.alternativeNames)
        for (place, entry) in entries.enumerated() where entry.link.index != link.index {
            var other = entry.link
            other.alternativeNames.removeAll(where: names.contains)
            if other != entry.link { entries[place] = LinkEntry(other) }
        }
    }

    /// All links, by index.
    package var all: [Link] { entries.map(\.link) }

    private func firstPosition(atOrAfter index: InterfaceIndex) -> Int {
        var low = 0
        var high = entries.count
        while low < high {
            let middle = low + (high - low) / 2
            if entries[middle].link.index.rawValue < index.rawValue { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
