import AFNetworking
import Foundation
import Reachability
import ReachabilityTesting
import SystemConfiguration
import TargetTesting
import Testing

/// A scripted network that is installed is under shared managers and under targets made by C's functions.
@Suite(.serialized, .timeLimit(.minutes(1))) struct InstalledNetworkTests {
    @Test func theSharedManagerAndNewTargetsAreOnIt() async throws {
        let network = ScriptedNetwork()
        network.connect("wwan0", .cellular)
        network.install()
        defer { network.uninstall() }
        let shared = AFNetworkReachabilityManager.shared()
        let told = Told<AFNetworkReachabilityStatus>()
        shared.setReachabilityStatusChange { told.record($0) }
        shared.startMonitoring()
        #expect(await told.first(1) == [.reachableViaWWAN])

        let target = try #require(SCNetworkReachabilityCreateWithName(nil, "198.51.100.1"))
        var flags = SCNetworkReachabilityFlags()
        #expect(SCNetworkReachabilityGetFlags(target, &flags))
        #expect(flags.contains(.isWWAN))

        network.disconnect("wwan0")
        #expect(await told.first(2) == [.reachableViaWWAN, .notReachable])
        shared.setReachabilityStatusChange(nil)
        shared.stopMonitoring()
    }
}
