import Dispatch
import ReachabilityTesting
import Testing

@testable import Reachability

/// What a handler captured ends when another is set, and may come back to where it was set.
@Suite struct HandlerEndTests {
    /// Does something at its end.
    private final class Last: Sendable {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
        deinit { body() }
    }

    /// Sets a handler that holds something which looks at the instance at its end, and takes it away again.
    private func endings(of handler: ReferenceWritableKeyPath<NetStatus, (() -> Void)?>) -> [Bool] {
        let status = NetStatus()
        let ends = Recorder<Bool>()
        let last = Last { ends.record(status.isMonitoring) }
        status[keyPath: handler] = { [last] in _ = last }
        _ = consume last
        status[keyPath: handler] = nil
        return ends.elements
    }

    @Test func ofNetStatus() {
        #expect(endings(of: \.netStatusChangeHandler) == [false])
        #expect(endings(of: \.didStartMonitoringHandler) == [false])
        #expect(endings(of: \.didStopMonitoringHandler) == [false])
    }

    @Test func ofAScriptedNetworksLookups() {
        let network = ScriptedNetwork()
        let ends = Recorder<Int>()
        let last = Last { ends.record(network.routeLookups) }
        network.beforeEachLookup { [last] in _ = last }
        _ = consume last
        network.beforeEachLookup(nil)
        #expect(ends.elements == [0])
    }

    @Test func aBatchMayAskTheNetworkAndChangeItBesides() async throws {
        let network = ScriptedNetwork()
        let manager = network.manager(queue: .init(label: "HandlerEndTests"))
        network.batch { batch in
            #expect(network.routeLookups == 0)
            network.connect("wlan0", .wifi)
            batch.disconnect("wlan0")
            batch.connect("wwan0", .cellular)
        }
        #expect(try await manager.waitUntilReachable(timeout: .seconds(60)) == .viaWWAN)
    }
}
