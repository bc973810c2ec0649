import Foundation
import Network

protocol NetworkWatcherDelegate: AnyObject {
    func networkWatcher(_ watcher: NetworkWatcher, didUpdate path: NWPath)
}

/// A wrapper around NWPathMonitor as it is in many an app.
class NetworkWatcher {
    static let shared = NetworkWatcher()

    weak var delegate: NetworkWatcherDelegate?
    private var monitor: NWPathMonitor?
    private let queue = DispatchQueue(label: "NetworkWatcher")

    var isConnected: Bool { monitor?.currentPath.status == .satisfied }

    var connectionType: NWInterface.InterfaceType? {
        guard let path = monitor?.currentPath else { return nil }
        return [.wifi, .cellular, .wiredEthernet, .loopback, .other].first { path.usesInterfaceType($0) }
    }

    func start() {
        guard monitor == nil else { return }
        let monitor = NWPathMonitor()
        monitor.pathUpdateHandler = { [weak self] path in
            guard let self = self else { return }
            self.delegate?.networkWatcher(self, didUpdate: path)
        }
        monitor.start(queue: queue)
        self.monitor = monitor
    }

    func stop() {
        monitor?.cancel()
        monitor = nil
    }
}
