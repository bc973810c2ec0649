public import Foundation
internal import Reachability

/// AFNetworking's four states; their numbers are contract. `Reachability.ReachabilityStatus` says what they mean.
public enum AFNetworkReachabilityStatus: Int, Hashable, Sendable, CaseIterable {
    /// Nothing is known yet, or the kernel cannot be asked.
    case unknown = -1
    /// No packet for the target can leave.
    case notReachable = 0
    /// Packets leave over a cellular link.
    case reachableViaWWAN = 1
    /// Packets leave over any other link, wired links included.
    case reachableViaWiFi = 2

    init(_ status: ReachabilityStatus) {
        self =
            switch status {
            case .unknown: .unknown
            case .notReachable: .notReachable
            case .viaWWAN: .reachableViaWWAN
            case .viaWiFi: .reachableViaWiFi
            }
    }
}

/// The status as text: `Unknown`, `Not Reachable`, `Reachable via WWAN`, `Reachable via WiFi`.
public func AFStringFromNetworkReachabilityStatus(_ status: AFNetworkReachabilityStatus) -> String {
    (ReachabilityStatus(rawValue: status.rawValue) ?? .unknown).description
}

extension NSNotification.Name {
    /// Posted on the default center, on the main queue, after each change of status and each start. The object is the
    /// `AFNetworkReachabilityManager`, the user info holds the status.
    public static let AFNetworkingReachabilityDidChange = NSNotification.Name(
        "com.alamofire.networking.reachability.change")
}

/// User info key of the status, an `NSNumber` of `AFNetworkReachabilityStatus.rawValue`.
public let AFNetworkingReachabilityNotificationStatusItem = "AFNetworkingReachabilityNotificationStatusItem"
