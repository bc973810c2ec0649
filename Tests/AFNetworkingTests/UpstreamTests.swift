import AFNetworking
import Foundation
import Reachability
import ReachabilityTesting
import TargetTesting
import Testing

/// AFNetworking's own tests, AFNetworkReachabilityManagerTests. Where they need a network it is scripted; localhost is
/// watched on the host's own.
@Suite(.timeLimit(.minutes(1))) struct UpstreamTests {
    @Test func managersStartUnknown() {
        for manager in [AFNetworkReachabilityManager(), AFNetworkReachabilityManager(forDomain: "localhost")] {
            #expect(manager.networkReachabilityStatus == .unknown)
            #expect(!manager.isReachable && !manager.isReachableViaWWAN && !manager.isReachableViaWiFi)
            #expect(manager.localizedNetworkReachabilityStatusString() == "Unknown")
        }
    }

    @Test func aStartPostsANotification() async {
        let (lab, domain) = (AFLab(), AFNetworkReachabilityManager(forDomain: "localhost"))
        for manager in [lab.manager(), domain] {
            let notes = NoteLog(of: manager)
            manager.startMonitoring()
            let told = await notes.told.first(1)
            #expect(told[0] == .init(status: 2, sender: ObjectIdentifier(manager), isOnMain: true, itemCount: 1))
            manager.stopMonitoring()
        }
    }

    @Test func aStartCallsTheBlock() async {
        let (lab, domain) = (AFLab(), AFNetworkReachabilityManager(forDomain: "localhost"))
        for manager in [lab.manager(), domain] {
            let told = Told<AFNetworkReachabilityStatus>()
            manager.setReachabilityStatusChange { told.record($0) }
            manager.startMonitoring()
            #expect(await told.first(1) == [.reachableViaWiFi])
            manager.setReachabilityStatusChange(nil)
            manager.stopMonitoring()
        }
    }

    /// As Alamofire's tests of flags, by way of what a network can be.
    @Test func cellularIsWWANAndNothingIsNotReachable() async {
        let lab = AFLab(online: false)
        let manager = lab.manager()
        let told = Told<AFNetworkReachabilityStatus>()
        manager.setReachabilityStatusChange { told.record($0) }
        manager.startMonitoring()
        await told.first(1)
        lab.network.connect("wwan0", .cellular)
        await told.first(2)
        #expect(manager.isReachable && manager.isReachableViaWWAN && !manager.isReachableViaWiFi)
        #expect(manager.localizedNetworkReachabilityStatusString() == "Reachable via WWAN")
        lab.network.setCarrier("wwan0", false)
        await told.first(3)
        #expect(told.elements == [.notReachable, .reachableViaWWAN, .notReachable])
        manager.stopMonitoring()
    }
}
