private import InternetProtocol

/// Why text is no host name. Every case but `empty` carries the text as it was given.
package enum HostNameError: Error, Hashable, Sendable {
    case empty
    case onlyDots(String)
    case url(String)
    case whiteSpace(String)
    case path(String)
    case user(String)
    case brackets(String)
    case port(String)
    /// Digits and dots, or colons, that are no address.
    case malformedAddress(String)
    case emptyLabel(String)
    case labelTooLong(String, label: String)
    case nameTooLong(String, bytes: Int)
    case badCharacter(String, Unicode.Scalar)
    case hyphenAtEdge(String, label: String)
    /// Letters beyond ASCII that IDNA has no A-label for (RFC 5891).
    case notInternational(String)

    /// The text as it was given.
    package var input: String {
        switch self {
        case .empty: ""
        case .onlyDots(let text), .url(let text), .whiteSpace(let text), .path(let text), .user(let text),
            .brackets(let text), .port(let text), .malformedAddress(let text), .emptyLabel(let text),
            .labelTooLong(let text, _), .nameTooLong(let text, _), .badCharacter(let text, _),
            .hyphenAtEdge(let text, _), .notInternational(let text):
            text
        }
    }

    /// The host in the text, where there is one that would be accepted: `h` of `https://user@h:80/path`.
    package var suggestion: String? {
        var rest = Substring(input)
        if let scheme = rest.firstRange(of: "://") { rest = rest[scheme.upperBound...] }
        rest = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        if let at = rest.lastIndex(of: "@") { rest = rest[rest.index(after: at)...] }
        if rest.first == "[" {
            rest = rest.dropFirst().prefix { $0 != "]" }
        } else if let colon = rest.lastIndex(of: ":") {
            rest = rest[..<colon]
        }
        let host = String(rest)
        guard host != input, IPAddress(host) != nil || (try? HostName(host)) != nil else { return nil }
        return host
    }
}

extension HostNameError: CustomStringConvertible {
    /// One sentence for whoever wrote the text: what is wrong with it and, where it helps, what to write instead.
    package var description: String {
        switch self {
        case .empty:
            "a host name cannot be empty"
        case .onlyDots:
            "\(quoted) is not a host name: it has no label"
        case .url:
            "\(quoted) is a URL, not a host name\(instead)"
        case .whiteSpace:
            "\(quoted) is not a host name: it holds white space"
        case .path:
            "\(quoted) is not a host name: a host name has no path\(instead)"
        case .user:
            "\(quoted) is not a host name: a host name has no user\(instead)"
        case .brackets:
            "\(quoted) is not a host name: an address stands without brackets and port\(instead)"
        case .port:
            "\(quoted) is not a host name: a host name has no port\(instead)"
        case .malformedAddress:
            "\(quoted) is neither an address nor a host name: it looks like an address, but is malformed"
        case .emptyLabel:
            "\(quoted) is not a host name: it has an empty label (two dots in a row, or one in front)"
        case .labelTooLong(_, let label):
            "\(quoted) is not a host name: a label of \(label.utf8.count) bytes is over the limit of "
                + "\(HostName.labelLimit)"
        case .nameTooLong(_, let bytes):
            "\(quoted) is not a host name: its \(bytes) bytes are over the limit of \(HostName.nameLimit)"
        case .badCharacter(_, let character):
            "\(quoted) is not a host name: it holds the character \"\(character.escaped(asASCII: true))\""
        case .hyphenAtEdge(_, let label):
            "\(quoted) is not a host name: the label \(Self.quoted(label)) begins or ends with a hyphen"
        case .notInternational:
            "\(quoted) is not a host name: it has no form in ASCII (IDNA)"
        }
    }

    private var quoted: String { Self.quoted(input) }

    /// The text for a message of one line: quoted, control characters escaped, cut after 60 characters.
    private static func quoted(_ text: String) -> String {
        let head = text.prefix(60)
        return String(head).debugDescription + (head.endIndex < text.endIndex ? "..." : "")
    }

    private var instead: String { suggestion.map { "; write \($0.debugDescription)" } ?? "" }
}
