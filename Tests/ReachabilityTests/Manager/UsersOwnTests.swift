import Dispatch
import Reachability
import ReachabilityTesting
import Synchronization
import Testing

// The code of the article TestingYourProgram.md, word for word, so that it is known to compile and to hold.

/// Uploads what it is given, in order, as soon as there is a connection.
final class Uploader: Sendable {
    private let manager: ReachabilityManager
    private let state = Mutex((waiting: [String](), uploaded: [String]()))

    init(_ manager: ReachabilityManager = .shared) {
        self.manager = manager
    }

    /// Returns when everything given so far is uploaded.
    func upload(_ item: String) async throws {
        state.withLock { $0.waiting.append(item) }
        try await manager.waitUntilReachable(timeout: .seconds(60))
        state.withLock { state in
            state.uploaded += state.waiting
            state.waiting = []
        }
    }

    var uploaded: [String] { state.withLock { $0.uploaded } }
}

@Suite struct UsersOwnTests {
    @Test func anUploadWaitsForAConnection() async throws {
        let network = ScriptedNetwork()
        let uploader = Uploader(network.manager(queue: DispatchQueue(label: "test")))
        async let upload: Void = uploader.upload("picture")
        network.connect("wlan0", .wifi)
        try await upload
        #expect(uploader.uploaded == ["picture"])
    }

    @Test func aShortInterruptionIsNotTold() async throws {
        let clock = ManualClock()
        let network = ScriptedNetwork(clock: clock)
        network.connect("wlan0", .wifi)
        let manager = network.manager(queue: DispatchQueue(label: "test"), settleInterval: .seconds(2))
        var statuses = manager.statuses.makeAsyncIterator()
        #expect(await statuses.next() == .viaWiFi)
        network.setCarrier("wlan0", false)
        network.setCarrier("wlan0", true)
        network.disconnect("wlan0")
        // Time passes until the engine has seen the last change and that has held still for two seconds.
        let moving = Task {
            while !Task.isCancelled {
                clock.advance(by: .seconds(1))
                await Task.yield()
            }
        }
        #expect(await statuses.next() == .notReachable)
        moving.cancel()
    }
}

extension InstalledNetworkTests {
    @Suite(.serialized) struct SharedManagerTests {
        @Test func aModemIsNoticed() async throws {
            let network = ScriptedNetwork()
            network.install()
            defer { network.uninstall() }
            network.connect("wwan0", .cellular)
            let status = try await ReachabilityManager.shared.waitUntilReachable(timeout: .seconds(10))
            #expect(status == .viaWWAN)
        }
    }
}
