public import Foundation
public import Reachability

/// What connects this host, with the names of the package this stands in for.
public typealias AANetworkType = Reachability.NetworkType

/// Tells the network type, and posts `AANetworkTypeDidChangedNotification` on the main thread when it changed, with
/// `oldValue` and `newValue` (raw values) in the user info.
public enum AANetworkMonitor {
    private static let monitor = NetworkTypeMonitor(notificationName: .AANetworkTypeDidChangedNotification)

    /// Begins to watch.
    public static func setup() { monitor.setUp() }

    /// The type now, correct on the first call.
    public static func currentNetworkType() -> AANetworkType { monitor.currentNetworkType() }

    /// True unless offline; spelled as its users know it.
    public static func isAvaliable() -> Bool { currentNetworkType().isAvailable }
}

extension Notification.Name {
    /// Posted when the network type changed.
    public static let AANetworkTypeDidChangedNotification = Notification.Name("AANetworkTypeDidChangedNotification")
}
