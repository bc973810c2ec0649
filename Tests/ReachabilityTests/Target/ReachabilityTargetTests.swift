import Foundation
import InternetProtocol
import NameResolution
import Reachability
import TestSupport
import Testing

@Suite struct ReachabilityTargetTests {
    /// Text, its kind, the text that comes back, the required interface.
    @Test(
        arguments: [
            ("default", .default, "default", nil), ("0.0.0.0", .default, "default", nil),
            ("::", .default, "default", nil), ("0.0.0.0:80", .default, "default", nil),
            ("10.0.0.1", .address, "10.0.0.1", nil), ("10.0.0.1:80", .address, "10.0.0.1:80", nil),
            ("127.1", .address, "127.0.0.1", nil), ("2001:db8::1", .address, "2001:db8::1", nil),
            ("[2001:db8::1]:443", .address, "[2001:db8::1]:443", nil), ("fe80::1%lo", .address, "fe80::1%lo", "lo"),
            ("::ffff:10.0.0.9", .address, "::ffff:10.0.0.9", nil),
            ("10.0.0.1%lo", .address, "10.0.0.1%lo", "lo"), ("10.0.0.1%1", .address, "10.0.0.1%lo", "lo"),
            ("0.0.0.0%lo", .default, "default%lo", "lo"), ("default%lo", .default, "default%lo", "lo"),
            ("10.0.0.1,10.0.0.2", .pair, "10.0.0.1,10.0.0.2", nil), (",10.0.0.2", .pair, ",10.0.0.2", nil),
            ("10.0.0.1,", .pair, "10.0.0.1,", nil), ("fe80::1%lo,fe80::2%lo", .pair, "fe80::1%lo,fe80::2%lo", nil),
            ("10.0.0.1,0.0.0.0", .pair, "10.0.0.1,0.0.0.0", nil), ("0.0.0.0,::1", .pair, "0.0.0.0,::1", nil),
            ("::1,10.0.0.1:80", nil, "", nil),
            ("example.org", .name, "example.org", nil), ("Example.ORG.", .name, "example.org.", nil),
            ("localhost", .name, "localhost", nil), ("a", .name, "a", nil),
            ("example.org%lo", .name, "example.org%lo", "lo"),
            // The same on every link, so this says by which to go; of a link-local address it says which is meant.
            ("2001:db8::1%lo", .address, "2001:db8::1%lo", "lo"),
            ("[fe80::1%lo]:80", .address, "[fe80::1%lo]:80", "lo"), ("fe80::1%1", .address, "fe80::1%lo", "lo"),
            ("[2001:db8::1%1]:80", .address, "[2001:db8::1%lo]:80", "lo"), ("fe80::1%lo", .address, "fe80::1%lo", "lo"),
        ] as [(String, ReachabilityTarget.Kind?, String, String?)])
    func textIsRead(text: String, kind: ReachabilityTarget.Kind?, canonical: String, interface: String?) throws {
        guard let kind else {
            #expect(throws: ReachabilityTargetError.self) { try ReachabilityTarget(parsing: text) }
            return
        }
        let target = try ReachabilityTarget(parsing: text)
        #expect(target.kind == kind && target.description == canonical && target.requiredInterface == interface)
        #expect(try ReachabilityTarget(parsing: canonical) == target, "it reads what it writes")
    }

    private func problem(_ text: String) -> ReachabilityTargetError? {
        do {
            let target = try ReachabilityTarget(parsing: text)
            Issue.record("\"\(text)\" was taken for \(target)")
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: [
        "", " ", ".", "...", "https://example.org/", "example.org:80", "user@example.org", "example.org/path", "a b",
        "-a.org", "a-.org", "a..b", ".a", "999.1.1.1", "1.2.3.4.", "1.2.3.4 foo", "exa_mple!.org", "a\0b", "10.0.0.1\0",
        "10.0.0.0/8", "1.2.3.4.5", "example.org\n",
    ])
    func textThatIsNoTargetIsRefusedWithASentence(text: String) {
        guard let error = problem(text) else { return }
        guard case .name(let input, let why) = error.problem else {
            Issue.record("\(error.problem)")
            return
        }
        #expect(input == text && error.description == why)
        #expect(!why.isEmpty && !why.contains("\n") && !why.hasSuffix("."))
    }

    @Test(arguments: ["10.0.0.1:0", "10.0.0.1:80", "[::1]:0", "[::1]:53"])
    func aDomainHasNoPortNotEvenZero(text: String) {
        #expect(throws: ReachabilityTargetError.self) { try ReachabilityTarget.domain(text) }
    }

    @Test func everyErrorIsShownByFoundationAsItSays() throws {
        let error = try #require(problem("a b"))
        #expect((error as any Error).localizedDescription == error.description)
    }

    @Test func labelsAndNamesHaveTheirLimits() throws {
        let label = String(repeating: "a", count: 63)
        let name = [label, label, label, String(repeating: "a", count: 61)].joined(separator: ".")
        #expect(name.utf8.count == 253)
        for text in [label, name, name + "."] { #expect(try ReachabilityTarget.domain(text).kind == .name) }
        for text in [label + "a", name + "a", "a." + name] {
            #expect(throws: ReachabilityTargetError.self) { try ReachabilityTarget.domain(text) }
        }
    }

    @Test(
        arguments: [
            ("fe80::1%nolink", .scope("nolink", text: "fe80::1%nolink")),
            ("10.0.0.1%nolink", .scope("nolink", text: "10.0.0.1%nolink")),
            ("10.0.0.1%", .scope("", text: "10.0.0.1%")),
            ("10.0.0.1%lo:1", .scope("lo:1", text: "10.0.0.1%lo:1")),
            ("10.0.0.1%4000000000", .scope("4000000000", text: "10.0.0.1%4000000000")),
            ("2001:db8::1%4000000000", .scope("4000000000", text: "2001:db8::1%4000000000")),
            ("default%nolink", .scope("nolink", text: "default%nolink")),
            ("10.0.0.1,nonsense", .text("nonsense")), ("nonsense,10.0.0.1", .text("nonsense")),
            ("10.0.0.1,10.0.0.2,10.0.0.3", .text("10.0.0.2,10.0.0.3")), ("default,10.0.0.1", .text("default")),
            ("2001:db8::g", .text("2001:db8::g")), ("[::1", .text("[::1")), ("[::1]:x", .port("x", text: "[::1]:x")),
        ] as [(String, SocketAddressError.Problem)])
    func aBadAddressIsNamed(text: String, wanted: SocketAddressError.Problem) {
        guard case .address(let error)? = problem(text)?.problem else {
            Issue.record("\(String(describing: problem(text)))")
            return
        }
        #expect(error.problem == wanted)
    }

    /// P14 of Rules.md, "A pair".
    @Test(arguments: ["10.0.0.1,2001:db8::1", "::1,127.0.0.1"]) func aMixedPairIsRefused(text: String) {
        guard let error = problem(text), case .mixedPair = error.problem else {
            Issue.record("another problem")
            return
        }
        for end in text.split(separator: ",") { #expect(error.description.contains(end)) }
    }

    @Test func mappedAndZeroEndsMixWithEitherFamily() throws {
        for text in ["::ffff:10.0.0.1,10.0.0.2", "0.0.0.0,2001:db8::1", "2001:db8::1,0.0.0.0", "::,10.0.0.1"] {
            #expect(try ReachabilityTarget(parsing: text).kind == .pair)
        }
    }

    /// P12 of Rules.md, "A pair".
    @Test func aPairWithoutEndsIsRefused() {
        #expect(problem(",")?.problem == .emptyPair)
        #expect(throws: ReachabilityTargetError.self) { try ReachabilityTarget.pair(local: nil, remote: nil) }
    }

    @Test(arguments: ["127.1", "0x7f000001", "10.0.0.1", "::1", "fe80::1%lo"]) func aDomainThatIsAnAddressIsOne(
        text: String
    ) throws {
        #expect(try ReachabilityTarget.domain(text) == .address(SocketAddress(text)))
    }

    @Test func aDomainOfTheZeroAddressIsTheDefaultRoute() throws {
        #expect(try ReachabilityTarget.domain("0") == .default)
    }

    @Test func namesAreEqualHoweverTheyAreWritten() throws {
        let name = try ReachabilityTarget.domain("example.org")
        #expect(try ReachabilityTarget.domain("EXAMPLE.org") == name)
        #expect(try ReachabilityTarget.domain("bücher.example").description == "xn--bcher-kva.example")
        #expect(name.requiring(interface: "lo") != name && name.requiring(interface: nil) == name)
    }

    /// One is looked for in the search domains and the other is not, so that they may have different addresses.
    @Test func aNameWithTheDotAtItsEndIsAnotherTarget() throws {
        for name in ["printer", "example.org"] {
            #expect(try ReachabilityTarget.domain(name + ".") != .domain(name))
            #expect(try ReachabilityTarget.domain(name + ".") == .domain(name.uppercased() + "."))
        }
    }

    @Test func aRequiredInterfaceNeedNotExistYet() {
        let target = ReachabilityTarget.default.requiring(interface: "wlan7")
        #expect(target.requiredInterface == "wlan7" && target.description == "default%wlan7")
    }

    @Test func everyErrorIsOneSentence() throws {
        let problems = [",", "10.0.0.1,::1", "https://example.org/", "fe80::1%nolink"].compactMap { problem($0) }
        #expect(problems.count == 4 && Set(problems.map(\.description)).count == 4)
        for error in problems { #expect(!error.description.contains("\n") && !error.description.hasSuffix(".")) }
    }

    @Test func noTextTraps() {
        var random = SeededGenerator(seed: 9)
        let pieces = ["10.0.0.1", "::1", ",", "%", "lo", "default", "[", "]", ":", "80", "a", ".", "ß", "\0", " ", "👍"]
        for _ in 0..<3000 {
            let text = (0..<Int.random(in: 0...6, using: &random)).map { _ in
                pieces.randomElement(using: &random) ?? ""
            }.joined()
            // A host of the name `default` cannot be written apart from the default route.
            guard let target = try? ReachabilityTarget(parsing: text), target.kind != .name else { continue }
            #expect((try? ReachabilityTarget(parsing: target.description)) == target, "\(text)")
        }
    }
}
