import Foundation
import SystemConfiguration

// A manager as Alamofire 5 writes one: live flags, one listener on a queue of its choice, a weak box in the context.

open class ListenerStyleManager: @unchecked Sendable {  // sound: what changes is behind the lock
    public enum Status: Equatable, Sendable {
        case unknown
        case notReachable
        case reachable(Connection)

        public init(_ flags: SCNetworkReachabilityFlags) {
            guard flags.isActuallyReachable else {
                self = .notReachable
                return
            }
            self = .reachable(flags.isCellular ? .cellular : .ethernetOrWiFi)
        }
    }

    public enum Connection: Sendable { case ethernetOrWiFi, cellular }

    public typealias Listener = @Sendable (Status) -> Void

    public static let `default` = ListenerStyleManager()

    public let reachabilityQueue = DispatchQueue(label: "listener-style")
    private let reachability: SCNetworkReachability
    private let lock = NSLock()
    private var listener: Listener?
    private var listenerQueue: DispatchQueue?
    private var previous: Status?

    public convenience init?(host: String) {
        guard let reachability = SCNetworkReachabilityCreateWithName(nil, host) else { return nil }
        self.init(reachability: reachability)
    }

    public convenience init?() {
        var zero = sockaddr()
        zero.sa_len = UInt8(MemoryLayout<sockaddr>.size)
        zero.sa_family = sa_family_t(AF_INET)
        guard let reachability = SCNetworkReachabilityCreateWithAddress(nil, &zero) else { return nil }
        self.init(reachability: reachability)
    }

    public init(reachability: SCNetworkReachability) { self.reachability = reachability }

    deinit { stopListening() }

    public var flags: SCNetworkReachabilityFlags? {
        var flags = SCNetworkReachabilityFlags()
        return SCNetworkReachabilityGetFlags(reachability, &flags) ? flags : nil
    }

    open var status: Status { flags.map(Status.init) ?? .unknown }
    open var isReachable: Bool { isReachableOnCellular || isReachableOnEthernetOrWiFi }
    open var isReachableOnCellular: Bool { status == .reachable(.cellular) }
    open var isReachableOnEthernetOrWiFi: Bool { status == .reachable(.ethernetOrWiFi) }

    @discardableResult
    open func startListening(onQueue queue: DispatchQueue = .main, onUpdatePerforming listener: @escaping Listener)
        -> Bool
    {
        stopListening()
        lock.withLock {
            self.listener = listener
            listenerQueue = queue
        }
        let box = WeakBox(manager: self)
        var context = SCNetworkReachabilityContext(
            version: 0,
            info: Unmanaged.passUnretained(box).toOpaque(),
            retain: { info in
                let unmanaged = Unmanaged<WeakBox>.fromOpaque(info)
                _ = unmanaged.retain()
                return UnsafeRawPointer(unmanaged.toOpaque())
            },
            release: { info in
                Unmanaged<WeakBox>.fromOpaque(info).release()
            },
            copyDescription: { info in
                let box = Unmanaged<WeakBox>.fromOpaque(info).takeUnretainedValue()
                let description = box.manager?.flags?.letters ?? "nil"
                return Unmanaged.passRetained(description as CFString)
            }
        )
        let callback: SCNetworkReachabilityCallBack = { _, flags, info in
            guard let info else { return }
            let box = Unmanaged<WeakBox>.fromOpaque(info).takeUnretainedValue()
            box.manager?.notify(flags)
        }
        let isQueueSet = SCNetworkReachabilitySetDispatchQueue(reachability, reachabilityQueue)
        let isCallbackSet = SCNetworkReachabilitySetCallback(reachability, callback, &context)
        if let current = flags {
            reachabilityQueue.async { self.notify(current) }
        }
        return isQueueSet && isCallbackSet
    }

    open func stopListening() {
        SCNetworkReachabilitySetCallback(reachability, nil, nil)
        SCNetworkReachabilitySetDispatchQueue(reachability, nil)
        lock.withLock {
            listener = nil
            listenerQueue = nil
            previous = nil
        }
    }

    private func notify(_ flags: SCNetworkReachabilityFlags) {
        let status = Status(flags)
        lock.withLock {
            guard previous != status, let listener else { return }
            previous = status
            listenerQueue?.async { listener(status) }
        }
    }

    private final class WeakBox {
        weak var manager: ListenerStyleManager?

        init(manager: ListenerStyleManager) { self.manager = manager }
    }
}

extension SCNetworkReachabilityFlags {
    var isActuallyReachable: Bool { contains(.reachable) && (!contains(.connectionRequired) || connectsByItself) }
    var connectsByItself: Bool {
        (contains(.connectionOnDemand) || contains(.connectionOnTraffic)) && !contains(.interventionRequired)
    }
    var isCellular: Bool { contains(.isWWAN) }

    var letters: String {
        let all: [(SCNetworkReachabilityFlags, String)] = [
            (.isWWAN, "W"), (.reachable, "R"), (.connectionRequired, "c"), (.transientConnection, "t"),
            (.interventionRequired, "i"), (.connectionOnTraffic, "C"), (.connectionOnDemand, "D"),
            (.isLocalAddress, "l"), (.isDirect, "d"), (.connectionAutomatic, "a"),
        ]
        return all.map { contains($0.0) ? $0.1 : "-" }.joined()
    }
}
