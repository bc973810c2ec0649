import Glibc
import Reachability
import Rtnetlink
import Testing

extension Namespaces {
    /// What watching costs while nothing happens, and while much happens that does not matter.
    @Suite struct CostTests {
        @Test func anIdleEngineNeverWakes() throws {
            let net = try NetworkNamespace()
            let tun = try net.addTun("tun0", "10.0.0.2/24")
            try net.ip("route add default via 10.0.0.1 dev tun0")
            let watches = try ["default", "192.0.2.1", "10.0.0.9", "2001:db8::1", "10.0.0.2,192.0.2.1", "localhost"].map
            {
                try net.watch($0)
            }
            let thread = try #require(watches.first?.recorder.thread)
            // That nothing happens can only be seen over a time: a poll on nothing is what ends after it. The engine first
            // falls asleep after the last subscription; `settle` would not do, as letting go of its own watch wakes the
            // engine, and the kernel may yet have to tell of the new links (it does so by a queue of the whole host).
            var before = -1
            while try before != #require(thread.sleeps) {
                before = try #require(thread.sleeps)
                _ = poll(nil, 0, 300)
            }
            _ = poll(nil, 0, 2000)
            #expect(try #require(thread.sleeps) == before)
            withExtendedLifetime((tun, watches)) {}
        }

        @Test func aStormOfRoutesThatConcernNobodyCostsNothing() throws {
            let net = try NetworkNamespace()
            try net.addLink("eth0", "10.0.0.2/24", "2001:db8:1::2/64", gateway: "10.0.0.1")
            let watches = try ["default", "192.0.2.1", "2001:db8:77::1"].map { try net.watch($0) }
            let thread = try #require(watches.first?.recorder.thread)
            try net.settle()
            let before = thread.time
            // 40,000 messages: one when a route comes, one when it goes.
            let routes = (0..<20_000).map { "100.64.\($0 / 250).\($0 % 250)/32 via 10.0.0.1" }
            try net.ip(routes.map { "route add \($0)" })
            try net.ip(routes.map { "route del \($0)" })
            try net.settle()
            let cost = thread.time - before
            #expect(cost < .seconds(0.1) * Sanitizer.slowdown, "\(cost)")
            for watch in watches { #expect(watch.count == 1, "\(watch.target)") }
        }

        @Test func aStormOfIPv6RoutesThatConcernNobodyCostsNothing() throws {
            let net = try NetworkNamespace()
            try net.addLink("eth0", "10.0.0.2/24", "2001:db8:1::2/64", gateway: "10.0.0.1")
            let watch = try net.watch()
            let thread = try #require(watch.recorder.thread)
            try net.settle()
            let before = thread.time
            let routes = (0..<10_000).map { "2a02:\(String($0, radix: 16))::/32 via 2001:db8:1::1" }
            try net.ip(routes.map { "route add \($0)" })
            try net.ip(routes.map { "route del \($0)" })
            try net.settle()
            let cost = thread.time - before
            #expect(cost < .seconds(0.1) * Sanitizer.slowdown, "\(cost)")
            #expect(watch.count == 1)
        }

        /// A host of containers: links come and go at a bridge that the watched target does not use.
        @Test func portsOfABridgeThatComeAndGoAreNoNewsAndCostFewLookups() throws {
            let count = CountingNetwork.Count()
            let net = try NetworkNamespace(
                engine: Engine(network: { () throws(SystemCallError) in try CountingNetwork(count) }))
            try net.addLink("eth0", "10.0.0.2/24", gateway: "10.0.0.1")
            try net.ip("link add br0 type bridge", "addr add 10.9.0.1/24 dev br0", "link set br0 up")
            let watches = try ["default", "192.0.2.1"].map { try net.watch($0) }
            try net.settle()
            let before = count.value
            let ports = (0..<20).map { "port\($0)" }
            for port in ports {
                try net.ip(
                    "link add \(port) type veth peer name \(port)p", "link set \(port) master br0",
                    "link set \(port) up",
                    "link set \(port)p up")
            }
            for port in ports { try net.ip("link del \(port)") }
            try net.settle()
            for watch in watches { #expect(watch.count == 1, "\(watch.target)") }
            // Some ten messages a port can matter to any target as far as they tell, and each is followed by one look at
            // each target at most: two lookups for the default route and one for an address.
            let lookups = count.value - before
            #expect(lookups <= 20 * 10 * 3, "\(lookups)")
            for watch in watches { #expect(try watch.isTrueNow()) }
        }
    }
}
