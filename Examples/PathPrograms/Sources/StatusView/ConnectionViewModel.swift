import Dispatch
import Reachability

/// What a screen shows of the connection: a button, a title, and a table of interface types.
@MainActor
final class ConnectionViewModel {
    private(set) var buttonTitle = "Start monitoring"
    private(set) var title = "Not monitoring"
    private(set) var rows: [String] = []
    private(set) var warning: String?

    /// Called when the screen has to be drawn anew.
    var onChange: () -> Void = {}

    init() {
        NetStatus.shared.didStartMonitoringHandler = { [unowned self] in
            buttonTitle = "Stop monitoring"
            onChange()
        }
        NetStatus.shared.didStopMonitoringHandler = { [unowned self] in
            buttonTitle = "Start monitoring"
            reload()
        }
        NetStatus.shared.netStatusChangeHandler = { [unowned self] in
            DispatchQueue.main.async { [unowned self] in reload() }
        }
    }

    func toggle() {
        if !NetStatus.shared.isMonitoring {
            NetStatus.shared.startMonitoring()
        } else {
            NetStatus.shared.stopMonitoring()
        }
    }

    private func reload() {
        guard NetStatus.shared.isMonitoring else {
            title = "Not monitoring"
            rows = []
            warning = nil
            return onChange()
        }
        title = NetStatus.shared.isConnected ? "Connected" : "Not connected"
        if let type = NetStatus.shared.interfaceType { title += " by \(type)" }
        rows = NetStatus.shared.availableInterfacesTypes?.map { "\($0)" } ?? []
        warning = NetStatus.shared.isExpensive ? "Data may cost you" : nil
        onChange()
    }
}
