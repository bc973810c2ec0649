import Glibc
import InternetProtocol
import TestSupport
import Testing

@testable import NameResolution

@Suite struct HostsFileTests {
    private static let file = HostsFile(
        """
        # comment with 9.9.9.9 commented
        127.0.0.1\tlocalhost localhost.localdomain
        ::1       localhost ip6-localhost # loopback.example
        fe80::1%lo0 localhost

        10.0.0.1  Api.Example.COM  api
        2001:db8::1 api.example.com.
        10.0.0.1  again api.example.com
        junk api.example.com
        10.0.0.2#api.example.com
        10.0.0.3
           10.0.0.4   indented.example  \r
        300.0.0.1 api.example.com
        10.0.0.5 name-at-the-end
        """)

    @Test(arguments: [
        ("localhost", ["127.0.0.1", "::1", "fe80::1"]),
        ("api.example.com", ["10.0.0.1", "2001:db8::1"]),
        ("api", ["10.0.0.1"]),
        ("indented.example", ["10.0.0.4"]),
        ("name-at-the-end", ["10.0.0.5"]),
        ("ip6-localhost", ["::1"]),
        ("loopback.example", []),
        ("commented", []),
        ("example.com", []),
        ("pi.example.com", []),
        ("api.example.com.org", []),
        ("junk", []),
        ("absent.example", []),
    ])
    func aNameHasTheAddressesOfAllItsLinesInOrder(name: String, addresses: [String]) throws {
        #expect(Self.file.addresses(of: try HostName(name)).map(\.description) == addresses)
    }

    @Test func aLineOfCommentsOrNothingNamesNobody() throws {
        for text in ["", "\n\n", "#", "# 1.2.3.4 h", "1.2.3.4", "1.2.3.4\n h", " ", "\r\n", "h 1.2.3.4"] {
            #expect(HostsFile(text).addresses(of: try HostName("h")).isEmpty, "\(text.debugDescription)")
        }
    }

    @Test func noMoreAddressesAreTakenThanTheLimit() throws {
        let file = HostsFile((0..<1000).map { "10.0.\($0 / 256).\($0 % 256) many" }.joined(separator: "\n"))
        #expect(file.addresses(of: try HostName("many")).count == LookupOutcome.addressLimit)
    }

    @Test func aFileIsReadFromDisk() throws {
        let folder = try TemporaryFolder()
        try folder.write("10.0.0.1 h\n", to: "hosts")
        #expect(try HostsFile.read(path: folder.path("hosts")) == HostsFile("10.0.0.1 h\n"))
    }

    @Test func whatIsNoFileIsAnErrorWithItsReason() throws {
        let folder = try TemporaryFolder()
        let missing = folder.path("missing")
        #expect(throws: FileError(path: missing, problem: .system(ENOENT))) { try HostsFile.read(path: missing) }
        #expect(
            FileError(path: missing, problem: .system(ENOENT)).description
                == "cannot read \(missing): No such file or directory (errno 2)")
        #expect(throws: FileError(path: folder.root, problem: .notRegular)) { try HostsFile.read(path: folder.root) }
        #expect(throws: FileError(path: "/dev/zero", problem: .notRegular)) { try HostsFile.read(path: "/dev/zero") }
        let fifo = folder.path("fifo")
        try #require(unsafe mkfifo(fifo, 0o600) == 0)
        #expect(throws: FileError(path: fifo, problem: .notRegular)) { try HostsFile.read(path: fifo) }
        let large = folder.path("large")
        try folder.write("", to: "large")
        try #require(unsafe truncate(large, HostsFile.sizeLimit + 1) == 0)
        #expect(throws: FileError(path: large, problem: .tooLarge(limit: HostsFile.sizeLimit))) {
            try HostsFile.read(path: large)
        }
    }

    /// Files whose size is not known before they are read.
    @Test func aFileThatSaysItIsEmptyIsReadToItsEnd() throws {
        let own = try HostsFile.read(path: "/proc/self/status")
        #expect(own != HostsFile())
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func anyBytesAreAFile(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let pieces = [
            "1.2.3.4", "::1", "%eth0", " ", "\t", "\n", "#", "h", "H.", "h.example", "\r", "\u{0}", ".", "ü",
            "fe80::1%",
        ]
        let name = try HostName("h")
        var found = 0
        for _ in 0..<3000 {
            var bytes = (0..<Int.random(in: 0...12, using: &random)).flatMap { _ in
                Array((pieces.randomElement(using: &random) ?? "").utf8)
            }
            if !bytes.isEmpty, Bool.random(using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            found += HostsFile(bytes).addresses(of: name).count
        }
        #expect(found > 10)
    }
}
