import AFNetworking
import Reachability
import SystemConfiguration
import Testing

/// 7.14: a test double that overrides everything, as programs for Apple's systems have them.
@Suite struct MockTests {
    fileprivate static let target: SCNetworkReachability = {
        var zero = sockaddr()
        zero.sa_family = sa_family_t(AF_INET)
        guard let target = SCNetworkReachabilityCreateWithAddress(nil, &zero) else { return .init(.default) }
        return target
    }()

    final class Mock: AFNetworkReachabilityManager, @unchecked Sendable {  // sound: one test has it, on one thread
        private var fake = AFNetworkReachabilityStatus.unknown
        private var block: ((AFNetworkReachabilityStatus) -> Void)?
        private(set) var isStarted = false
        private static let theMock = Mock()

        init() {
            super.init(reachability: MockTests.target)
        }

        override class func shared() -> Self { unsafeDowncast(theMock, to: self) }

        override var networkReachabilityStatus: AFNetworkReachabilityStatus {
            get { fake }
            set {
                fake = newValue
                block?(newValue)
            }
        }
        override var isReachable: Bool { fake.rawValue > 0 }
        override func startMonitoring() { isStarted = true }
        override func stopMonitoring() { isStarted = false }
        override func setReachabilityStatusChange(_ block: ((AFNetworkReachabilityStatus) -> Void)?) {
            self.block = block
        }
    }

    /// Overrides the status alone: the booleans and the text follow it.
    final class FixedStatus: AFNetworkReachabilityManager, @unchecked Sendable {  // sound: nothing in it changes
        override var networkReachabilityStatus: AFNetworkReachabilityStatus { .reachableViaWWAN }
    }

    private func isOnline(_ manager: AFNetworkReachabilityManager) -> Bool { manager.isReachable }

    @Test func aMockStandsInForTheManager() {
        let mock = Mock.shared()
        var heard: [AFNetworkReachabilityStatus] = []
        mock.setReachabilityStatusChange { heard.append($0) }
        mock.startMonitoring()
        #expect(mock.isStarted)
        #expect(!isOnline(mock))
        mock.networkReachabilityStatus = .reachableViaWWAN
        #expect(isOnline(mock))
        #expect(heard == [.reachableViaWWAN])
        #expect(mock.isReachableViaWWAN)
        mock.stopMonitoring()
        #expect(!mock.isStarted)
    }

    @Test func theRestFollowsAnOverriddenStatus() {
        let manager = FixedStatus(forDomain: "localhost")
        #expect(manager.isReachable && manager.isReachableViaWWAN && !manager.isReachableViaWiFi)
        #expect(manager.localizedNetworkReachabilityStatusString() == "Reachable via WWAN")
    }

    @Test func aSubclassWithoutItsOwnSharesTheShared() {
        #expect(FixedStatus.shared() === AFNetworkReachabilityManager.shared())
        #expect(AFNetworkReachabilityManager.shared() === AFNetworkReachabilityManager.shared())
    }
}
