/// Where names are looked for: the `hosts` line of nsswitch.conf(5). A value: any thread.
///
/// The hosts file is always asked before the servers, whatever the order of the line: a name in it needs no network,
/// and that must not depend on a server. Other services (mdns, myhostname, nis) are not known here.
package struct NameServices: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// `files`: the hosts file.
    package static let hostsFile = NameServices(rawValue: 1 << 0)
    /// `dns`, or `resolve`, which is systemd-resolved and is asked over DNS here.
    package static let servers = NameServices(rawValue: 1 << 1)

    /// What holds without the file, without the line, and for a line that names neither.
    package static let `default`: NameServices = [.hostsFile, .servers]

    /// Where the system has the file.
    package static let systemPath = "/etc/nsswitch.conf"

    /// What the text of an nsswitch.conf says. Nothing is refused.
    package init(_ text: String) {
        var found: NameServices = []
        for line in text.split(whereSeparator: \.isNewline) {
            let parts = line.prefix { $0 != "#" }.split(separator: ":", maxSplits: 1)
            guard parts.count == 2, parts[0].filter({ !$0.isWhitespace }) == "hosts" else { continue }
            for word in parts[1].split(whereSeparator: \.isWhitespace) {
                switch word {
                case "files": found.insert(.hostsFile)
                case "dns", "resolve": found.insert(.servers)
                default: break
                }
            }
        }
        self = found.isEmpty ? .default : found
    }

    /// The file at `path`; one that cannot be read says nothing. Any thread; reads the disk.
    package static func read(path: String = systemPath) -> NameServices {
        var shortage: FileError?
        return read(path: path, shortage: &shortage)
    }

    static func read(path: String, shortage: inout FileError?) -> NameServices {
        let bytes = FileContents.read(path, limit: ResolverConfiguration.sizeLimit, shortage: &shortage)
        return NameServices(String(decoding: bytes, as: UTF8.self))
    }
}
