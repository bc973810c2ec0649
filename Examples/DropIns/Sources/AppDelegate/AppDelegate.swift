import AFNetworking
import Foundation
import SystemConfiguration

@MainActor
final class AppDelegate {
    private(set) var log: [String] = []
    private let loopback: AFNetworkReachabilityManager
    private var observer: (any NSObjectProtocol)?

    init() {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        loopback = AFNetworkReachabilityManager(forAddress: &address)
    }

    func applicationDidFinishLaunching(then done: @escaping @Sendable () -> Void) {
        observer = NotificationCenter.default.addObserver(
            forName: .AFNetworkingReachabilityDidChange, object: loopback, queue: .main
        ) { note in
            let status = (note.userInfo?[AFNetworkingReachabilityNotificationStatusItem] as? Int)
                .flatMap(AFNetworkReachabilityStatus.init(rawValue:))
            print("notification:", status.map(AFStringFromNetworkReachabilityStatus) ?? "without a status")
            done()
        }
        loopback.setReachabilityStatusChange { [weak self] status in
            self?.log.append(AFStringFromNetworkReachabilityStatus(status))
            print("block:", AFStringFromNetworkReachabilityStatus(status))
        }
        loopback.startMonitoring()
        AFNetworkReachabilityManager.shared().startMonitoring()
    }

    func applicationWillTerminate() {
        loopback.stopMonitoring()
        loopback.setReachabilityStatusChange(nil)
        AFNetworkReachabilityManager.shared().stopMonitoring()
        if let observer { NotificationCenter.default.removeObserver(observer) }
    }
}
