private import Foundation

/// A host name that DNS can be asked for: checked, in lower case, in ASCII.
///
/// Two names that differ in the dot at the end alone are two names: `printer` is looked for in the search domains and
/// `printer.` is not, so that each may have addresses, or none, without the other. That holds for a name of several labels
/// as well, which is asked for with the search domains once it was not found as it is.
///
/// Addresses are not its business: whoever has text from a user tries it as an address first.
package struct HostName: Hashable, Sendable {
    /// The labels, without the dot at the end: `api.example.com`, `xn--bcher-kva.example`.
    package let text: String
    /// True for a name that was written with the dot at its end: it is complete, and no search domain is added to it
    /// (RFC 1034, 3.1).
    package let isAbsolute: Bool

    /// The most bytes a label has (RFC 1035, 2.3.4).
    static let labelLimit = 63
    /// The most bytes a name has in text without the dot at its end: 255 on the wire (RFC 1035, 2.3.4), less the length
    /// byte of the first label and the empty label at the end.
    static let nameLimit = 253

    /// The name that `text` is, or why it is none. Upper case and one dot at the end are accepted; letters beyond ASCII
    /// become A-labels (RFC 5891). An underscore may stand where a letter may: service and container names have them.
    package init(_ text: String) throws(HostNameError) {
        try Self.refuseOtherThings(text)
        var ascii = Substring(text.utf8.allSatisfy { $0 < 0x80 } ? text : try Self.ascii(text))
        isAbsolute = ascii.hasSuffix(".")
        if isAbsolute { ascii.removeLast() }
        try Self.check(ascii, of: text)
        self.text = ascii.lowercased()
    }

    /// True for `localhost` and every name below it, which are answered here and never asked for (RFC 6761, 6.3).
    package var isLocalhost: Bool { text == "localhost" || text.hasSuffix(".localhost") }
}

extension HostName: CustomStringConvertible {
    /// The name as it is read again: with the dot of an absolute one.
    package var description: String { isAbsolute ? text + "." : text }
}

// MARK: - The rules

extension HostName {
    /// Refuses what holds a host name, or looks like one, but is something else.
    private static func refuseOtherThings(_ text: String) throws(HostNameError) {
        guard !text.isEmpty else { throw .empty }
        if text.contains("://") { throw .url(text) }
        if text.unicodeScalars.contains(where: \.properties.isWhitespace) { throw .whiteSpace(text) }
        if text.contains("/") { throw .path(text) }
        if text.contains("@") { throw .user(text) }
        if text.contains("[") || text.contains("]") { throw .brackets(text) }
        switch text.utf8.count(where: { $0 == UInt8(ascii: ":") }) {
        case 0: break
        case 1: throw .port(text)
        default: throw .malformedAddress(text)  // colons are IPv6, and the caller found no address in it
        }
        if text.utf8.allSatisfy({ $0 == UInt8(ascii: ".") }) { throw .onlyDots(text) }
    }

    /// The A-labels of a name with letters beyond ASCII. Foundation holds the tables; it answers with percent signs, or
    /// nothing, where IDNA has no A-label, and maps compatibility forms, so that what comes back is checked like any name.
    private static func ascii(_ text: String) throws(HostNameError) -> String {
        // Looked at before Foundation is: everything ASCII that a label cannot hold, so that no syntax of URLs takes part.
        try refuseBadCharacters(Substring(text), of: text) { $0.isASCII && !isAllowed($0) && $0 != "." }
        var components = URLComponents()
        components.scheme = "http"  // IDNA is applied for schemes that have hosts
        components.host = text
        guard let result = components.encodedHost, result.utf8.allSatisfy({ $0 < 0x80 }), !result.contains("%") else {
            throw .notInternational(text)
        }
        guard !result.isEmpty else { throw .notInternational(text) }
        return result
    }

    private static func check(_ name: Substring, of text: String) throws(HostNameError) {
        try refuseBadCharacters(name, of: text) { !isAllowed($0) && $0 != "." }
        guard name.utf8.count <= nameLimit else { throw .nameTooLong(text, bytes: name.utf8.count) }
        for label in name.split(separator: ".", omittingEmptySubsequences: false) {
            guard !label.isEmpty else { throw .emptyLabel(text) }
            guard label.utf8.count <= labelLimit else { throw .labelTooLong(text, label: String(label)) }
            guard label.first != "-", label.last != "-" else { throw .hyphenAtEdge(text, label: String(label)) }
        }
        guard !name.utf8.allSatisfy({ isDigit($0) || $0 == UInt8(ascii: ".") }) else { throw .malformedAddress(text) }
    }

    private static func refuseBadCharacters(
        _ name: Substring, of text: String, where isBad: (Unicode.Scalar) -> Bool
    ) throws(HostNameError) {
        guard let bad = name.unicodeScalars.first(where: isBad) else { return }
        throw .badCharacter(text, bad)
    }

    /// Letters, digits and hyphen (RFC 952, RFC 1123 2.1), and the underscore.
    private static func isAllowed(_ character: Unicode.Scalar) -> Bool {
        switch character {
        case "a"..."z", "A"..."Z", "0"..."9", "-", "_": true
        default: false
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }
}
