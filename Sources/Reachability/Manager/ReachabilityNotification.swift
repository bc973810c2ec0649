public import Foundation

extension Notification.Name {
    /// Posted by a `ReachabilityManager` after its status changed and after each start.
    ///
    /// The object is the manager; the user info holds the status under `ReachabilityManager.statusUserInfoKey` and the one
    /// before under `ReachabilityManager.previousStatusUserInfoKey`, both as `NSNumber` of the raw value.
    public static let reachabilityDidChange = Notification.Name("org.reachability.reachabilityDidChange")
}

extension ReachabilityManager {
    /// User info key of the status, an `NSNumber` of `ReachabilityStatus.rawValue`.
    public static let statusUserInfoKey = "ReachabilityStatus"
    /// User info key of the status before, an `NSNumber` of `ReachabilityStatus.rawValue`.
    public static let previousStatusUserInfoKey = "ReachabilityPreviousStatus"
}
