public import Foundation
public import Reachability
public import SystemConfiguration

/// AFNetworking's reachability manager as Swift imports it, over `ReachabilityManager`, whose documentation holds for
/// everything here: when what is told, and on which thread (the main queue).
///
/// It differs from AFNetworking's as `ReachabilityManager` does: equal statuses are not told twice, nothing is told after
/// a stop, and what is no host name or address is not reachable, with `targetError` saying why, instead of a crash.
///
/// `@unchecked Sendable` is sound because nothing in it changes after it was made; a subclass has its own to see to.
open class AFNetworkReachabilityManager: NSObject, @unchecked Sendable {
    private let manager: ReachabilityManager
    /// Where `manager` posts, for nobody but this object to hear.
    private let center = NotificationCenter()
    private let target: ReachabilityTarget

    // MARK: - Making one

    private static let theOne = AFNetworkReachabilityManager()

    /// The process's manager of the default route. A subclass that does not override this has the same one.
    open class func shared() -> AFNetworkReachabilityManager { theOne }

    /// A manager of the target. It does not share the target's scheduling or callback.
    public init(reachability: SCNetworkReachability) {
        target = reachability.target
        manager = ReachabilityManager(
            target: target, queue: .main, notificationCenter: center, engine: reachability.engine)
        super.init()
        // Posted with the status set and after the block, in the same delivery.
        _ = center.addObserver(forName: .reachabilityDidChange, object: nil, queue: nil) { [weak self] note in
            guard let self, let status = note.userInfo?[ReachabilityManager.statusUserInfoKey] else { return }
            NotificationCenter.default.post(
                name: .AFNetworkingReachabilityDidChange, object: self,
                userInfo: [AFNetworkingReachabilityNotificationStatusItem: status])
        }
    }

    /// A manager of the default route.
    public override convenience init() { self.init(reachability: SCNetworkReachability(.default)) }

    /// A manager of a host name. What is no host name, such as a URL or an empty text, is not reachable; see `targetError`.
    public convenience init(forDomain domain: String) {
        self.init(reachability: SCNetworkReachability(.named(domain)))
    }

    /// A manager of the address in a `sockaddr_in` or `sockaddr_in6`. One of another family is not reachable; see
    /// `targetError`.
    public convenience init(forAddress address: UnsafeRawPointer) {
        self.init(reachability: SCNetworkReachability(unsafe .sockaddr(address)))
    }

    /// Why the domain or address that was given cannot be watched; nil if it can.
    public var targetError: (any Error)? { target.refusal }

    // MARK: - Status

    /// The status told last; `unknown` before the first.
    open var networkReachabilityStatus: AFNetworkReachabilityStatus { AFNetworkReachabilityStatus(manager.status) }

    /// True if the status is one of the two reachable ones.
    open var isReachable: Bool { isReachableViaWWAN || isReachableViaWiFi }

    /// True if the status is `reachableViaWWAN`.
    open var isReachableViaWWAN: Bool { networkReachabilityStatus == .reachableViaWWAN }

    /// True if the status is `reachableViaWiFi`, which wired links are too.
    open var isReachableViaWiFi: Bool { networkReachabilityStatus == .reachableViaWiFi }

    /// The status as text.
    open func localizedNetworkReachabilityStatusString() -> String {
        AFStringFromNetworkReachabilityStatus(networkReachabilityStatus)
    }

    // MARK: - Monitoring

    /// `ReachabilityManager.startMonitoring()`.
    open func startMonitoring() { manager.startMonitoring() }

    /// `ReachabilityManager.stopMonitoring()`.
    open func stopMonitoring() { manager.stopMonitoring() }

    /// Sets what is called with the status after each change, on the main queue; nil for nothing.
    open func setReachabilityStatusChange(_ block: ((AFNetworkReachabilityStatus) -> Void)?) {
        guard let block else { return manager.setReachabilityStatusChangeBlock(nil) }
        // Sound as in Objective-C: it is called on the main queue alone, one call at a time.
        nonisolated(unsafe) let onMain = block
        manager.setReachabilityStatusChangeBlock { status in unsafe onMain(AFNetworkReachabilityStatus(status)) }
    }
}
