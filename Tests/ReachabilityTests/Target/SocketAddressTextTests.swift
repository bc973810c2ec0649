import Glibc
import InternetProtocol
import Reachability
import TestSupport
import Testing

@Suite struct SocketAddressTextTests {
    /// Text, and what comes back out.
    @Test(arguments: [
        ("10.0.0.1", "10.0.0.1"), ("10.0.0.1:80", "10.0.0.1:80"), ("10.0.0.1:0", "10.0.0.1"),
        ("255.255.255.255:65535", "255.255.255.255:65535"), ("127.1", "127.0.0.1"), ("0x7f000001", "127.0.0.1"),
        ("017700000001", "127.0.0.1"), ("1", "0.0.0.1"), ("0", "0.0.0.0"), ("1:2", "0.0.0.1:2"),
        ("2001:db8::1", "2001:db8::1"), ("2001:DB8:0:0::1", "2001:db8::1"), ("::", "::"),
        ("::ffff:10.0.0.9", "::ffff:10.0.0.9"), ("[2001:db8::1]:443", "[2001:db8::1]:443"), ("[::1]", "::1"),
        ("fe80::1%lo", "fe80::1%lo"), ("fe80::1%1", "fe80::1%lo"), ("[fe80::1%lo]:80", "[fe80::1%lo]:80"),
        ("fe80::1%4000000000", "fe80::1%4000000000"),
    ])
    func textIsRead(text: String, canonical: String) throws {
        let address = try SocketAddress(text)
        #expect(address.description == canonical)
        #expect(try SocketAddress(canonical) == address, "it reads what it writes")
    }

    @Test(arguments: [
        "", " ", "10.0.0.", "10.0.0.256x", "10.0.0.1.1", "10.0.0.1 ", " 10.0.0.1", "10.0.0.1.", "1.2.3.4 foo",
        "example.org",
        "[10.0.0.1]:80", "[2001:db8::1", "2001:db8::1]", "2001:db8::1::", "2001:db8::g", "10.0.0.1%lo", "0x1ffffffff",
        "10.0.0.1\0", "10.0.0.1\0.example.org", "2001:db8::1\0", "１０.0.0.1", "/10.0.0.1", "[::1]80", "10.0.0.1/24",
    ])
    func otherTextIsRefused(text: String) {
        #expect(problem(text) == .text(text))
    }

    @Test(arguments: [
        ("10.0.0.1:", ""), ("10.0.0.1:x", "x"), ("10.0.0.1:65536", "65536"), ("10.0.0.1:-1", "-1"),
        ("10.0.0.1:+1", "+1"),
        ("10.0.0.1: 80", " 80"), ("[::1]:", ""), ("[::1]:99999", "99999"), ("10.0.0.1:８０", "８０"),
    ])
    func aBadPortIsNamed(text: String, port: String) {
        #expect(problem(text) == .port(port, text: text))
    }

    @Test(arguments: [
        ("fe80::1%nolink", "nolink"), ("fe80::1%", ""), ("fe80::1%0", "0"), ("fe80::1%lo%lo", "lo%lo"),
        ("fe80::1%+1", "+1"), ("fe80::1%-1", "-1"), ("fe80::1%4294967296", "4294967296"), ("fe80::1%lo\0", "lo\0"),
        ("[fe80::1%nolink]:80", "nolink"),
    ])
    func aScopeThatNamesNoLinkIsNamed(text: String, scope: String) {
        #expect(problem(text) == .scope(scope, text: text))
    }

    private func problem(_ text: String) -> SocketAddressError.Problem? {
        do {
            let address = try SocketAddress(text)
            Issue.record("\"\(text)\" was taken for \(address)")
            return nil
        } catch {
            return error.problem
        }
    }

    @Test func anErrorIsOneSentenceThatNamesTheInput() {
        for text in ["example.org", "10.0.0.1:x", "fe80::1%nolink"] {
            #expect(throws: SocketAddressError.self) { try SocketAddress(text) }
            do { _ = try SocketAddress(text) } catch {
                #expect(error.description.contains(text) && !error.description.hasSuffix("."))
            }
        }
    }

    @Test func noTextTraps() {
        var random = SeededGenerator(seed: 8)
        let pieces = ["10", ".", ":", "::", "%", "[", "]", "lo", "fe80", "1", "0x", "é", "\0", " ", "65536", "-", "👍"]
        for _ in 0..<5000 {
            let text = (0..<Int.random(in: 0...8, using: &random)).map { _ in
                pieces.randomElement(using: &random) ?? ""
            }.joined()
            guard let address = try? SocketAddress(text) else { continue }
            #expect((try? SocketAddress(address.description)) == address, "\(text)")
        }
    }
}
