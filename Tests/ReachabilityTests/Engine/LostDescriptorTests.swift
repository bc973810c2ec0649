import Dispatch
import Foundation
import Glibc
import ReachabilityTesting
import Testing

@testable import Reachability

/// A host that closes descriptors which are not its own.
@Suite struct LostDescriptorTests {
    @Test(arguments: [false, true])
    func aSetThatSomebodyClosedIsOpenedAnewAndNotClosedTwice(bringsItself: Bool) async throws {
        // Dispatch has a poll set and a timer of its own once a time limit was set.
        let isReady = Recorder<Void>()
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(1)) { isReady.record(()) }
        await isReady.first(1)
        // Sets of engines that have just ended go a moment later, and their numbers are given out again.
        _ = await comesTrue { Self.descriptors(of: "eventpoll").count <= 1 }
        let others = Set(Self.own)
        let network = ScriptedNetwork()
        network.connect("wlan0", .wifi)
        let engine = network.makeEngine(bringsItself: bringsItself)
        let manager = ReachabilityManager(target: .default, queue: DispatchQueue(label: "lost"), engine: engine)
        let told = Recorder<ReachabilityStatus>()
        manager.setReachabilityStatusChangeBlock { told.record($0) }
        manager.startMonitoring()
        await told.last(is: .viaWiFi)
        for isOn in [false, true] {
            network.setCarrier("wlan0", isOn)
            await told.last(is: isOn ? .viaWiFi : .notReachable)
        }
        let lost = Self.own.filter { !others.contains($0) }
        try #require(lost.count == 3, "a poll set and two timers")

        // The numbers are another's at once.
        let other = unsafe open("/dev/null", O_RDONLY)
        for number in lost { #expect(dup2(other, number) == number) }
        defer { for number in [other] + lost { close(number) } }
        // Wakes who sleeps on the closed set, and who then finds out.
        network.setCarrier("wlan0", false)
        #expect(await told.wait { $0.contains(.unknown) && $0.last == .notReachable }.last == .notReachable)
        network.setCarrier("wlan0", true)
        #expect(await told.last(is: .viaWiFi).last == .viaWiFi)

        manager.stopMonitoring()
        #expect(await engine.isIdle())
        #expect(await comesTrue { network.openings == 0 })
        for number in lost { #expect(fcntl(number, F_GETFD) >= 0, "what has the number now is somebody else's") }
    }

    /// What an engine has of its own, but for what wakes it.
    private static var own: [CInt] { descriptors(of: "eventpoll") + descriptors(of: "timerfd") }

    private static func descriptors(of kind: String) -> [CInt] {
        let folder = "/proc/self/fd"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { name in
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(name)")) == "anon_inode:[\(kind)]"
        }.compactMap { CInt($0) }
    }
}
