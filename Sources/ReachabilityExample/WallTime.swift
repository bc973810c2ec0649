internal import Glibc

/// A moment of the wall clock.
struct WallTime: CustomStringConvertible {
    private let time: timespec

    static var now: WallTime {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)  // sound: it writes one timespec
        return WallTime(time: time)
    }

    /// RFC 3339 in UTC with microseconds.
    var description: String {
        var parts = unsafe tm()
        var seconds = time.tv_sec
        unsafe gmtime_r(&seconds, &parts)  // sound: it reads one number and writes one tm
        let date = unsafe [parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday].map { digits(Int($0), 2) }
        return unsafe date.joined(separator: "-") + "T" + clock(parts) + "Z"
    }

    /// The time of day here, with microseconds.
    var timeOfDay: String {
        var parts = unsafe tm()
        var seconds = time.tv_sec
        unsafe localtime_r(&seconds, &parts)  // sound: as above
        return unsafe clock(parts)
    }

    private func clock(_ parts: tm) -> String {
        let clock = unsafe [parts.tm_hour, parts.tm_min, parts.tm_sec].map { digits(Int($0), 2) }
        return clock.joined(separator: ":") + "." + digits(time.tv_nsec / 1000, 6)
    }

    private func digits(_ number: Int, _ width: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(width - text.count, 0)) + text
    }
}
