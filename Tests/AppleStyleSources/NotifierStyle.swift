import Foundation
import SystemConfiguration

// A class as Reachability.swift 5 writes one: two closures, a notification, cached flags, errors with SCError codes.

public enum NotifierStyleError: Error, Equatable {
    case failedToCreateWithAddress(Int32)
    case failedToCreateWithHostname(String, Int32)
    case unableToSetCallback(Int32)
    case unableToSetDispatchQueue(Int32)
    case unableToGetFlags(Int32)
}

extension Notification.Name {
    public static let notifierStyleChanged = Notification.Name("notifierStyleChanged")
}

public class NotifierStyleReachability {
    public typealias Closure = (NotifierStyleReachability) -> Void

    public enum Connection: CustomStringConvertible {
        case unavailable, wifi, cellular

        public var description: String {
            switch self {
            case .cellular: return "Cellular"
            case .wifi: return "WiFi"
            case .unavailable: return "No Connection"
            }
        }
    }

    public var whenReachable: Closure?
    public var whenUnreachable: Closure?
    private let reachabilityRef: SCNetworkReachability
    private let serialQueue: DispatchQueue
    private let notificationQueue: DispatchQueue?
    private var isRunning = false
    private var flags: SCNetworkReachabilityFlags? {
        didSet {
            guard flags != oldValue else { return }
            tell()
        }
    }

    required public init(reachabilityRef: SCNetworkReachability, notificationQueue: DispatchQueue? = .main) {
        self.reachabilityRef = reachabilityRef
        self.serialQueue = DispatchQueue(label: "notifier-style", qos: .default)
        self.notificationQueue = notificationQueue
    }

    public convenience init(hostname: String) throws {
        guard let ref = SCNetworkReachabilityCreateWithName(kCFAllocatorDefault, hostname) else {
            throw NotifierStyleError.failedToCreateWithHostname(hostname, SCError())
        }
        self.init(reachabilityRef: ref)
    }

    public convenience init() throws {
        var zeroAddress = sockaddr_in()
        zeroAddress.sin_len = UInt8(MemoryLayout.size(ofValue: zeroAddress))
        zeroAddress.sin_family = sa_family_t(AF_INET)
        let ref = withUnsafePointer(to: &zeroAddress) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                SCNetworkReachabilityCreateWithAddress(nil, $0)
            }
        }
        guard let reachabilityRef = ref else { throw NotifierStyleError.failedToCreateWithAddress(SCError()) }
        self.init(reachabilityRef: reachabilityRef)
    }

    deinit { stopNotifier() }

    public var connection: Connection {
        if flags == nil { try? setReachabilityFlags() }
        switch flags?.notifierConnection {
        case .unavailable?, nil: return .unavailable
        case .cellular?: return .cellular
        case .wifi?: return .wifi
        }
    }

    public func startNotifier() throws {
        guard !isRunning else { return }
        let callback: SCNetworkReachabilityCallBack = { (reachability, flags, info) in
            guard let info = info else { return }
            let box = Unmanaged<Box>.fromOpaque(info).takeUnretainedValue()
            box.reachability?.flags = flags
        }
        let box = Box(reachability: self)
        let opaqueBox = Unmanaged<Box>.passUnretained(box).toOpaque()
        var context = SCNetworkReachabilityContext(
            version: 0,
            info: UnsafeMutableRawPointer(opaqueBox),
            retain: { (info: UnsafeRawPointer) -> UnsafeRawPointer in
                let unmanaged = Unmanaged<Box>.fromOpaque(info)
                _ = unmanaged.retain()
                return UnsafeRawPointer(unmanaged.toOpaque())
            },
            release: { (info: UnsafeRawPointer) -> Void in
                let unmanaged = Unmanaged<Box>.fromOpaque(info)
                unmanaged.release()
            },
            copyDescription: { (info: UnsafeRawPointer) -> Unmanaged<CFString> in
                let unmanaged = Unmanaged<Box>.fromOpaque(info)
                let description = unmanaged.takeUnretainedValue().reachability?.description ?? "nil"
                return Unmanaged.passRetained(description as CFString)
            }
        )
        if !SCNetworkReachabilitySetCallback(reachabilityRef, callback, &context) {
            stopNotifier()
            throw NotifierStyleError.unableToSetCallback(SCError())
        }
        if !SCNetworkReachabilitySetDispatchQueue(reachabilityRef, serialQueue) {
            stopNotifier()
            throw NotifierStyleError.unableToSetDispatchQueue(SCError())
        }
        try setReachabilityFlags()
        isRunning = true
    }

    public func stopNotifier() {
        defer { isRunning = false }
        SCNetworkReachabilitySetCallback(reachabilityRef, nil, nil)
        SCNetworkReachabilitySetDispatchQueue(reachabilityRef, nil)
    }

    public var description: String { flags?.description ?? "unavailable flags" }

    private func setReachabilityFlags() throws {
        try serialQueue.sync { [unowned self] in
            var flags = SCNetworkReachabilityFlags()
            if !SCNetworkReachabilityGetFlags(self.reachabilityRef, &flags) {
                self.stopNotifier()
                throw NotifierStyleError.unableToGetFlags(SCError())
            }
            self.flags = flags
        }
    }

    private func tell() {
        let notify = { [weak self] in
            guard let self = self else { return }
            self.connection != .unavailable ? self.whenReachable?(self) : self.whenUnreachable?(self)
            NotificationCenter.default.post(name: .notifierStyleChanged, object: self)
        }
        if let queue = notificationQueue { queue.async(execute: DispatchWorkItem(block: notify)) } else { notify() }
    }

    private class Box {
        weak var reachability: NotifierStyleReachability?

        init(reachability: NotifierStyleReachability) { self.reachability = reachability }
    }
}

extension SCNetworkReachabilityFlags {
    typealias Connection = NotifierStyleReachability.Connection

    var notifierConnection: Connection {
        guard isReachableFlagSet else { return .unavailable }
        if isOnWWANFlagSet { return .cellular }
        var connection = Connection.unavailable
        if !isConnectionRequiredFlagSet { connection = .wifi }
        if isConnectionOnTrafficOrDemandFlagSet, !isInterventionRequiredFlagSet { connection = .wifi }
        return connection
    }

    var isOnWWANFlagSet: Bool {
        #if targetEnvironment(simulator)
            return false
        #else
            return contains(.isWWAN)
        #endif
    }
    var isReachableFlagSet: Bool { contains(.reachable) }
    var isConnectionRequiredFlagSet: Bool { contains(.connectionRequired) }
    var isInterventionRequiredFlagSet: Bool { contains(.interventionRequired) }
    var isConnectionOnTrafficOrDemandFlagSet: Bool {
        !intersection([.connectionOnTraffic, .connectionOnDemand]).isEmpty
    }

    var description: String {
        let W = isOnWWANFlagSet ? "W" : "-"
        let R = isReachableFlagSet ? "R" : "-"
        return "\(W)\(R)"
    }
}
