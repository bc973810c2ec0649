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
        // Sets of engines that have just ended go a moment later, and their numbers are given out again. Dispatch has one.
        _ = await comesTrue { Self.pollSets.count <= 1 }
        let others = Set(Self.pollSets)
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
        let set = try #require(Self.pollSets.first { !others.contains($0) })

        // The number is another's at once.
        let other = unsafe open("/dev/null", O_RDONLY)
        #expect(dup2(other, set) == set)
        defer { for number in [other, set] { close(number) } }
        // Wakes who sleeps on the closed set, and who then finds out.
        network.setCarrier("wlan0", false)
        #expect(await told.wait { $0.contains(.unknown) && $0.last == .notReachable }.last == .notReachable)
        network.setCarrier("wlan0", true)
        #expect(await told.last(is: .viaWiFi).last == .viaWiFi)

        manager.stopMonitoring()
        #expect(await engine.isIdle())
        #expect(await comesTrue { network.openings == 0 })
        #expect(fcntl(set, F_GETFD) >= 0, "what has the number now is somebody else's")
    }

    /// The descriptors of this process that are epoll's.
    private static var pollSets: [CInt] {
        let folder = "/proc/self/fd"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { name in
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(name)"))
                == "anon_inode:[eventpoll]"
        }.compactMap { CInt($0) }
    }
}
