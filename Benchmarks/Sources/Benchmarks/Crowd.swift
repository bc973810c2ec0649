import CFloor
import Dispatch
import Foundation
import Reachability
import Synchronization

/// Ten thousand managers of the default route on one private queue: what they weigh, and when the last is told.
enum Crowd {
    static let count = 10_000

    static func run(_ link: UInt32) {
        let request = floor_open_request()
        let queue = DispatchQueue(label: "crowd")
        let told = Told()
        let first = start(queue, told)
        told.wait(for: 1)
        let alone = residentBytes()
        let others = (1..<count).map { _ in start(queue, told) }
        told.wait(for: count)
        let megabytes = Double(residentBytes() - alone) / Double(1 << 20)
        var times = Sample()
        for number in 0..<20 {
            told.reset()
            let begin = floor_now()
            _ = floor_set_route(request, 0, 0, Int32(link), Int32(number % 2))
            told.wait(for: count)
            times.add(Double(floor_now() - begin) / 1_000_000)
        }
        limit("10,000 managers above one, memory", megabytes, "MiB", wanted: 10)
        limit("a change told to 10,000 managers, median", times.median, "ms", wanted: 50)
        withExtendedLifetime((first, others)) {}
    }

    private static func start(_ queue: DispatchQueue, _ told: Told) -> ReachabilityManager {
        let manager = ReachabilityManager(queue: queue)
        manager.setReachabilityStatusChangeBlock { _ in told.add() }
        manager.startMonitoring()
        return manager
    }

    /// Counts those that were told.
    private final class Told: Sendable {
        private let number = Atomic(0)

        func add() { number.add(1, ordering: .relaxed) }
        func reset() { number.store(0, ordering: .relaxed) }

        func wait(for wanted: Int) {
            let end = floor_now() + 20_000_000_000
            while number.load(ordering: .relaxed) < wanted, floor_now() < end { usleep(200) }
        }
    }

    /// VmRSS, which /proc/self/statm counts in pages.
    private static func residentBytes() -> Int {
        let fields = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ") ?? []
        return fields.count > 1 ? (Int(fields[1]) ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE))) : 0
    }
}
