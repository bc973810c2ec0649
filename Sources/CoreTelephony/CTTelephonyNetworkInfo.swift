public import Foundation
internal import Reachability
internal import Synchronization

/// Is told when another modem carries the data.
public protocol CTTelephonyNetworkInfoDelegate: AnyObject {
    /// The service that carries data is another; called on the main queue.
    func dataServiceIdentifierDidChange(_ identifier: String)
}

extension CTTelephonyNetworkInfoDelegate {
    /// Does nothing: the method is optional on Apple's systems.
    public func dataServiceIdentifierDidChange(_ identifier: String) {}
}

/// The radio technology of the host's modems, as CoreTelephony spells it. `CellularMonitor` does the work.
///
/// A service identifier is ModemManager's name of the modem. Nothing is known until the daemon has answered.
open class CTTelephonyNetworkInfo: @unchecked Sendable {  // sound: what changes is behind a lock
    private let shared = Shared()
    private let monitor: CellularMonitor

    private final class Shared: Sendable {
        /// Sound: the delegate's owner gets back what it gave, and it is called on the main queue alone. Apple's protocol
        /// does not ask for Sendable, so the classes that conform to it are not.
        private struct WeakDelegate: @unchecked Sendable { weak var object: (any CTTelephonyNetworkInfoDelegate)? }

        private let delegate = Mutex(WeakDelegate())

        func get() -> (any CTTelephonyNetworkInfoDelegate)? { delegate.withLock { $0 }.object }

        func set(_ new: (any CTTelephonyNetworkInfoDelegate)?) {
            let new = WeakDelegate(object: new)
            delegate.withLock { $0 = new }
        }

        func tell(_ old: CellularMonitor.Radios, _ new: CellularMonitor.Radios) {
            let before = Dictionary(uniqueKeysWithValues: old.all.map { ($0.service, $0.technology) })
            let changed = new.all.filter { before[$0.service] != .some($0.technology) }.map(\.service)
            let gone = Set(before.keys).subtracting(new.all.map(\.service))
            NotificationPosting.onMain { [self] in
                for service in changed + gone.sorted() {
                    NotificationCenter.default.post(name: .CTServiceRadioAccessTechnologyDidChange, object: service)
                }
                guard old.dataService != new.dataService, let service = new.dataService else { return }
                get()?.dataServiceIdentifierDidChange(service)
            }
        }
    }

    /// Begins to watch.
    public init() {
        monitor = CellularMonitor { [shared] old, new in shared.tell(old, new) }
    }

    /// The technology of each service; nil if no modem is known.
    open var serviceCurrentRadioAccessTechnology: [String: String]? {
        let known = monitor.radios.all.compactMap { radio in
            radio.technology.map { (radio.service, "CTRadioAccessTechnology" + $0) }
        }
        return known.isEmpty ? nil : Dictionary(uniqueKeysWithValues: known)
    }

    /// The technology of the data service; nil if there is none or it is not known.
    @available(*, deprecated, renamed: "serviceCurrentRadioAccessTechnology")
    open var currentRadioAccessTechnology: String? {
        dataServiceIdentifier.flatMap { serviceCurrentRadioAccessTechnology?[$0] }
    }

    /// The service that carries data; nil if no modem is known, or several and none of them does.
    open var dataServiceIdentifier: String? { monitor.radios.dataService }

    /// Is told when another service carries the data. Not kept alive.
    open var delegate: (any CTTelephonyNetworkInfoDelegate)? {
        get { shared.get() }
        set { shared.set(newValue) }
    }
}

extension NSNotification.Name {
    /// Posted on the main queue when a service's technology changed; the object is the service identifier.
    public static let CTServiceRadioAccessTechnologyDidChange = NSNotification.Name(
        "CTServiceRadioAccessTechnologyDidChangeNotification")
}
