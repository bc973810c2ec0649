import AFNetworking
import Foundation
import Reachability
import ReachabilityTesting
import Synchronization
import SystemConfiguration
import TargetTesting
import Testing

/// How programs call AFNetworking. Each as it is written on Apple's systems, from
/// code of the main actor.
@Suite(.timeLimit(.minutes(1))) @MainActor struct LegacyUseTests {
    private let lab = AFLab()

    /// Lets the main queue run until the condition holds.
    private func wait(until holds: () -> Bool) async {
        while !holds() {
            await withCheckedContinuation { continuation in DispatchQueue.main.async { continuation.resume() } }
        }
    }

    /// 7.1: block then start, or start then block.
    @Test(arguments: [true, false]) func blockAndStartInEitherOrder(isBlockFirst: Bool) async {
        let net = lab.manager()
        var log: [String] = []
        if !isBlockFirst { net.startMonitoring() }
        net.setReachabilityStatusChange { status in
            log.append(AFStringFromNetworkReachabilityStatus(status))
        }
        if isBlockFirst { net.startMonitoring() }
        await wait { !log.isEmpty }
        #expect(log == ["Reachable via WiFi"])
        net.stopMonitoring()
    }

    /// 7.1: the spellings.
    @Test func blocksAreSpelledInManyWays() async {
        let net = lab.manager()
        var count = 0
        net.setReachabilityStatusChange { (status: AFNetworkReachabilityStatus) -> Void in count += 1 }
        let handler: ((AFNetworkReachabilityStatus) -> Void)? = { _ in count += 10 }
        net.setReachabilityStatusChange(handler)
        net.startMonitoring()
        await wait { count > 0 }
        #expect(count == 10)
        net.setReachabilityStatusChange(nil)
        net.stopMonitoring()
    }

    /// 7.2, 7.3.
    @Test func statusesAreSwitchedOverAndStoredAsNumbers() {
        let net = lab.manager()
        let isAllowed: Bool
        switch net.networkReachabilityStatus {
        case .unknown, .reachableViaWiFi, .reachableViaWWAN: isAllowed = true
        case .notReachable: isAllowed = false
        }
        #expect(isAllowed)
        #expect(net.networkReachabilityStatus.rawValue != 0)
        #expect(AFNetworkReachabilityStatus.allCases.map(\.rawValue) == [-1, 0, 1, 2])
        #expect(AFNetworkReachabilityStatus(rawValue: 3) == nil)
        let texts = AFNetworkReachabilityStatus.allCases.map(AFStringFromNetworkReachabilityStatus)
        #expect(texts == ["Unknown", "Not Reachable", "Reachable via WWAN", "Reachable via WiFi"])
    }

    /// 7.4.
    @Test func aCheckBeforeARequest() async {
        let net = lab.manager()
        func request() -> String {
            guard net.isReachable else { return "offline" }
            return net.isReachableViaWiFi ? "large" : "small"
        }
        net.startMonitoring()
        #expect(request() == "offline")
        await wait { net.networkReachabilityStatus != .unknown }
        #expect(request() == "large")
        net.stopMonitoring()
    }

    /// 7.5: four ways to read the number.
    @Test func aNotificationHoldsANumber() async throws {
        let net = lab.manager()
        let numbers = Told<[Int?]>()
        let token = NotificationCenter.default.addObserver(
            forName: .AFNetworkingReachabilityDidChange, object: net, queue: .main
        ) { note in
            let item = note.userInfo?[AFNetworkingReachabilityNotificationStatusItem]
            let a = (item as? NSNumber)?.intValue
            let b = item as? Int
            let c = item as? AFNetworkReachabilityStatus.RawValue
            let d = b.flatMap(AFNetworkReachabilityStatus.init(rawValue:))
            numbers.record([a, b, c, d?.rawValue])
        }
        net.startMonitoring()
        await wait { !numbers.elements.isEmpty }
        #expect(numbers.elements == [[2, 2, 2, 2]])
        NotificationCenter.default.removeObserver(token)
        net.stopMonitoring()
    }

    @Test func theNotificationIsKnownByItsRawNameToo() {
        let name = Notification.Name("com.alamofire.networking.reachability.change")
        #expect(Notification.Name.AFNetworkingReachabilityDidChange == name)
        #expect(NSNotification.Name.AFNetworkingReachabilityDidChange == name)
        #expect(AFNetworkingReachabilityNotificationStatusItem == "AFNetworkingReachabilityNotificationStatusItem")
    }

    /// 7.6.
    @Test func aNotificationAsABareTrigger() async {
        let net = lab.manager()
        let seen = Told<Bool>()
        let token = NotificationCenter.default.addObserver(
            forName: .AFNetworkingReachabilityDidChange, object: net, queue: nil
        ) { _ in seen.record(net.isReachable) }
        net.startMonitoring()
        await wait { !seen.elements.isEmpty }
        lab.network.disconnect("wlan0")
        await wait { seen.elements.count > 1 }
        #expect(seen.elements == [true, false])
        NotificationCenter.default.removeObserver(token)
        net.stopMonitoring()
    }

    /// 7.7: suspended while unknown, released by the first event.
    @Test func anOperationQueueIsReleased() async {
        let net = lab.manager()
        let queue = OperationQueue()
        let isDone = Mutex(false)
        func update() { queue.isSuspended = !net.isReachable }
        net.setReachabilityStatusChange { _ in update() }
        update()
        #expect(queue.isSuspended)
        queue.addOperation { isDone.withLock { $0 = true } }
        net.startMonitoring()
        await wait { isDone.withLock { $0 } }
        #expect(!queue.isSuspended)
        net.stopMonitoring()
        // The block knows the manager, as in the code this is taken after.
        net.setReachabilityStatusChange(nil)
    }

    /// 7.8: torn down in both orders.
    @Test(arguments: [true, false]) func aManagerForOneHost(isBlockClearedFirst: Bool) async {
        final class Client {
            var status = AFNetworkReachabilityStatus.unknown
            func apply(_ new: AFNetworkReachabilityStatus) { status = new }
        }
        lab.network.setName("api.example.com", .addresses(["198.51.100.1"]))
        let client = Client()
        let api = lab.manager("api.example.com")
        api.setReachabilityStatusChange { [weak client] in client?.apply($0) }
        api.startMonitoring()
        await wait { client.status != .unknown }
        if isBlockClearedFirst {
            api.setReachabilityStatusChange(nil)
            api.stopMonitoring()
        } else {
            api.stopMonitoring()
            api.setReachabilityStatusChange(nil)
        }
        lab.network.disconnect("wlan0")
        lab.awaitEngine()
        await wait { true }
        #expect(client.status == .reachableViaWiFi)
    }

    /// 7.10, on loopback.
    @Test func aManagerForADevice() async {
        var a = sockaddr_in()
        a.sin_len = UInt8(MemoryLayout<sockaddr_in>.size)
        a.sin_family = sa_family_t(AF_INET)
        a.sin_port = in_port_t(80).bigEndian
        #expect(inet_pton(AF_INET, "127.0.0.1", &a.sin_addr) == 1)
        var b = sockaddr_in6()
        b.sin6_family = sa_family_t(AF_INET6)
        b.sin6_addr = in6addr_loopback
        for dev in [
            AFNetworkReachabilityManager(forAddress: &a), AFNetworkReachabilityManager(forAddress: &b),
        ] {
            dev.startMonitoring()
            await wait { dev.networkReachabilityStatus == .reachableViaWiFi }
            #expect(dev.targetError == nil)
            dev.stopMonitoring()
        }
    }

    /// 7.11.
    @Test func theOneLinerIsAlwaysFalse() {
        #expect(!AFNetworkReachabilityManager().isReachable)
        #expect(!AFNetworkReachabilityManager(forDomain: "localhost").isReachable)
    }

    /// 7.12: there is one slot, and the last to set it has it.
    @Test func wrappersTakeTheBlockFromEachOther() async {
        final class Wrapper {
            var heard: [AFNetworkReachabilityStatus] = []
            var onChange: ((AFNetworkReachabilityStatus) -> Void)?

            init(_ manager: AFNetworkReachabilityManager) {
                manager.setReachabilityStatusChange { [weak self] status in
                    self?.heard.append(status)
                    self?.onChange?(status)
                }
            }
        }
        let net = lab.manager()
        let (first, second) = (Wrapper(net), Wrapper(net))
        net.startMonitoring()
        await wait { !second.heard.isEmpty }
        #expect(first.heard == [])
        #expect(second.heard == [.reachableViaWiFi])
        net.stopMonitoring()
    }

    /// 7.15.
    @Test func comingBackIsSeenByComparing() async {
        let net = lab.manager()
        var (old, returns, events) = (AFNetworkReachabilityStatus.unknown, 0, 0)
        net.setReachabilityStatusChange { new in
            if old.rawValue <= 0 && new.rawValue > 0 { returns += 1 }
            old = new
            events += 1
        }
        net.startMonitoring()
        await wait { events == 1 }
        lab.network.disconnect("wlan0")
        await wait { events == 2 }
        lab.network.connect("eth0", .wiredEthernet)
        await wait { events == 3 }
        #expect(returns == 2)
        net.stopMonitoring()
    }

    @Test @available(*, deprecated) func whatSwift2CalledThem() async {
        let net = lab.manager()
        var count = 0
        net.setReachabilityStatusChangeBlock { _ in count += 1 }
        net.startMonitoring()
        await wait { count > 0 }
        #expect(net.reachable && net.reachableViaWiFi && !net.reachableViaWWAN)
        #expect(AFNetworkingReachabilityDidChangeNotification == .AFNetworkingReachabilityDidChange)
        let all: [AFNetworkReachabilityStatus] = [.Unknown, .NotReachable, .ReachableViaWWAN, .ReachableViaWiFi]
        #expect(all == AFNetworkReachabilityStatus.allCases)
        #expect(AFNetworkReachabilityManager.sharedManager() === AFNetworkReachabilityManager.shared())
        net.stopMonitoring()
    }
}
