import Dispatch
import Reachability
import ReachabilityTesting
import Synchronization
import TargetTesting
import Testing

/// Callbacks of addresses on a dispatch queue (Rules.md, "NetworkReachability").
@Suite struct NetworkReachabilityCallbackTests {
    private let lab = TargetLab()

    @Test func anAddressHasNoFirstCallback() throws {
        let watched = try ["198.51.100.1", "0.0.0.0", "::", "127.0.0.1"].map { try lab.watch($0) }
        lab.settle()
        #expect(watched.map(\.told) == [[], [], [], []])
        #expect(try watched[0].target.flags().rawValue == 0x20002)
    }

    @Test func eachChangeOfFlagsIsToldOnce() throws {
        let watched = try lab.watch("198.51.100.1")
        lab.network.disconnect("wlan0")
        lab.settle()
        #expect(watched.told == [0])
        #expect(try watched.target.flags() == [])
        lab.network.connect("wwan0", .cellular)
        lab.settle()
        #expect(watched.told == [0, 0x60003])
        lab.network.overrun()  // lost messages are no news by themselves
        lab.settle()
        #expect(watched.told == [0, 0x60003])
    }

    @Test func anotherInterfaceWithTheSameFlagsIsAChange() throws {
        let watched = try lab.watch("0.0.0.0")
        lab.network.batch { batch in
            batch.disconnect("wlan0")
            batch.connect("eth0", .wiredEthernet)
        }
        lab.settle()
        #expect(watched.told == [0x2])
        #expect(try watched.target.interfaceIndex() == 3)
    }

    @Test func anotherGatewayOfTheSameInterfaceIsNone() throws {
        lab.network.batch { batch in
            batch.removeRoutes(.defaultIPv4)
            batch.addRoute(.defaultIPv4, .leaving(by: "wlan0", gateway: "192.0.2.1"))
        }
        let watched = try lab.watch("0.0.0.0")
        lab.network.batch { batch in
            batch.removeRoutes(.defaultIPv4)
            batch.addRoute(.defaultIPv4, .leaving(by: "wlan0", gateway: "192.0.2.9"))
        }
        lab.settle()
        #expect(watched.told == [])
    }

    /// Of what is not reachable, which link is to blame makes no difference (4.2, index normalisation).
    @Test func anotherReasonIsNoChange() throws {
        let watched = try lab.watch("198.51.100.1")
        lab.network.setCarrier("wlan0", false)
        lab.settle()
        #expect(watched.told == [0])
        lab.network.disconnect("wlan0")
        lab.settle()
        #expect(watched.told == [0])
    }

    @Test func manyChangesWhileTheQueueIsBusyAreOneCallbackWithTheLast() throws {
        let watched = try lab.watch("198.51.100.1")
        lab.queue.suspend()
        for _ in 0..<20 {
            lab.network.disconnect("wlan0")
            lab.awaitEngine()
            lab.network.connect("wlan0", .wifi)
            lab.awaitEngine()
        }
        lab.network.disconnect("wlan0")
        lab.awaitEngine()
        lab.queue.resume()
        lab.settle()
        #expect(watched.told == [0])
    }

    @Test func aChangeThereAndBackIsOneCallbackWithTheOldValue() throws {
        let watched = try lab.watch("198.51.100.1")
        lab.queue.suspend()
        lab.network.setCarrier("wlan0", false)
        lab.awaitEngine()
        lab.network.setCarrier("wlan0", true)
        lab.awaitEngine()
        lab.queue.resume()
        lab.settle()
        #expect(watched.told == [0x20002])
    }

    @Test func withoutACallbackChangesPassAndTheFlagsAreCurrent() throws {
        let watched = try lab.watch("198.51.100.1")
        watched.target.setCallback(nil)
        lab.network.disconnect("wlan0")
        lab.settle()
        #expect(try watched.target.flags() == [])
        let log = CallbackLog()
        watched.target.setCallback { _, flags in log.record(flags) }
        lab.settle()
        #expect(log.values == [])
        lab.network.connect("wlan0", .wifi)
        lab.settle()
        #expect(log.values == [0x20002])
        #expect(watched.told == [])
    }

    @Test func aCallbackThatIsDueGoesToTheNewOne() throws {
        let watched = try lab.watch("198.51.100.1")
        let log = CallbackLog()
        lab.queue.suspend()
        lab.network.disconnect("wlan0")
        lab.awaitEngine()
        watched.target.setCallback { _, flags in log.record(flags) }
        lab.queue.resume()
        lab.settle()
        #expect(log.values == [0])
        #expect(watched.told == [])
    }

    @Test func nothingIsToldOnceItIsUnscheduledOnItsQueue() throws {
        let watched = try lab.watch("198.51.100.1")
        lab.queue.suspend()
        lab.queue.async { try? watched.target.setDispatchQueue(nil) }
        lab.network.disconnect("wlan0")
        lab.awaitEngine()
        lab.queue.resume()
        lab.settle()
        #expect(watched.told == [])
    }

    @Test func whatWasDueBeforeIsNotToldAfterItIsScheduledAgain() throws {
        let watched = try lab.watch("198.51.100.1")
        lab.queue.suspend()
        lab.network.disconnect("wlan0")
        lab.awaitEngine()
        try watched.target.setDispatchQueue(nil)
        try watched.target.setDispatchQueue(lab.queue)
        lab.awaitEngine()
        lab.queue.resume()
        lab.settle()
        #expect(watched.told == [])
        lab.network.connect("wlan0", .wifi)
        lab.settle()
        #expect(watched.told == [0x20002])
    }

    @Test func everythingMayBeCalledFromInsideTheCallback() throws {
        let target = try lab.target("198.51.100.1")
        let (log, second) = (CallbackLog(), CallbackLog())
        target.setCallback { [queue = lab.queue] target, flags in
            log.record(flags)
            log.record((try? target.flags()) ?? .isWWAN)
            _ = target.description
            target.setCallback { _, flags in second.record(flags) }
            try? target.setDispatchQueue(nil)
            try? target.setDispatchQueue(queue)
        }
        try target.setDispatchQueue(lab.queue)
        lab.settle()
        lab.network.disconnect("wlan0")
        lab.settle()
        lab.network.connect("wlan0", .wifi)
        lab.settle()
        #expect(log.values == [0, 0])
        #expect(second.values == [0x20002])
        try target.setDispatchQueue(nil)
    }

    @Test func callbacksDoNotOverlapOnAConcurrentQueue() throws {
        let target = try lab.target("198.51.100.1")
        let inside = Mutex((now: 0, most: 0))
        let (log, gate) = (CallbackLog(), DispatchSemaphore(value: 0))
        target.setCallback { _, flags in
            inside.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
            log.record(flags)
            gate.wait()
            inside.withLock { $0.now -= 1 }
        }
        try target.setDispatchQueue(DispatchQueue(label: "concurrent", attributes: .concurrent))
        lab.awaitEngine()
        lab.network.disconnect("wlan0")
        #expect(log.awaitOne())
        lab.network.connect("wlan0", .wifi)
        lab.awaitEngine()
        #expect(log.values == [0])
        gate.signal()
        #expect(log.awaitOne())
        gate.signal()
        #expect(log.values == [0, 0x20002])
        #expect(inside.withLock { $0.most } == 1)
        try target.setDispatchQueue(nil)
    }

    @Test func whatCannotBeFoundOutIsThrownByFlagsAndNotTold() throws {
        let watched = try lab.watch("198.51.100.1")
        lab.network.refuse(1)
        lab.awaitEngine()
        #expect(throws: ReachabilityError.self) { try watched.target.flags() }
        lab.network.refuse(nil)
        lab.advance(by: .seconds(10))
        #expect(try watched.target.flags().rawValue == 0x20002)
        #expect(watched.told == [])
        lab.network.disconnect("wlan0")
        lab.settle()
        #expect(watched.told == [0])
    }

    @Test func whatCouldNotBeFoundOutAtFirstIsToldWhenItCan() throws {
        lab.network.refuse(1)
        let watched = WatchedTarget(try lab.target("198.51.100.1"))
        try watched.target.setDispatchQueue(lab.queue)
        lab.awaitEngine()
        #expect(throws: ReachabilityError.self) { try watched.target.flags() }
        lab.network.refuse(nil)
        lab.advance(by: .seconds(10))
        #expect(watched.told == [0x20002])
    }

    /// A change between the reading of the state and the beginning of the watch is not lost.
    @Test func aChangeWhileItIsBeingScheduledIsTold() throws {
        let watched = WatchedTarget(try lab.target("198.51.100.1"))
        let isFirst = Mutex(true)
        lab.network.beforeEachLookup { [network = lab.network] in
            // The first lookup is answered with Wi-Fi; when the engine asks, it has gone.
            guard
                isFirst.withLock({ first in
                    defer { first = false }; return !first
                })
            else { return }
            network.beforeEachLookup(nil)
            network.disconnect("wlan0")
        }
        try watched.target.setDispatchQueue(lab.queue)
        lab.settle()
        #expect(watched.told == [0])
    }
}
