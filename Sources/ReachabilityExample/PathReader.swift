internal import Foundation
internal import Reachability

/// Reads the path once.
enum PathReader {
    /// How long a daemon of the desktop is given to tell of modems and metered connections, where a bus is there.
    private static let patience = Duration.milliseconds(250)

    /// The path and type, with what the daemons say of them if they say it soon; nil if nothing is known.
    static func read() -> (NetworkPath, NetworkType)? {
        let watcher = Watcher()
        watcher.followPath()
        var found: Report?
        var deadline: ContinuousClock.Instant?
        while true {
            switch watcher.next(before: deadline) {
            case .reports(let reports):
                found = reports.last?.report ?? found
                guard hasBus else { return found.map(describe) }
                deadline = deadline ?? .now + patience
            case .interrupted, .timedOut: return found.map(describe)
            }
        }
    }

    private static func describe(_ report: Report) -> (NetworkPath, NetworkType) {
        (NetworkPath(report), NetworkType(report))
    }

    private static var hasBus: Bool {
        ProcessInfo.processInfo.environment["DBUS_SYSTEM_BUS_ADDRESS"] != nil
            || FileManager.default.fileExists(atPath: "/run/dbus/system_bus_socket")
    }
}
