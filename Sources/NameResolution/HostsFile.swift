package import InternetProtocol

/// The hosts file, hosts(5): names that need no server. A value: any thread.
///
/// It keeps the bytes and reads them for each question: a file that blocks advertisements has 200,000 lines, and a table of
/// them would cost more memory than all the rest of the process.
package struct HostsFile: Hashable, Sendable {
    /// Where the system has it.
    package static let systemPath = "/etc/hosts"
    /// The largest file read, in bytes: twice the longest public block lists.
    package static let sizeLimit = 16 << 20

    private let bytes: [UInt8]

    /// A file with these bytes; none are ever refused. Lines that do not begin with an address are skipped.
    package init(_ bytes: [UInt8] = []) {
        self.bytes = bytes
    }

    /// A file with this text.
    package init(_ text: String) {
        self.init(Array(text.utf8))
    }

    /// The file at `path`, or why there is none. Any thread; reads the disk.
    package static func read(path: String = systemPath) throws(FileError) -> HostsFile {
        HostsFile(try FileContents.read(path, limit: sizeLimit))
    }

    /// The addresses of all lines that name `name`, in the order of the file, each once, and no more than
    /// `LookupOutcome.addressLimit`. A scope (`fe80::1%eth0`) is dropped.
    package func addresses(of name: HostName) -> [IPAddress] {
        let wanted = Array(name.text.utf8)
        var found: [IPAddress] = []
        var position = 0
        while position < bytes.count && found.count < LookupOutcome.addressLimit {
            guard let first = nextWord(at: &position) else {
                position += 1  // the end of the line
                continue
            }
            var isNamed = false
            while let word = nextWord(at: &position) { isNamed = isNamed || isSame(word, wanted) }
            guard isNamed, let address = address(in: first), !found.contains(address) else { continue }
            found.append(address)
        }
        return found
    }

    /// The next word of the line, or nil with `position` at the line's end. A comment belongs to no word.
    private func nextWord(at position: inout Int) -> Range<Int>? {
        while position < bytes.count, Self.isBlank(bytes[position]) { position += 1 }
        let start = position
        while position < bytes.count, !Self.isBlank(bytes[position]), !Self.endsWords(bytes[position]) { position += 1 }
        if position > start { return start..<position }
        while position < bytes.count, bytes[position] != UInt8(ascii: "\n") { position += 1 }
        return nil
    }

    private func address(in word: Range<Int>) -> IPAddress? {
        IPAddress(String(decoding: bytes[word].prefix { $0 != UInt8(ascii: "%") }, as: UTF8.self))
    }

    /// True if the word is the name, in any case, with or without a dot at its end.
    private func isSame(_ word: Range<Int>, _ name: [UInt8]) -> Bool {
        let isDotted = word.count == name.count + 1 && bytes[word.upperBound - 1] == UInt8(ascii: ".")
        guard word.count == name.count || isDotted else { return false }
        return name.indices.allSatisfy { Self.lowercased(bytes[word.lowerBound + $0]) == name[$0] }
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\r")
    }

    private static func endsWords(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "#")
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
    }
}
