public import Foundation

// What Swift 2 called these things.

extension AFNetworkReachabilityManager {
    /// `shared()`.
    @available(*, deprecated, renamed: "shared()")
    public static func sharedManager() -> AFNetworkReachabilityManager { shared() }

    /// `setReachabilityStatusChange(_:)`.
    @available(*, deprecated, renamed: "setReachabilityStatusChange(_:)")
    public func setReachabilityStatusChangeBlock(_ block: ((AFNetworkReachabilityStatus) -> Void)?) {
        setReachabilityStatusChange(block)
    }

    /// `isReachable`.
    @available(*, deprecated, renamed: "isReachable")
    public var reachable: Bool { isReachable }

    /// `isReachableViaWWAN`.
    @available(*, deprecated, renamed: "isReachableViaWWAN")
    public var reachableViaWWAN: Bool { isReachableViaWWAN }

    /// `isReachableViaWiFi`.
    @available(*, deprecated, renamed: "isReachableViaWiFi")
    public var reachableViaWiFi: Bool { isReachableViaWiFi }
}

extension AFNetworkReachabilityStatus {
    /// `unknown`.
    @available(*, deprecated, renamed: "unknown")
    public static var Unknown: AFNetworkReachabilityStatus { .unknown }

    /// `notReachable`.
    @available(*, deprecated, renamed: "notReachable")
    public static var NotReachable: AFNetworkReachabilityStatus { .notReachable }

    /// `reachableViaWWAN`.
    @available(*, deprecated, renamed: "reachableViaWWAN")
    public static var ReachableViaWWAN: AFNetworkReachabilityStatus { .reachableViaWWAN }

    /// `reachableViaWiFi`.
    @available(*, deprecated, renamed: "reachableViaWiFi")
    public static var ReachableViaWiFi: AFNetworkReachabilityStatus { .reachableViaWiFi }
}

/// `NSNotification.Name.AFNetworkingReachabilityDidChange`.
@available(*, deprecated, renamed: "NSNotification.Name.AFNetworkingReachabilityDidChange")
public let AFNetworkingReachabilityDidChangeNotification = NSNotification.Name.AFNetworkingReachabilityDidChange
