import NameResolution
import TestSupport
import Testing

@Suite struct HostNameTests {
    @Test(arguments: [
        ("api.example.com", "api.example.com"),
        ("API.Example.COM", "api.example.com"),
        ("api.example.com.", "api.example.com"),
        ("localhost", "localhost"),
        ("_service._tcp.example.com", "_service._tcp.example.com"),
        ("my_container", "my_container"),
        ("a-b.c--d", "a-b.c--d"),
        ("3com.com", "3com.com"),
        ("1.2.3.4.example", "1.2.3.4.example"),
        ("xn--bcher-kva.example", "xn--bcher-kva.example"),
    ])
    func aNameIsLowerCaseWithoutTheDotAtItsEnd(text: String, name: String) throws {
        #expect(try HostName(text).text == name)
        #expect(try HostName(text).description == name + (text.hasSuffix(".") ? "." : ""))
    }

    @Test(arguments: [
        ("bücher.example", "xn--bcher-kva.example"),
        ("BÜCHER.example.", "xn--bcher-kva.example"),
        ("faß.de", "xn--fa-hia.de"),
        ("例え。テスト", "xn--r8jz45g.xn--zckzah"),
    ])
    func lettersBeyondASCIIGoOutAsALabels(text: String, name: String) throws {
        #expect(try HostName(text).text == name)
    }

    @Test func theLongestLabelAndNameAreAccepted() throws {
        let label = String(repeating: "a", count: 63)
        #expect(try HostName("\(label).test").text == "\(label).test")
        let longest = [label, label, label, String(repeating: "b", count: 61)].joined(separator: ".")
        #expect(longest.utf8.count == 253)
        #expect(try HostName(longest).text == longest)
        #expect(try HostName(longest + ".").text == longest)
    }

    static let refused: [(String, HostNameError, String)] = [
        ("", .empty, "a host name cannot be empty"),
        (".", .onlyDots("."), "\".\" is not a host name: it has no label"),
        ("...", .onlyDots("..."), "\"...\" is not a host name: it has no label"),
        ("https://h/path", .url("https://h/path"), "\"https://h/path\" is a URL, not a host name; write \"h\""),
        (
            "http://user@h:80/", .url("http://user@h:80/"),
            "\"http://user@h:80/\" is a URL, not a host name; write \"h\""
        ),
        ("http://[::1]:80", .url("http://[::1]:80"), "\"http://[::1]:80\" is a URL, not a host name; write \"::1\""),
        ("http://", .url("http://"), "\"http://\" is a URL, not a host name"),
        ("h:80", .port("h:80"), "\"h:80\" is not a host name: a host name has no port; write \"h\""),
        (":80", .port(":80"), "\":80\" is not a host name: a host name has no port"),
        (
            "1.2.3.4:80", .port("1.2.3.4:80"),
            "\"1.2.3.4:80\" is not a host name: a host name has no port; write \"1.2.3.4\""
        ),
        ("me@h", .user("me@h"), "\"me@h\" is not a host name: a host name has no user; write \"h\""),
        ("h/path", .path("h/path"), "\"h/path\" is not a host name: a host name has no path; write \"h\""),
        (
            "[::1]", .brackets("[::1]"),
            "\"[::1]\" is not a host name: an address stands without brackets and port; write \"::1\""
        ),
        (
            "[fe80::1%eth0]:53", .brackets("[fe80::1%eth0]:53"),
            "\"[fe80::1%eth0]:53\" is not a host name: an address stands without brackets and port"
        ),
        ("a b", .whiteSpace("a b"), "\"a b\" is not a host name: it holds white space"),
        ("h\n", .whiteSpace("h\n"), "\"h\\n\" is not a host name: it holds white space"),
        ("\u{a0}h", .whiteSpace("\u{a0}h"), "\"\u{a0}h\" is not a host name: it holds white space"),
        (
            "a..b", .emptyLabel("a..b"),
            "\"a..b\" is not a host name: it has an empty label (two dots in a row, or one in front)"
        ),
        (
            ".a", .emptyLabel(".a"),
            "\".a\" is not a host name: it has an empty label (two dots in a row, or one in front)"
        ),
        (
            "a..", .emptyLabel("a.."),
            "\"a..\" is not a host name: it has an empty label (two dots in a row, or one in front)"
        ),
        (
            "-a.b", .hyphenAtEdge("-a.b", label: "-a"),
            "\"-a.b\" is not a host name: the label \"-a\" begins or ends with a hyphen"
        ),
        (
            "a-.b", .hyphenAtEdge("a-.b", label: "a-"),
            "\"a-.b\" is not a host name: the label \"a-\" begins or ends with a hyphen"
        ),
        ("a$b", .badCharacter("a$b", "$"), "\"a$b\" is not a host name: it holds the character \"$\""),
        ("a\u{0}b", .badCharacter("a\u{0}b", "\u{0}"), "\"a\\0b\" is not a host name: it holds the character \"\\0\""),
        ("eth0%1", .badCharacter("eth0%1", "%"), "\"eth0%1\" is not a host name: it holds the character \"%\""),
        (
            "256.1.1.1", .malformedAddress("256.1.1.1"),
            "\"256.1.1.1\" is neither an address nor a host name: it looks like an address, but is malformed"
        ),
        (
            "1.2.3.4.5", .malformedAddress("1.2.3.4.5"),
            "\"1.2.3.4.5\" is neither an address nor a host name: it looks like an address, but is malformed"
        ),
        (
            "fe80::zz", .malformedAddress("fe80::zz"),
            "\"fe80::zz\" is neither an address nor a host name: it looks like an address, but is malformed"
        ),
        (
            "é..x", .notInternational("é..x"), "\"é..x\" is not a host name: it has no form in ASCII (IDNA)"
        ),
        (
            "\u{202e}abc", .notInternational("\u{202e}abc"),
            "\"\u{202e}abc\" is not a host name: it has no form in ASCII (IDNA)"
        ),
        ("ü%41", .badCharacter("ü%41", "%"), "\"ü%41\" is not a host name: it holds the character \"%\""),
    ]

    @Test(arguments: refused)
    func otherTextIsRefusedWithItsReason(text: String, error: HostNameError, sentence: String) {
        #expect(throws: error) { try HostName(text) }
        #expect(error.input == text)
        #expect(error.description == sentence)
    }

    @Test func lengthsOverTheLimitsAreRefused() {
        let label = String(repeating: "a", count: 64)
        #expect(throws: HostNameError.labelTooLong("\(label).test", label: label)) { try HostName("\(label).test") }
        let name = Array(repeating: "abcdefghi", count: 26).joined(separator: ".")
        #expect(throws: HostNameError.nameTooLong(name, bytes: 259)) { try HostName(name) }
        let long = HostNameError.labelTooLong("\(label).test", label: label).description
        #expect(
            long == "\"\(label.prefix(60))\"... is not a host name: a label of 64 bytes is over the limit of 63")
        // The limits hold for what is sent, not for what was written: 60 letters of two bytes make 65 bytes.
        #expect(throws: HostNameError.self) { try HostName(String(repeating: "ü", count: 60) + ".test") }
    }

    @Test(arguments: [
        ("localhost", true), ("LOCALHOST.", true), ("a.localhost", true), ("a.b.localhost.", true),
        ("localhost.example", false), ("mylocalhost", false), ("localhost.localdomain", false),
    ])
    func localhostAndTheNamesBelowItAreLocal(text: String, isLocal: Bool) throws {
        #expect(try HostName(text).isLocalhost == isLocal)
    }

    @Test func namesThatDifferInCaseAreOne() throws {
        #expect(try Set([HostName("a.b"), HostName("A.B")]).count == 1)
        #expect(try Set([HostName("a.b."), HostName("A.B.")]).count == 1)
    }

    @Test(arguments: ["printer", "api.example.com", "bücher.example"])
    func aNameWithTheDotAtItsEndIsAbsoluteAndAnother(text: String) throws {
        let (relative, absolute) = try (HostName(text), HostName(text + "."))
        #expect(!relative.isAbsolute && absolute.isAbsolute)
        #expect(relative != absolute && relative.text == absolute.text)
        #expect(try HostName(absolute.description) == absolute && HostName(relative.description) == relative)
    }

    /// Nothing traps, and what is accepted is a name that is accepted again, unchanged.
    @Test(arguments: [1, 2, 3] as [UInt64])
    func anyTextIsANameOrAnError(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let pieces: [String] = [
            "a", "Z", "0", "9", "-", "_", ".", "..", ":", "/", "@", "[", "]", "%", " ", "\n", "\u{0}", "\\", "ü", "ß",
            "。", "．",
            "e\u{301}", "\u{301}", "\u{200d}", "\u{202e}", "\u{ad}", "🙂", "http://", "xn--", "xn--a-", "localhost",
            "1.2.3.4", "::1",
            "\u{fffd}", "\u{10ffff}", "%41", "#", "?", "０", "ﬁ", String(repeating: "x", count: 63),
        ]
        var accepted = 0
        for _ in 0..<4000 {
            let text = (0..<Int.random(in: 0...6, using: &random)).map { _ in pieces.randomElement(using: &random) ?? ""
            }.joined()
            do {
                let name = try HostName(text)
                accepted += 1
                #expect((try? HostName(name.description)) == name, "\(text.debugDescription)")
                #expect(name.text.utf8.count <= 253 && !name.text.isEmpty)
            } catch {
                #expect(error.input == text)
                #expect(!error.description.contains("\n"))
                if let suggestion = error.suggestion { #expect(suggestion.utf8.count < text.utf8.count) }
            }
        }
        #expect(accepted > 100)
    }
}
