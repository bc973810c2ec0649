internal import Foundation
internal import Reachability
internal import Timing

/// Reads the path once.
enum PathReader {
    /// How long a daemon of the desktop is given to tell of modems and metered connections, where a bus is there.
    private static let patience = Duration.milliseconds(250)

    /// The path with what the daemons say of it if they say it soon; nil if nothing is known.
    static func read() -> PathReading? {
        let watcher = Watcher()
        watcher.followPath()
        var found: Report?
        var deadline: Instant?
        while true {
            switch watcher.next(before: deadline) {
            case .reports(let reports):
                found = reports.last?.report ?? found
                guard hasBus else { return found.map { PathReading($0) } }
                deadline = deadline ?? .now + patience
            case .interrupted, .timedOut, .readable: return found.map { PathReading($0) }
            }
        }
    }

    private static var hasBus: Bool {
        ProcessInfo.processInfo.environment["DBUS_SYSTEM_BUS_ADDRESS"] != nil
            || FileManager.default.fileExists(atPath: "/run/dbus/system_bus_socket")
    }
}
