import AFNetworking
import Foundation
import Reachability
import ReachabilityTesting
import Synchronization
import TargetTesting
import Testing

/// Rules.md, "AFNetworking's manager": what is kept of AFNetworking, and what is broken on purpose.
@Suite(.timeLimit(.minutes(1))) struct BehaviourTests {
    private let lab = AFLab()

    @Test func propertyThenBlockThenNotificationOnTheMainQueue() async {
        let manager = lab.manager()
        let told = Told<String>()
        let notes = NoteLog(of: manager)
        manager.setReachabilityStatusChange { [unowned manager] status in
            told.record(
                "\(status) \(manager.networkReachabilityStatus) \(notes.told.elements.count) \(MainQueue.isCurrent)")
        }
        #expect(manager.networkReachabilityStatus == .unknown)
        manager.startMonitoring()
        await notes.told.first(1)
        lab.network.disconnect("wlan0")
        await notes.told.first(2)
        #expect(
            told.elements == [
                "reachableViaWiFi reachableViaWiFi 0 true", "notReachable notReachable 1 true",
            ])
        #expect(notes.told.elements.map(\.status) == [2, 0])
        manager.stopMonitoring()
    }

    @Test func equalStatusesAreToldOnceAndARestartTellsAgain() async {
        let manager = lab.manager()
        let (told, notes) = (Told<AFNetworkReachabilityStatus>(), NoteLog(of: manager))
        manager.setReachabilityStatusChange { told.record($0) }
        manager.startMonitoring()
        await told.first(1)
        lab.network.batch { batch in
            batch.disconnect("wlan0")
            batch.connect("eth0", .wiredEthernet)
        }
        await lab.settle()
        #expect(told.elements == [.reachableViaWiFi])
        manager.startMonitoring()
        await lab.settle()
        manager.stopMonitoring()
        manager.startMonitoring()
        await lab.settle()
        #expect(told.elements == [.reachableViaWiFi, .reachableViaWiFi, .reachableViaWiFi])
        #expect(notes.told.elements.count == 3)
        manager.stopMonitoring()
    }

    @Test func nothingIsToldAfterAStopAndTheStatusStays() async {
        let manager = lab.manager()
        let (told, notes) = (Told<AFNetworkReachabilityStatus>(), NoteLog(of: manager))
        manager.setReachabilityStatusChange { told.record($0) }
        manager.startMonitoring()
        await told.first(1)
        // The notification follows the block; a stop from here could come between the two.
        await notes.told.first(1)
        manager.stopMonitoring()
        lab.network.disconnect("wlan0")
        await lab.settle()
        #expect(told.elements == [.reachableViaWiFi])
        #expect(notes.told.elements.count == 1)
        #expect(manager.isReachable)
        manager.stopMonitoring()
    }

    @Test func aStopInsideTheBlockEndsThatDeliveryToo() async {
        let manager = lab.manager()
        let (told, notes) = (Told<AFNetworkReachabilityStatus>(), NoteLog(of: manager))
        manager.setReachabilityStatusChange { [unowned manager] status in
            told.record(status)
            manager.stopMonitoring()
        }
        manager.startMonitoring()
        await told.first(1)
        await lab.settle()
        #expect(notes.told.elements == [])
    }

    @Test func aManagerThatNobodyHoldsGoesQuietly() async {
        weak var weakly: AFNetworkReachabilityManager?
        let (told, notes) = (Told<AFNetworkReachabilityStatus>(), NoteLog())
        do {
            let manager = lab.manager()
            manager.setReachabilityStatusChange { told.record($0) }
            manager.startMonitoring()
            await told.first(1)
            weakly = manager
        }
        await lab.settle()
        #expect(weakly == nil)
        lab.network.disconnect("wlan0")
        await lab.settle()
        #expect(told.elements == [.reachableViaWiFi])
        // Whoever else posts meanwhile: there is no notification without an object.
        #expect(!notes.told.elements.contains { $0.sender == nil })
    }

    /// Where AFNetworking crashes, or never answers.
    @Test(
        arguments: [
            "", " ", "https://api.test/path", "api.test:8080", "user@api.test", "[::1]:80", "a b", "..", "1.2.3.4.",
            String(repeating: "a", count: 64) + ".test", "\u{0}", "host\u{7}",
        ])
    func aBadDomainIsNotReachableOnceAndSaysWhy(domain: String) async throws {
        let manager = lab.manager(domain)
        #expect(AFNetworkReachabilityManager(forDomain: domain).targetError != nil)
        let error = try #require(manager.targetError)
        #expect(!"\(error)".isEmpty)
        let (told, notes) = (Told<AFNetworkReachabilityStatus>(), NoteLog(of: manager))
        manager.setReachabilityStatusChange { told.record($0) }
        #expect(manager.networkReachabilityStatus == .unknown)
        manager.startMonitoring()
        #expect(await told.first(1) == [.notReachable])
        lab.network.disconnect("wlan0")
        lab.network.connect("wlan0", .wifi)
        await lab.settle()
        #expect(told.elements == [.notReachable])
        #expect(notes.told.elements.map(\.status) == [0])
        manager.stopMonitoring()
    }

    @Test(arguments: ["api.test", "API.test.", "192.0.2.1", "::1", "localhost", "bücher.example"])
    func aGoodDomainHasNoError(domain: String) {
        #expect(AFNetworkReachabilityManager(forDomain: domain).targetError == nil)
    }

    @Test(arguments: [AF_UNIX, AF_UNSPEC, 255])
    func anAddressOfAnotherFamilyIsNotReachableAndSaysWhy(family: Int32) async {
        var address = sockaddr_storage()
        address.ss_family = sa_family_t(family)
        let manager = AFNetworkReachabilityManager(forAddress: &address)
        #expect(manager.targetError != nil)
        let told = Told<AFNetworkReachabilityStatus>()
        manager.setReachabilityStatusChange { told.record($0) }
        manager.startMonitoring()
        #expect(await told.first(1) == [.notReachable])
        manager.stopMonitoring()
    }

    @Test func aNameIsUnknownUntilItsAnswerThoughTheTargetIsOptimistic() async {
        lab.network.setName("api.test", .silent)
        let manager = lab.manager("api.test")
        let told = Told<AFNetworkReachabilityStatus>()
        manager.setReachabilityStatusChange { told.record($0) }
        manager.startMonitoring()
        await lab.settle()
        #expect(told.elements == [])
        lab.network.setName("api.test", .notFound)
        lab.network.changeResolverConfiguration()
        #expect(await told.first(1) == [.notReachable])
        manager.stopMonitoring()
    }
}
