public import Foundation
internal import Reachability

/// What connects this host, with the names of the package this stands in for. The values are `NetworkType`'s.
///
/// A type of this module's own, so that a program need import no other to name its cases.
public enum AANetworkType: String, Hashable, Sendable, CaseIterable {
    /// Connected over a link of a kind that is not known.
    case unknown
    /// Not connected.
    case offline
    /// Over a wireless link (IEEE 802.11).
    case wifi
    /// Over the loopback interface.
    case loopback
    /// Over an Ethernet link, or a virtual one of its shape (veth, bridge).
    case wiredEthernet
    /// Cellular, of a generation that is not known.
    case cellular
    /// GSM, GPRS, EDGE or CDMA 1x.
    case cellular2G
    /// UMTS, HSPA or EV-DO.
    case cellular3G
    /// LTE.
    case cellular4G
    /// New Radio, with LTE beside it or alone.
    case cellular5G

    init(_ type: NetworkType) { self = AANetworkType(rawValue: type.rawValue) ?? .unknown }
}

/// Tells the network type, and posts `AANetworkTypeDidChangedNotification` on the main thread when it changed, with
/// `oldValue` and `newValue` (raw values) in the user info.
public enum AANetworkMonitor {
    private static let monitor = NetworkTypeMonitor(notificationName: .AANetworkTypeDidChangedNotification)

    /// Begins to watch.
    public static func setup() { monitor.setUp() }

    /// The type now, correct on the first call.
    public static func currentNetworkType() -> AANetworkType { AANetworkType(monitor.currentNetworkType()) }

    /// True unless offline; spelled as its users know it.
    public static func isAvaliable() -> Bool { currentNetworkType() != .offline }
}

extension Notification.Name {
    /// Posted when the network type changed.
    public static let AANetworkTypeDidChangedNotification = Notification.Name("AANetworkTypeDidChangedNotification")
}
