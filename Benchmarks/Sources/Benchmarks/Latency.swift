import CFloor
import Dispatch
import Foundation
import Glibc
import Reachability
import Synchronization

/// From the send of a change to the callback on a private queue, against a thread that blocks in recv.
enum Latency {
    static let changes = 600
    static let pause: useconds_t = 20_000

    static func run(_ link: UInt32) {
        let request = floor_open_request()
        var floor = Sample()
        var ours = Sample()
        for _ in 0..<3 {
            for delay in bare(request, link) { floor.add(delay) }
            for delay in manager(request, link) { ours.add(delay) }
        }
        print("changes seen: floor \(floor.values.count), ours \(ours.values.count)")
        row("change to callback, median", ours, floor: floor, unit: "µs", wanted: 2.5)
        print(
            "\("change to callback, p95 and p99".padded(44)) \(ours.quantile(0.95).text) and \(ours.quantile(0.99).text) µs"
                + "   floor \(floor.quantile(0.95).text) and \(floor.quantile(0.99).text)")
    }

    /// When the last report came, and a way to wait for it without touching the measured path.
    private final class Stamp: Sendable {
        private let time = Atomic<UInt64>(0)

        func set(_ now: UInt64) { time.store(now, ordering: .releasing) }

        func takeAfter(_ start: UInt64) -> Double? {
            usleep(Latency.pause)
            let end = time.exchange(0, ordering: .acquiring)
            return end > start ? Double(end - start) / 1000 : nil
        }
    }

    private static func changeAndCollect(_ request: Int32, _ link: UInt32, _ stamp: Stamp) -> [Double] {
        var delays: [Double] = []
        for number in 0..<(changes / 3) {
            let start = floor_now()
            _ = floor_set_route(request, 0, 0, Int32(link), Int32(number % 2))
            if let delay = stamp.takeAfter(start) { delays.append(delay) }
        }
        return delays
    }

    private static func bare(_ request: Int32, _ link: UInt32) -> [Double] {
        let stamp = Stamp()
        let socket = floor_open_routes()
        Thread.detachNewThread {
            while true {
                let time = floor_wait(socket)
                if time == 0 { return }
                stamp.set(time)
            }
        }
        usleep(100_000)
        let delays = changeAndCollect(request, link, stamp)
        shutdown(socket, Int32(SHUT_RDWR))
        return delays
    }

    private static func manager(_ request: Int32, _ link: UInt32) -> [Double] {
        let stamp = Stamp()
        let manager = ReachabilityManager(queue: DispatchQueue(label: "latency"))
        manager.setReachabilityStatusChangeBlock { _ in stamp.set(floor_now()) }
        manager.startMonitoring()
        usleep(100_000)
        let delays = changeAndCollect(request, link, stamp)
        manager.stopMonitoring()
        return delays
    }
}
