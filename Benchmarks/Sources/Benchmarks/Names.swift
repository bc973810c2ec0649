import CFloor
import Dispatch
import Glibc
import Reachability

/// How long the public calls of a manager of a name take while its resolver never answers. `run.sh` configures
/// 127.0.0.1 as the resolver, and here is what listens there.
enum Names {
    static let rounds = 200
    /// Nothing public waits for DNS (Rules.md, "AFNetworking's manager").
    static let limit = 5.0  // ms

    static func run() throws {
        guard let resolver = SilentResolver() else {
            print("public calls with a silent resolver: port 53 of 127.0.0.1 cannot be had, not measured")
            return
        }
        var calls: [(name: String, times: Sample)] = []
        func measure<Value>(_ name: String, _ body: () throws -> Value) rethrows -> Value {
            let start = floor_now()
            let value = try body()
            let time = Double(floor_now() - start) / 1_000_000
            let position = calls.firstIndex { $0.name == name } ?? calls.endIndex
            if position == calls.endIndex { calls.append((name, Sample())) }
            calls[position].times.add(time)
            return value
        }
        let queue = DispatchQueue(label: "names")
        var known = 0
        for round in 0..<rounds {
            let manager = try measure("init(domain:)") {
                try ReachabilityManager(domain: "host-\(round).bench.test", queue: queue)
            }
            measure("start") { manager.startMonitoring() }
            if try measure("currentFlags", { try manager.currentFlags() }) != nil { known += 1 }
            if measure("status", { manager.status }) != .unknown { known += 1 }
            // Every other one asks its question before it is stopped.
            if round.isMultiple(of: 2) { resolver.awaitQuestion() }
            measure("stop") { manager.stopMonitoring() }
        }
        for (name, times) in calls {
            let longest = times.quantile(1)
            print(
                "\("\(name), silent resolver, the longest".padded(44)) \(longest.text.padded(9)) ms   median "
                    + "\(times.median.text.padded(9)) wanted <= \(limit.text)   \(longest <= limit ? "ok" : "MISSED")")
        }
        // Whatever was known did not come from the resolver: then something else was measured.
        if known > 0 || resolver.questions == 0 {
            print("  MISSED: \(known) answers, \(resolver.questions) questions: the resolver of this run is another")
        }
    }
}

/// A socket at port 53 that takes questions and answers none.
private final class SilentResolver {
    private let socket = Glibc.socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
    private(set) var questions = 0

    init?() {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(53).bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        let result = withUnsafeBytes(of: &address) {
            bind(socket, $0.baseAddress?.assumingMemoryBound(to: sockaddr.self), socklen_t($0.count))
        }
        if result != 0 { return nil }
    }

    deinit { close(socket) }

    /// Waits for a question, no longer than a second, and takes all that are there.
    func awaitQuestion() {
        var descriptor = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        _ = poll(&descriptor, 1, 1000)
        var byte: UInt8 = 0
        while recv(socket, &byte, 1, Int32(MSG_DONTWAIT)) >= 0 { questions += 1 }
    }
}
