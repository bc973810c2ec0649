import Dispatch
import Reachability
import ReachabilityTesting
import TargetTesting
import Testing

/// Callbacks of names (Rules.md, "NetworkReachability"; what is known of a name, and when it is looked up again, is in
/// "A name").
@Suite struct NetworkReachabilityNameTests {
    private let lab = TargetLab()

    @Test(
        arguments: [
            (.addresses(["198.51.100.1"]), 0x20002),
            (.notFound, 0), (.failing, 0), (.noResolver, 0),
        ] as [(ScriptedName, UInt32)])
    func theFirstAnswerIsToldOnce(name: ScriptedName, flags: UInt32) throws {
        lab.network.setName("api.test", name)
        let watched = try lab.watch("api.test")
        #expect(watched.told == [flags])
        #expect(try watched.target.flags().rawValue == flags)
        lab.settle()
        #expect(watched.told == [flags])
    }

    /// Nothing for five seconds, which is when a name counts as not reachable.
    @Test func withoutAnAnswerANameIsOptimisticForFiveSeconds() throws {
        lab.network.setName("api.test", .silent)
        let watched = try lab.watch("api.test")
        lab.advance(by: .milliseconds(4900))
        #expect(watched.told == [])
        #expect(try watched.target.flags() == .reachable)
        lab.advance(by: .milliseconds(200))
        #expect(watched.told == [0])
        #expect(try watched.target.flags() == [])
    }

    @Test func beforeTheAnswerANameFollowsTheDefaultRoute() throws {
        lab.network.setName("api.test", .silent)
        let watched = try lab.watch("api.test")
        #expect(try watched.target.flags() == .reachable)
        lab.network.disconnect("wlan0")
        #expect(try watched.target.flags() == [])
    }

    /// An optimistic value that the answer confirms is told all the same, and asking for it takes nothing away.
    @Test func readingFlagsDoesNotSuppressTheFirstCallback() throws {
        lab.network.batch { batch in
            batch.removeRoutes(.defaultIPv4)
            batch.addRoute(.defaultIPv4, .leaving(by: "wlan0", gateway: "192.0.2.1"))
        }
        lab.network.setName("api.test", .addresses(["198.51.100.1"]))
        let watched = WatchedTarget(try lab.target("api.test"))
        lab.queue.suspend()
        try watched.target.setDispatchQueue(lab.queue)
        #expect(try watched.target.flags().rawValue == 0x2)
        lab.awaitEngine()
        #expect(try watched.target.flags().rawValue == 0x2)
        lab.queue.resume()
        lab.settle()
        #expect(watched.told == [0x2])
    }

    @Test func scheduledAgainItHasAFirstAnswerAgain() throws {
        lab.network.setName("api.test", .addresses(["198.51.100.1"]))
        let watched = try lab.watch("api.test")
        try watched.target.setDispatchQueue(nil)
        lab.settle()
        // What it was in its earlier life counts no longer.
        lab.network.setName("api.test", .silent)
        #expect(try watched.target.flags() == .reachable)
        try watched.target.setDispatchQueue(lab.queue)
        lab.settle()
        #expect(watched.told == [0x20002])
        #expect(try watched.target.flags() == .reachable)
        lab.network.setName("api.test", .notFound)
        lab.network.changeResolverConfiguration()
        lab.settle()
        #expect(watched.told == [0x20002, 0])
    }

    @Test func whatCannotBeAHostNameIsToldOnce() throws {
        for text in ["https://api.test/", "host:80", "a b", "..."] {
            let watched = try lab.watch(text)
            #expect(watched.told == [0], "\(text)")
            lab.network.overrun()
            lab.settle()
            #expect(watched.told == [0], "\(text)")
        }
    }

    @Test func localhostIsToldWithoutANetwork() throws {
        let lab = TargetLab(online: false)
        let watched = try lab.watch("localhost")
        #expect(watched.told == [0x30002])
        lab.network.connect("wlan0", .wifi)
        lab.settle()
        #expect(watched.told == [0x30002])
    }

    @Test func theFirstOfTheBestAddressesDecides() throws {
        lab.network.batch { batch in
            batch.removeRoutes(.defaultIPv4)
            batch.removeRoutes(.defaultIPv6)
            batch.addRoute("198.51.100.0/24", .leaving(by: "wlan0", gateway: "192.0.2.1"))
            batch.addRoute("203.0.113.0/24", .leaving(by: "wlan0"))
        }
        lab.network.setName("second.test", .addresses(["10.9.9.9", "198.51.100.1"]))
        lab.network.setName("far-near.test", .addresses(["198.51.100.1", "203.0.113.1"]))
        lab.network.setName("near-far.test", .addresses(["203.0.113.1", "198.51.100.1"]))
        #expect(try lab.watch("second.test").told == [0x2])
        #expect(try lab.watch("far-near.test").told == [0x2])
        #expect(try lab.watch("near-far.test").told == [0x20002])
    }

    /// Another number of addresses is no change either.
    @Test func otherAddressesWithTheSameFlagsAreNoChange() throws {
        lab.network.setName("api.test", .addresses(["198.51.100.1"]))
        let watched = try lab.watch("api.test")
        for answer in [["198.51.100.2"], ["198.51.100.2", "198.51.100.3"]] {
            lab.network.setName("api.test", .addresses(answer))
            lab.network.changeResolverConfiguration()
            lab.settle()
        }
        #expect(lab.network.lookups(of: "api.test") == 3)
        #expect(watched.told == [0x20002])
        #expect(watched.target.description.contains("(complete, 198.51.100.2, 198.51.100.3)"))
    }

    @Test func knownAddressesFollowTheRoutesAtOnce() throws {
        lab.network.setName("api.test", .addresses(["198.51.100.1"]))
        let watched = try lab.watch("api.test")
        lab.network.disconnect("wlan0")
        lab.settle()
        #expect(watched.told == [0x20002, 0])
        lab.network.connect("eth0", .wiredEthernet)
        lab.settle()
        #expect(watched.told == [0x20002, 0, 0x20002])
    }
}
