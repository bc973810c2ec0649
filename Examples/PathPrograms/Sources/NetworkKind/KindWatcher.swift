import AANetworkMonitor
import CoreTelephony
import Foundation
import Network

/// Keeps the kind up to date on the main actor, and says what AANetworkMonitor calls it.
@MainActor
final class KindWatcher {
    private let monitor = NWPathMonitor()
    private let telephony = CTTelephonyNetworkInfo()
    private let dataService = DataServiceLog()
    private var kind: NetworkKind?
    private var tokens: [any NSObjectProtocol] = []

    func start() {
        AANetworkMonitor.setup()
        say("at first \(AANetworkMonitor.currentNetworkType())")
        telephony.delegate = dataService
        let center = NotificationCenter.default
        tokens.append(
            center.addObserver(
                forName: Notification.Name.AANetworkTypeDidChangedNotification, object: nil, queue: .main
            ) { notification in
                let old = notification.userInfo?["oldValue"] as? String ?? ""
                let new = notification.userInfo?["newValue"] as? String ?? ""
                guard let type = AANetworkType(rawValue: new) else { return }
                say(
                    "type \(old) > \(type.rawValue)\(type == .offline || !AANetworkMonitor.isAvaliable() ? " (offline)" : "")"
                )
            })
        tokens.append(
            center.addObserver(forName: .CTServiceRadioAccessTechnologyDidChange, object: nil, queue: .main) {
                [weak self] _ in
                MainActor.assumeIsolated { self?.update() }
            })
        monitor.pathUpdateHandler = { [weak self] _ in
            Task { @MainActor in self?.update() }
        }
        monitor.start(queue: DispatchQueue.global(qos: .background))
    }

    private func update() {
        let new = NetworkKind(monitor.currentPath, telephony)
        guard new != kind else { return }
        kind = new
        say("kind \(new.rawValue)")
    }
}

/// A plain class that is open to inheritance, as delegates often are.
class DataServiceLog: CTTelephonyNetworkInfoDelegate {
    var identifiers: [String] = []

    func dataServiceIdentifierDidChange(_ identifier: String) {
        identifiers.append(identifier)
        say("data by \(identifier), change \(identifiers.count)")
    }
}

func say(_ text: String) {
    try? FileHandle.standardOutput.write(contentsOf: Data((text + "\n").utf8))
}
