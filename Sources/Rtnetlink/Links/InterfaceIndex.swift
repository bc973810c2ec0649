internal import Glibc

/// The kernel's number of a network interface; zero is none.
package struct InterfaceIndex: RawRepresentable, Hashable, Comparable, Sendable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }

    package init(_ rawValue: UInt32) { self.rawValue = rawValue }

    package static func < (a: InterfaceIndex, b: InterfaceIndex) -> Bool { a.rawValue < b.rawValue }
}

extension InterfaceIndex {
    /// The interface of that name in the calling thread's network namespace, alternative names included; nil if there is none or
    /// the kernel cannot be asked.
    package init?(named name: String) {
        // A zero inside the name would be taken for its end, and the kernel passes over what follows a colon.
        guard !name.isEmpty, !name.utf8.contains(0), !name.utf8.contains(UInt8(ascii: ":")) else { return nil }
        if name.utf8.count < Int(IF_NAMESIZE) {
            let index = unsafe if_nametoindex(name)  // sound: it reads the C string it is given
            guard index != 0 else { return nil }
            self.init(index)
        } else {
            // Only an alternative name can be longer, and only netlink knows it in full.
            let links = (try? RequestSocket().links()) ?? []
            guard let link = links.first(where: { $0.alternativeNames.contains(name) }) else { return nil }
            self = link.index
        }
    }
}
