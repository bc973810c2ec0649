/// The kernel's number of a network interface; zero is none.
package struct InterfaceIndex: RawRepresentable, Hashable, Comparable, Sendable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }

    package init(_ rawValue: UInt32) { self.rawValue = rawValue }

    package static func < (a: InterfaceIndex, b: InterfaceIndex) -> Bool { a.rawValue < b.rawValue }
}
