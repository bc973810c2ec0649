internal import Glibc
internal import InternetProtocol

/// What resolv.conf(5) says: the servers, how long to wait for them, and what to add to short names. A value: any thread.
package struct ResolverConfiguration: Hashable, Sendable {
    /// The servers to ask, in their order. None: there is no resolver. (glibc and c-ares then ask 127.0.0.1 instead, so
    /// that a host without a network looks like one whose server is down.)
    package var nameservers: [Nameserver] = []
    /// How long to wait for the first answer of a server. c-ares doubles it from try to try.
    package var timeout: Duration = .seconds(2)
    /// How often each server is tried.
    package var attempts: Int = 2
    /// The domains that are added to names with fewer than `minimumDots` dots, and to others that are not found.
    package var searchDomains: [String] = []
    package var minimumDots: Int = 1
    /// Ask the servers in turns (`options rotate`).
    package var rotatesServers = false
    /// Ask over TCP from the first (`options use-vc`).
    package var usesTCP = false
    /// Where names are looked for, from nsswitch.conf(5).
    package var services: NameServices = .default
    /// Why this says less than the files may say: one could not be read for want of descriptors or memory.
    package var shortage: FileError?

    /// Nothing configured: no server, and the times c-ares takes by itself since 1.20.
    ///
    /// resolv.conf(5) would wait 5 s by default; then the answer of the second server comes after the 5 s in which
    /// a name has to be known (Rules.md, "A name").
    package init() {}
}

extension ResolverConfiguration {
    /// Where the system has it.
    package static let systemPath = "/etc/resolv.conf"
    /// The largest file read, in bytes; what the file can say needs a few hundred.
    package static let sizeLimit = 1 << 20

    /// The limits of resolv.conf(5) and resolv.h.
    enum Limit {
        static let nameservers = 3  // MAXNS
        static let timeout = 30  // RES_MAXRETRANS, seconds
        static let attempts = 5  // RES_MAXRETRY
        static let dots = 15  // RES_MAXNDOTS
        static let searchDomains = 32  // none in glibc; Kubernetes allows 32, and each costs a question
    }

    /// The configuration that the text of a resolv.conf makes. Nothing is refused: lines and words that make no sense
    /// are skipped, as the C library does.
    /// - Parameter hostName: The host's own name; its domain is searched if the file names none.
    package init(_ text: String, hostName: String = "") {
        let ownDomain = hostName.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).dropFirst()
        setSearch(Array(ownDomain))
        for line in text.split(whereSeparator: \.isNewline) {
            // A keyword begins its line; blanks before it make the line mean nothing, like # and ; do.
            guard let first = line.first, first.isLetter else { continue }
            let words = line.split { $0 == " " || $0 == "\t" }
            guard let keyword = words.first else { continue }
            switch keyword {
            case "nameserver": addNameserver(words.dropFirst().first)
            case "domain": setSearch(Array(words.dropFirst().prefix(1)))
            case "search": setSearch(Array(words.dropFirst()))  // of domain and search, the last one holds
            case "options": words.dropFirst().forEach { setOption($0) }
            default: break
            }
        }
    }

    /// What the files at these paths and the environment make (LOCALDOMAIN, RES_OPTIONS, as in resolv.conf(5)). A file
    /// that cannot be read says nothing: no file, no server. Any thread; reads the disk.
    package static func read(
        path: String = systemPath, servicesPath: String = NameServices.systemPath, environment: [String: String] = [:]
    ) -> ResolverConfiguration {
        var shortage: FileError?
        let bytes = FileContents.read(path, limit: sizeLimit, shortage: &shortage)
        var result = ResolverConfiguration(String(decoding: bytes, as: UTF8.self), hostName: ownHostName)
        if let domains = environment["LOCALDOMAIN"] { result.setSearch(domains.split(separator: " ")) }
        environment["RES_OPTIONS"]?.split(separator: " ").forEach { result.setOption($0) }
        result.services = NameServices.read(path: servicesPath, shortage: &shortage)
        result.shortage = shortage
        return result
    }

    /// The names to ask for, one after the other until one is found, each with the dot that ends the search in c-ares.
    ///
    /// Search rules of resolv.conf(5): a name with enough dots is asked for as it is first, any other last. An absolute
    /// one is asked for as it is, and that is all (RFC 1034, 3.1).
    package func candidates(for name: HostName) -> [String] {
        guard !name.isAbsolute else { return [name.text + "."] }
        let longer = searchDomains.map { "\(name.text).\($0)" }.filter { $0.utf8.count <= HostName.nameLimit }
        let dots = name.text.utf8.count { $0 == UInt8(ascii: ".") }
        return (dots >= minimumDots ? [name.text] + longer : longer + [name.text]).map { $0 + "." }
    }
}

// MARK: - Lines

extension ResolverConfiguration {
    private mutating func addNameserver(_ word: Substring?) {
        guard nameservers.count < Limit.nameservers, let word, let server = Nameserver(String(word)) else { return }
        nameservers.append(server)
    }

    private mutating func setSearch(_ words: [Substring]) {
        // "." is the root: searching it is asking for the name as it is.
        searchDomains = words.prefix(Limit.searchDomains).compactMap { try? HostName(String($0)).text }
    }

    private mutating func setOption(_ word: Substring) {
        let parts = word.split(separator: ":", maxSplits: 1)
        let number = parts.count == 2 ? Int(parts[1]) : nil
        switch (parts.first, number) {
        case ("timeout", let seconds?) where seconds >= 0: timeout = .seconds(min(max(seconds, 1), Limit.timeout))
        case ("attempts", let count?) where count >= 0: attempts = min(max(count, 1), Limit.attempts)
        case ("ndots", let dots?) where dots >= 0: minimumDots = min(dots, Limit.dots)
        case ("rotate", nil): rotatesServers = true
        case ("use-vc", nil): usesTCP = true
        default: break
        }
    }

    /// The host's own name, from uname(2).
    private static var ownHostName: String {
        var names = utsname()
        guard unsafe uname(&names) == 0 else { return "" }
        // Sound: the field is a C string within its own size, and the bytes are copied out here.
        return unsafe withUnsafeBytes(of: names.nodename) {
            unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
        }
    }
}
