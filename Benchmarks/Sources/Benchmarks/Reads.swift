import CFloor
import Reachability

/// A flags read of one address and of the default route, against a bare RTM_GETROUTE round trip.
enum Reads {
    static let batch = 2000
    static let rounds = CommandLine.arguments.contains("quick") ? 1 : 60

    static func run() throws {
        let request = floor_open_request()
        let address = ReachabilityManager(address: try SocketAddress("198.51.100.9"))
        let defaultRoute = ReachabilityManager()
        var floor = Sample()
        var one = Sample()
        var all = Sample()
        for _ in 0..<rounds {
            floor.add(Double(floor_lookups(request, 0xc633_6409, Int32(batch))) / Double(batch))
            one.add(try time { _ = try address.currentFlags() })
            all.add(try time { _ = try defaultRoute.currentFlags() })
        }
        row("flags of an address, a read", one, floor: floor, unit: "ns", wanted: 1.5)
        row("flags of the default route, a read", all, floor: floor, unit: "ns", wanted: 2.5)
    }

    private static func time(_ body: () throws -> Void) rethrows -> Double {
        let start = floor_now()
        for _ in 0..<batch { try body() }
        return Double(floor_now() - start) / Double(batch)
    }
}
