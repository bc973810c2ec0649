import Foundation
import ReachabilityTesting
import Testing

@testable import Reachability

@Suite("The network type monitor", .timeLimit(.minutes(1)))
struct NetworkTypeMonitorTests {
    let scene = PathScene()
    let center = NotificationCenter()
    let log = HeardEvents<[String]>()

    private func monitor(queue: DispatchQueue? = nil) -> NetworkTypeMonitor {
        NetworkTypeMonitor(
            queue: queue ?? scene.queue, notificationCenter: center, notificationName: .networkTypeDidChange,
            engine: scene.engine)
    }

    /// Writes down old and new value of each notification.
    private func listen() -> any NSObjectProtocol {
        center.addObserver(forName: .networkTypeDidChange, object: nil, queue: nil) { [log] notification in
            log.add(["oldValue", "newValue"].map { notification.userInfo?[$0] as? String ?? "missing" })
        }
    }

    @Test func theFirstCallIsCorrectBeforeAndAfterSetUp() {
        scene.network.connect("wlan0", .wifi)
        let monitor = monitor()
        #expect(monitor.currentNetworkType() == .wifi)
        scene.network.disconnect("wlan0")
        #expect(monitor.currentNetworkType() == .offline, "not set up, it asks each time")
        scene.network.connect("eth0", .wiredEthernet)
        monitor.setUp()
        #expect(monitor.currentNetworkType() == .wiredEthernet, "at once, before anything was told")
    }

    @Test func settingUpAnnouncesNothing() {
        scene.network.connect("wlan0", .wifi)
        let observer = listen()
        let monitor = monitor()
        monitor.setUp()
        scene.settle()
        #expect(log.all.isEmpty)
        center.removeObserver(observer)
    }

    @Test func aChangeIsAnnouncedWithTheOldAndTheNewValue() {
        scene.network.connect("wlan0", .wifi)
        let observer = listen()
        let monitor = monitor()
        monitor.setUp()
        scene.settle()
        scene.network.disconnect("wlan0")
        scene.settle()
        scene.network.connect("wwan0", .cellular)
        scene.settle()
        scene.network.setModem("/modem/0", interfaces: ["wwan0"], technology: .lte)
        scene.settle()
        scene.network.setModem("/modem/0", interfaces: ["wwan0"], technology: .nr)
        scene.settle()
        #expect(
            log.all == [
                ["wifi", "offline"], ["offline", "cellular"], ["cellular", "cellular4G"], ["cellular4G", "cellular5G"],
            ])
        #expect(monitor.currentNetworkType() == .cellular5G)
        center.removeObserver(observer)
    }

    @Test func aChangeOfPathWithAnEqualTypeIsNotAnnounced() {
        scene.network.connect("eth0", .wiredEthernet, metric: 100)
        let observer = listen()
        let monitor = monitor()
        monitor.setUp()
        scene.settle()
        scene.network.connect("eth1", .wiredEthernet, metric: 50)
        scene.network.addAddress("198.51.100.7", to: "eth1")
        scene.network.setNameservers(["192.0.2.9"])
        scene.settle()
        scene.network.disconnect("eth1")
        scene.settle()
        #expect(log.all.isEmpty)
        center.removeObserver(observer)
    }

    @Test func thereAndBackOnABlockedQueueIsNoChange() {
        scene.network.connect("wlan0", .wifi)
        let observer = listen()
        let monitor = monitor()
        monitor.setUp()
        scene.settle()
        scene.queue.suspend()
        scene.network.setCarrier("wlan0", false)
        scene.settleEngine()
        #expect(monitor.currentNetworkType() == .offline, "read, it is as new as the engine")
        scene.network.setCarrier("wlan0", true)
        scene.settleEngine()
        scene.queue.resume()
        scene.settle()
        #expect(log.all.isEmpty)
        center.removeObserver(observer)
    }

    @Test func settingUpTwiceAnnouncesOnce() {
        let observer = listen()
        let monitor = monitor()
        monitor.setUp()
        monitor.setUp()
        scene.settle()
        scene.network.connect("wlan0", .wifi)
        scene.settle()
        #expect(log.all == [["offline", "wifi"]])
        center.removeObserver(observer)
    }

    @Test func onTheMainQueueItIsAnnouncedThere() async {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        let monitor = monitor(queue: .main)
        monitor.setUp()
        scene.settle()
        let isMain = await withCheckedContinuation { continuation in
            var observer: (any NSObjectProtocol)?
            observer = center.addObserver(forName: .networkTypeDidChange, object: nil, queue: nil) { _ in
                continuation.resume(returning: DispatchQueue.getSpecific(key: key) == true)
            }
            scene.network.connect("wlan0", .wifi)
            withExtendedLifetime(observer) {}
        }
        #expect(isMain)
    }

    @Test func theObjectIsTheMonitor() {
        let monitor = monitor()
        let log = HeardEvents<Bool>()
        let observer = center.addObserver(forName: .networkTypeDidChange, object: nil, queue: nil) {
            [weak monitor] notification in
            log.add(notification.object as? NetworkTypeMonitor === monitor)
        }
        monitor.setUp()
        scene.network.connect("wlan0", .wifi)
        #expect(log.wait(count: 1) == [true])
        center.removeObserver(observer)
    }
}
