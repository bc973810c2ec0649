import Dispatch
import Foundation
import ReachabilityTesting
import Testing

@testable import Reachability

/// In a program that called `dispatchMain()`, as this one has, any thread may run the main queue.
@Suite("Observers that ask for the main operation queue", .timeLimit(.minutes(1)))
struct MainQueueObserverTests {
    private let center = NotificationCenter()
    private let scene = PathScene()

    /// What comes with the first notification of the name, however long it takes; `begin` has it posted.
    private func first(
        _ name: Notification.Name, _ key: String, _ begin: () -> Void
    ) async -> String {
        let log = HeardEvents<String>()
        let observer = center.addObserver(forName: name, object: nil, queue: .main) { notification in
            log.add("\(notification.userInfo?[key] ?? "nothing")")
        }
        defer { center.removeObserver(observer) }
        begin()
        return log.wait(count: 1)?.first ?? "never called"
    }

    @Test func areCalledOfANetworkType() async {
        let monitor = NetworkTypeMonitor(
            queue: .main, notificationCenter: center, notificationName: .networkTypeDidChange, engine: scene.engine)
        monitor.setUp()
        let value = await first(.networkTypeDidChange, NetworkTypeMonitor.newValueUserInfoKey) {
            scene.network.connect("wlan0", .wifi)
        }
        #expect(value == "wifi")
    }

    @Test(arguments: [DispatchQueue.main, DispatchQueue(label: "on main", target: .main)])
    func areCalledOfAManagersStatus(queue: DispatchQueue) async {
        scene.network.connect("wlan0", .wifi)
        let manager = scene.network.manager(queue: queue, notificationCenter: center)
        let value = await first(.reachabilityDidChange, ReachabilityManager.statusUserInfoKey) {
            manager.startMonitoring()
        }
        #expect(value == "2")
        manager.stopMonitoring()
    }
}
