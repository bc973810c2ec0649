import Dispatch
import Glibc
import Reachability
import ReachabilityTesting
import Synchronization
import Testing

/// Reads of a name that nobody has to wait for.
@Suite struct NameReadTests {
    @Test func r34_aLiveReadKnowsNothingBeforeTheFirstAnswer() throws {
        let lab = NameLab()
        lab.network.setName("api.test", .silent)
        #expect(try lab.manager("api.test").currentFlags() == nil)  // not started
        let api = try lab.start("api.test")
        #expect(try api.manager.currentFlags() == nil)
        lab.advance(by: .seconds(5))
        #expect(try api.manager.currentFlags() == [])
    }

    @Test func aLiveReadAsksTheKernelAboutTheKnownAddresses() throws {
        let lab = NameLab()
        lab.network.setName("api.test", .addresses(["198.51.100.5"]))
        let api = try lab.start("api.test")
        #expect(try api.manager.currentFlags() == [.reachable, .isDirect])
        lab.network.disconnect("wlan0")
        #expect(try api.manager.currentFlags() == [])  // whether or not the manager was told yet
    }

    @Test func aLiveReadLooksNothingUp() throws {
        let lab = NameLab()
        lab.network.setName("api.test", .addresses(["198.51.100.5"]))
        let manager = try lab.manager("api.test")
        for _ in 0..<100 { #expect(try manager.currentFlags() == nil) }
        #expect(lab.network.lookups() == 0)
    }

    @Test(arguments: ["localhost", "a.localhost"])
    func whatThisHostKnowsIsReadWithoutAStart(name: String) throws {
        let lab = NameLab(online: false)
        #expect(try lab.manager(name).currentFlags() == [.reachable, .isLocalAddress, .isDirect])
        #expect(lab.network.lookups() == 0)
    }

    @Test func aNameOfTheHostsFileIsReadWithoutAStart() throws {
        let lab = NameLab()
        lab.network.setName("DB.test.", .hostsFile(["203.0.113.9"]))
        let manager = try lab.manager("db.test")
        #expect(try manager.currentFlags() == [.reachable, .isDirect])
        lab.network.disconnect("wlan0")
        #expect(try manager.currentFlags() == [])
        #expect(lab.network.lookups() == 0)
    }

    @Test func aStopKeepsTheStatusAndForgetsTheAddresses() throws {
        let lab = NameLab()
        lab.network.setName("api.test", .addresses(["198.51.100.5"]))
        let api = try lab.start("api.test")
        api.manager.stopMonitoring()
        #expect(api.status == .viaWiFi)
        #expect(try api.manager.currentFlags() == nil)
    }

    /// With the engine held fast in the kernel, and a resolver that never answers, everything still returns.
    @Test func r69_noPublicCallWaitsForTheEngineOrForNames() throws {
        let lab = NameLab()
        let gate = EngineGate(lab.network)
        let holder = try lab.manager("127.0.0.9")
        holder.startMonitoring()
        #expect(gate.awaitHeld())

        lab.network.setName("api.test", .silent)
        let manager = try lab.manager("api.test")
        for _ in 0..<3 {
            manager.startMonitoring()
            #expect(manager.isMonitoring)
            #expect(manager.status == .unknown && !manager.isReachable)
            #expect(!manager.isReachableViaWWAN && !manager.isReachableViaWiFi)
            #expect(manager.localizedStatusString == "Unknown")
            manager.setReachabilityStatusChangeBlock { _ in }
            manager.observe { _ in }.cancel()
            #expect(try manager.currentFlags() == nil)
            #expect(manager.debugDescription.contains("api.test"))
            manager.stopMonitoring()
        }
        #expect(gate.release())
        holder.stopMonitoring()
        lab.settle()
    }

    @Test(arguments: [(EPERM, .notPermitted), (EMFILE, .kernelUnavailable)] as [(CInt, ReachabilityReason)])
    func r70_aStartWhereTheKernelRefusesIsAStatusWithItsReason(errno: CInt, reason: ReachabilityReason) throws {
        let lab = NameLab()
        lab.network.refuse(errno)
        lab.network.setName("api.test", .addresses(["198.51.100.5"]))
        let api = try lab.start("api.test")
        #expect(api.statuses == [.unknown])
        #expect(api.reason == reason)
        #expect(throws: ReachabilityError.self) { try api.manager.currentFlags() }
        lab.network.refuse(nil)
        lab.pass(seconds: 3)
        #expect(api.statuses == [.unknown, .viaWiFi])
    }

    @Test func r70_aStartWithoutAResolverIsAStatusWithItsReason() throws {
        let lab = NameLab()
        lab.network.setName("api.test", .noResolver)
        let api = try lab.start("api.test")
        #expect(api.statuses == [.notReachable])
        #expect(api.reason == .noResolver)
        #expect(api.manager.debugDescription.contains("no name server is configured"))
    }
}

/// Holds the engine's thread in its next route lookup until it is released.
private final class EngineGate: Sendable {
    private let network: ScriptedNetwork
    private let held = DispatchSemaphore(value: 0)
    private let opening = DispatchSemaphore(value: 0)
    private let isLate = Atomic(false)

    init(_ network: ScriptedNetwork) {
        self.network = network
        network.beforeEachLookup { [self] in
            network.beforeEachLookup(nil)
            held.signal()
            if opening.wait(timeout: .now() + 60) == .timedOut { isLate.store(true, ordering: .relaxed) }
        }
    }

    func awaitHeld() -> Bool { held.wait(timeout: .now() + 60) == .success }

    /// False if the engine was not held all the time until now.
    func release() -> Bool {
        opening.signal()
        return !isLate.load(ordering: .relaxed)
    }
}
