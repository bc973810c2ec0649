import CFloor
import Dispatch
import Foundation
import Reachability

/// The CPU that route messages cost which concern nobody, against a bare recv of each.
enum Storm {
    static let routes = 20_000

    static func run() throws {
        var floor = Sample()
        var ours = Sample()
        for _ in 0..<3 {
            floor.add(try bare())
            ours.add(try manager())
        }
        row("CPU for 40,000 unrelated route messages", ours, floor: floor, unit: "ms", wanted: 0.5)
    }

    private static func bare() throws -> Double {
        let listener = BareListener { _, _ in }
        defer { listener.join() }
        return try cpu()
    }

    private static func manager() throws -> Double {
        let manager = ReachabilityManager(queue: DispatchQueue(label: "storm"))
        manager.startMonitoring()
        defer { manager.stopMonitoring() }
        return try cpu()
    }

    /// Milliseconds that this process computes while the driver, another one, makes the storm; this thread sleeps.
    private static func cpu() throws -> Double {
        usleep(100_000)
        let before = floor_cpu()
        _ = try Driver.run(.storm(routes))
        usleep(50_000)
        return Double(floor_cpu() - before) / 1_000_000
    }
}
