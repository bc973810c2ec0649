internal import CAres

/// How c-ares says that something ended (ares.h). The numbers stand here because the header gives them as macros up to
/// 1.21 and as an enumeration after; they are part of its binary interface.
struct CaresStatus: RawRepresentable, Hashable, Sendable {
    let rawValue: Int32

    static let success = CaresStatus(rawValue: 0)
    static let noData = CaresStatus(rawValue: 1)
    static let formatError = CaresStatus(rawValue: 2)
    static let serverFailure = CaresStatus(rawValue: 3)
    static let notFound = CaresStatus(rawValue: 4)
    static let refused = CaresStatus(rawValue: 6)
    static let badName = CaresStatus(rawValue: 8)
    static let badResponse = CaresStatus(rawValue: 10)
    /// No server could be reached; up to 1.19 also what SERVFAIL, REFUSED and NOTIMP end in.
    static let connectionRefused = CaresStatus(rawValue: 11)
    static let timeout = CaresStatus(rawValue: 12)
    static let outOfMemory = CaresStatus(rawValue: 15)
    /// The channel was destroyed.
    static let destruction = CaresStatus(rawValue: 16)
    static let noName = CaresStatus(rawValue: 19)
    static let cancelled = CaresStatus(rawValue: 24)
    static let noServer = CaresStatus(rawValue: 26)

    /// c-ares' own text for it.
    var text: String {
        // Sound: ares_strerror answers with a constant string for any number, and it is copied here.
        guard let text = unsafe ares_strerror(rawValue) else { return "unknown" }
        return unsafe String(cString: text)
    }
}

/// The version of c-ares that runs, which may be newer than the header that was compiled.
struct CaresVersion: Comparable, Sendable, CustomStringConvertible {
    /// Three bytes: major, minor, patch (ares_version.h).
    let number: Int32

    static let running: CaresVersion = {
        var number: Int32 = 0
        _ = unsafe ares_version(&number)
        return CaresVersion(number: number)
    }()

    /// From here on a server's text may name the link of a link-local address.
    static let scopedServers = CaresVersion(1, 20)
    /// From here on answers are kept, for an hour if need be, unless that is turned off.
    static let queryCache = CaresVersion(1, 31)

    init(number: Int32) {
        self.number = number
    }

    private init(_ major: Int32, _ minor: Int32) {
        number = major << 16 | minor << 8
    }

    static func < (a: CaresVersion, b: CaresVersion) -> Bool { a.number < b.number }

    var description: String { "\(number >> 16).\(number >> 8 & 0xff).\(number & 0xff)" }
}
