import CNamespace
import Foundation
import Glibc

/// What a thread of this process uses of the processor.
struct EngineThreadUse: Sendable {
    private let id: pid_t
    private let clock: clockid_t

    /// The calling thread's.
    init() {
        id = namespace_thread()
        var clock = clockid_t()
        unsafe pthread_getcpuclockid(pthread_self(), &clock)  // sound: it writes one number
        self.clock = clock
    }

    /// How long it has run.
    var time: Duration {
        var time = timespec()
        unsafe clock_gettime(clock, &time)  // sound: it writes one timespec
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    /// How often it went to sleep, which is as often as it woke up.
    var sleeps: Int? {
        let path = "/proc/self/task/\(id)/status"
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return nil }
        let line = text.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches:") }
        return line?.split(whereSeparator: \.isWhitespace).last.flatMap { Int($0) }
    }
}
