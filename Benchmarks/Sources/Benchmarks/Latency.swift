import CFloor
import Dispatch
import Foundation
import Reachability
import Synchronization

/// From the send of a change to the callback on a private queue, against a thread that blocks in recv. Both are told by
/// the same driver, a process of its own, and are otherwise asleep.
enum Latency {
    /// Few in a round, and many rounds by turns: what a wake-up costs on a shared machine differs from second to second.
    static let changes = 20
    static let rounds = 30
    static let pause: UInt32 = 20_000

    static func run() throws {
        var floor = Sample()
        var asking = Sample()
        var handed = Sample()
        var ours = Sample()
        // What the kernel costs for the answer, in the engine's own system calls; and what a private queue costs by itself: a
        // second thread to wake.
        let request = floor_open_request()
        defer { close(request) }
        let queue = DispatchQueue(label: "bare")
        for _ in 0..<rounds {
            for delay in try bare({ time, _, stamps in stamps.add(time) }) { floor.add(delay) }
            let asks = try bare { _, isRemoval, stamps in
                _ = floor_ask_default(request, "bench0", isRemoval ? 1 : 0)
                stamps.add(floor_now())
            }
            for delay in asks { asking.add(delay) }
            let hands = try bare { _, _, stamps in queue.async { stamps.add(floor_now()) } }
            for delay in hands { handed.add(delay) }
            for delay in try manager() { ours.add(delay) }
        }
        print("changes seen of \(changes * rounds): floor \(floor.values.count), ours \(ours.values.count)")
        row("change to callback, median", ours, floor: floor, unit: "µs", wanted: 2.5)
        row("  a bare recv that asks the same, median", asking, floor: floor, unit: "µs")
        row("  a bare recv handed to a queue, median", handed, floor: floor, unit: "µs")
        print(
            "\("change to callback, p95 and p99".padded(44)) \(ours.quantile(0.95).text) and \(ours.quantile(0.99).text)"
                + " µs   floor \(floor.quantile(0.95).text) and \(floor.quantile(0.99).text)")
    }

    /// When reports came.
    private final class Stamps: Sendable {
        private let times = Mutex<[UInt64]>([])

        init() { times.withLock { $0.reserveCapacity(2 * Latency.changes) } }

        func add(_ now: UInt64) { times.withLock { $0.append(now) } }

        /// Microseconds from each start to the first report before the next start.
        func delays(_ starts: [UInt64]) -> [Double] {
            let times = times.withLock { $0 }
            return zip(starts, starts.dropFirst() + [.max]).compactMap { start, next in
                times.first { $0 > start && $0 < next }.map { Double($0 - start) / 1000 }
            }
        }
    }

    /// What a thread in recv makes of each message.
    private static func bare(
        _ told: @escaping @Sendable (_ time: UInt64, _ isRemoval: Bool, Stamps) -> Void
    ) throws -> [Double] {
        let stamps = Stamps()
        let listener = BareListener { told($0, $1, stamps) }
        usleep(100_000)
        let starts = try Driver.run(.flaps(changes, pause: pause))
        listener.join()
        return stamps.delays(starts)
    }

    private static func manager() throws -> [Double] {
        let stamps = Stamps()
        let manager = ReachabilityManager(queue: DispatchQueue(label: "latency"))
        manager.setReachabilityStatusChangeBlock { _ in stamps.add(floor_now()) }
        manager.startMonitoring()
        usleep(100_000)
        let starts = try Driver.run(.flaps(changes, pause: pause))
        manager.stopMonitoring()
        return stamps.delays(starts)
    }
}
