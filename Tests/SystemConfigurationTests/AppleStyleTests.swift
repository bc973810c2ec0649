import AppleStyleSources
import Dispatch
import Foundation
import Reachability
import ReachabilityTesting
import SystemConfiguration
import TargetTesting
import Testing

/// Classes written as Alamofire and Reachability.swift write theirs, and what their tests expect.
/// Those of Alamofire are NetworkReachabilityManagerTests.
@Suite(.timeLimit(.minutes(1))) struct AppleStyleTests {
    private let lab = TargetLab()

    private func manager(_ name: String) throws -> ListenerStyleManager {
        ListenerStyleManager(reachability: try lab.target(name))
    }

    /// Everything that was put on the manager's queues so far has run.
    private func settle(_ manager: ListenerStyleManager) {
        for _ in 0..<2 {
            lab.settle()
            manager.reachabilityQueue.sync {}
        }
        lab.queue.sync {}
    }

    @Test func managersAreMadeFromHostsAndFromNothing() {
        #expect(ListenerStyleManager(host: "localhost") != nil)
        #expect(ListenerStyleManager() != nil)
        #expect(ListenerStyleManager(host: "") == nil)
        #expect(ListenerStyleManager.default != nil)
    }

    /// Localhost on the host's own network.
    @Test func aHostIsReachableWithoutBeingStarted() throws {
        let manager = try #require(ListenerStyleManager(host: "localhost"))
        #expect(manager.status == .reachable(.ethernetOrWiFi))
        #expect(manager.isReachable)
        #expect(!manager.isReachableOnCellular)
        #expect(manager.isReachableOnEthernetOrWiFi)
    }

    @Test func theDefaultRouteIsReachableWithoutBeingStarted() throws {
        let manager = try manager("0.0.0.0")
        #expect(manager.status == .reachable(.ethernetOrWiFi))
        #expect(manager.isReachable)
        #expect(!manager.isReachableOnCellular)
        #expect(manager.isReachableOnEthernetOrWiFi)
        lab.network.disconnect("wlan0")
        #expect(manager.status == .notReachable)
        lab.network.connect("wwan0", .cellular)
        #expect(manager.status == .reachable(.cellular))
    }

    @Test(arguments: ["0.0.0.0", "localhost"])
    func aRestartTellsAgain(name: String) throws {
        let manager = try manager(name)
        let (first, second) = (Told<ListenerStyleManager.Status>(), Told<ListenerStyleManager.Status>())
        #expect(manager.startListening(onQueue: lab.queue) { first.record($0) })
        settle(manager)
        manager.stopListening()
        #expect(manager.startListening(onQueue: lab.queue) { second.record($0) })
        settle(manager)
        #expect(first.elements == [.reachable(.ethernetOrWiFi)])
        #expect(second.elements == [.reachable(.ethernetOrWiFi)])
        manager.stopListening()
    }

    /// Stopped, and started without a stop.
    @Test(arguments: ["0.0.0.0", "localhost", "api.test"], [true, false])
    func aManagerThatIsLetGoOfGoes(name: String, isStopped: Bool) throws {
        weak var weakly: ListenerStyleManager?
        do {
            let manager = try manager(name)
            manager.startListening(onQueue: lab.queue) { _ in }
            settle(manager)
            if isStopped { manager.stopListening() }
            manager.reachabilityQueue.sync {}
            weakly = manager
        }
        lab.settle()
        #expect(weakly == nil)
    }

    @Test func aHostTellsWhenItIsStarted() throws {
        lab.network.setName("store.test", .addresses(["198.51.100.1"]))
        let manager = try manager("store.test")
        let told = Told<ListenerStyleManager.Status>()
        manager.startListening(onQueue: lab.queue) { told.record($0) }
        settle(manager)
        #expect(told.elements == [.reachable(.ethernetOrWiFi)])
        manager.stopListening()
    }

    /// Upstream's test fails at a second call.
    @Test func theDefaultRouteTellsOnceWhenItIsStarted() throws {
        let manager = try manager("0.0.0.0")
        let told = Told<ListenerStyleManager.Status>()
        manager.startListening(onQueue: lab.queue) { told.record($0) }
        settle(manager)
        #expect(told.elements == [.reachable(.ethernetOrWiFi)])
        lab.network.disconnect("wlan0")
        settle(manager)
        #expect(told.elements == [.reachable(.ethernetOrWiFi), .notReachable])
        manager.stopListening()
    }

    /// Upstream's, and the four that it lacks.
    @Test(
        arguments: [
            ([.connectionOnDemand], .notReachable), ([.reachable, .connectionRequired], .notReachable),
            ([.reachable, .connectionRequired, .interventionRequired], .notReachable),
            ([.reachable], .reachable(.ethernetOrWiFi)),
            ([.reachable, .connectionRequired, .connectionOnDemand], .reachable(.ethernetOrWiFi)),
            ([.reachable, .connectionRequired, .connectionOnTraffic], .reachable(.ethernetOrWiFi)),
            ([.reachable, .isWWAN], .reachable(.cellular)),
            ([.reachable, .isWWAN, .connectionRequired], .notReachable),
            (
                [.reachable, .connectionRequired, .connectionOnDemand, .interventionRequired],
                .notReachable
            ),
            ([.reachable, .interventionRequired], .reachable(.ethernetOrWiFi)), ([], .notReachable),
            ([.isWWAN], .notReachable),
        ] as [(SCNetworkReachabilityFlags, ListenerStyleManager.Status)])
    func statusOfFlags(flags: SCNetworkReachabilityFlags, status: ListenerStyleManager.Status) {
        #expect(ListenerStyleManager.Status(flags) == status)
    }

    // MARK: - Reachability.swift's

    /// C1.
    @Test func aValidHostIsToldReachable() async throws {
        lab.network.setName("valid.test", .addresses(["198.51.100.1"]))
        let told = Told<String>()
        let notifier = NotifierStyleReachability(
            reachabilityRef: try lab.target("valid.test"), notificationQueue: lab.queue)
        notifier.whenReachable = { told.record("reachable \($0.connection)") }
        notifier.whenUnreachable = { told.record("unreachable \($0.connection)") }
        try notifier.startNotifier()
        await told.first(1)
        lab.settle()
        #expect(Set(told.elements) == ["reachable WiFi"])
        notifier.stopNotifier()
    }

    /// C2: "reachable" until the answer is in, as on Apple's systems, and then not.
    @Test func aHostThatDoesNotExistIsToldUnreachable() async throws {
        lab.network.setName("invalid.test", .silent)
        let told = Told<String>()
        let notifier = NotifierStyleReachability(
            reachabilityRef: try lab.target("invalid.test"), notificationQueue: lab.queue)
        notifier.whenReachable = { _ in told.record("reachable") }
        notifier.whenUnreachable = { _ in told.record("unreachable") }
        try notifier.startNotifier()
        await told.first(1)
        lab.network.setName("invalid.test", .notFound)
        lab.network.changeResolverConfiguration()
        await told.first(2)
        #expect(told.elements == ["reachable", "unreachable"])
        #expect(notifier.connection == .unavailable)
        notifier.stopNotifier()
    }

    @Test func failuresCarryTheirCodes() throws {
        #expect(throws: NotifierStyleError.failedToCreateWithHostname("", 1002)) {
            try NotifierStyleReachability(hostname: "")
        }
        _ = try NotifierStyleReachability()
        let target = try lab.target("198.51.100.1")
        SCNetworkReachabilitySetDispatchQueue(target, lab.queue)
        let busy = NotifierStyleReachability(reachabilityRef: target)
        // Its clean-up takes the target off the queue that somebody else had put it on.
        #expect(throws: NotifierStyleError.unableToSetDispatchQueue(1002)) { try busy.startNotifier() }
        lab.network.refuse(1)
        let refused = NotifierStyleReachability(reachabilityRef: try lab.target("198.51.100.1"))
        #expect(throws: NotifierStyleError.unableToGetFlags(4001)) { try refused.startNotifier() }
    }
}
