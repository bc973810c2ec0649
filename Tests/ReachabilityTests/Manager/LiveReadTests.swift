import Foundation
import Glibc
import Reachability
import ReachabilityTesting
import Testing

/// `currentFlags()`, which asks now, beside `status`, which repeats what was told last.
@Suite struct LiveReadTests {
    @Test func r02_theFirstLiveReadIsRightWithoutAStart() throws {
        let scene = Scene { $0.connect("wwan0", .cellular) }
        #expect(try scene.manager.currentFlags() == [.reachable, .transientConnection, .isWWAN])
        #expect(scene.manager.status == .unknown, "a live read tells nobody")
    }

    @Test(
        arguments: [
            (.unknown, false, false), (.notReachable, false, true), (.viaWWAN, true, false), (.viaWiFi, true, false),
        ] as [(ReachabilityStatus, Bool, Bool)])
    func r04_unknownIsNeitherReachableNorKnownToBeUnreachable(
        status: ReachabilityStatus, isReachable: Bool, isUnreachable: Bool
    ) {
        #expect(status.isReachable == isReachable)
        #expect(status.isKnownToBeUnreachable == isUnreachable)
    }

    @Test func r09_aTemporaryKnowsNothingButItsLiveReadDoes() throws {
        let network = ScriptedNetwork()
        network.connect("eth0", .wiredEthernet)
        let queue = DispatchQueue(label: "temporary")
        #expect(!network.manager(queue: queue).isReachable)
        let flags = try #require(try network.manager(queue: queue).currentFlags())
        #expect(ReachabilityStatus(flags) == .viaWiFi)
    }

    @Test func r18_readsWithNoEventBetweenThemAreEqual() throws {
        let network = ScriptedNetwork()
        network.connect("wlan0", .wifi, metric: 600)
        network.connect("eth0", .wiredEthernet, metric: 100)
        let queue = DispatchQueue(label: "reads")
        let manager = network.manager(queue: queue)
        let first = try #require(try manager.currentFlags())
        for _ in 0..<20 {
            #expect(try manager.currentFlags() == first)
            #expect(try network.manager(queue: queue).currentFlags() == first)
        }
    }

    @Test func r30_aLiveReadIsRightBeforeTheChangeIsTold() async throws {
        let scene = Scene { $0.connect("wlan0", .wifi) }
        await scene.start()
        let gate = Gate()
        await gate.block(scene.queue)
        scene.network.disconnect("wlan0")
        #expect(try scene.manager.currentFlags() == [])
        #expect(scene.manager.status == .viaWiFi, "told is what the queue has run")
        gate.open()
        #expect(await scene.statuses.last(is: .notReachable).count == 2)
    }

    @Test func aNameThatWasNotLookedUpIsNotKnown() async throws {
        let scene = Scene(target: try .domain("api.example.com")) { network in
            network.connect("wlan0", .wifi)
            network.setName("api.example.com", .addresses(["198.51.100.7"]))
        }
        #expect(try scene.manager.currentFlags() == nil)
        await scene.start()
        #expect(try scene.manager.currentFlags() == [.reachable, .isDirect])
    }

    @Test(arguments: [(EMFILE, ReachabilityReason.kernelUnavailable), (EPERM, .notPermitted)])
    func aKernelThatRefusesIsAnErrorToTheReader(code: Int32, reason: ReachabilityReason) throws {
        let scene = Scene { $0.refuse(code) }
        let error = #expect(throws: ReachabilityError.self) { try scene.manager.currentFlags() }
        #expect(error?.reason == reason)
        #expect(error?.description.isEmpty == false)
    }
}
