import Foundation
import SystemConfiguration

/// Watches one host on a run loop, with a retained context.
final class HostWatch {
    private let target: SCNetworkReachability
    private let onChange: (SCNetworkReachabilityFlags) -> Void

    init?(host: String, onChange: @escaping (SCNetworkReachabilityFlags) -> Void) {
        guard let target = SCNetworkReachabilityCreateWithName(kCFAllocatorDefault, host) else { return nil }
        self.target = target
        self.onChange = onChange
    }

    init?(address: sockaddr_in, onChange: @escaping (SCNetworkReachabilityFlags) -> Void) {
        var address = address
        address.sin_len = UInt8(MemoryLayout<sockaddr_in>.size)
        address.sin_family = sa_family_t(AF_INET)
        let target = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { SCNetworkReachabilityCreateWithAddress(nil, $0) }
        }
        guard let target else { return nil }
        self.target = target
        self.onChange = onChange
    }

    var flags: SCNetworkReachabilityFlags? {
        var flags: SCNetworkReachabilityFlags = []
        return SCNetworkReachabilityGetFlags(target, &flags) ? flags : nil
    }

    func start() -> Bool {
        var context = SCNetworkReachabilityContext(
            version: 0, info: Unmanaged.passUnretained(self).toOpaque(),
            retain: { UnsafeRawPointer(Unmanaged<HostWatch>.fromOpaque($0).retain().toOpaque()) },
            release: { Unmanaged<HostWatch>.fromOpaque($0).release() },
            copyDescription: { _ in Unmanaged.passRetained("HostWatch" as CFString) })
        let callback: SCNetworkReachabilityCallBack = { _, flags, info in
            guard let info else { return }
            Unmanaged<HostWatch>.fromOpaque(info).takeUnretainedValue().onChange(flags)
        }
        return SCNetworkReachabilitySetCallback(target, callback, &context)
            && SCNetworkReachabilityScheduleWithRunLoop(
                target, CFRunLoopGetMain(), CFRunLoopMode.commonModes.rawValue)
    }

    func stop() {
        SCNetworkReachabilityUnscheduleFromRunLoop(target, CFRunLoopGetMain(), CFRunLoopMode.commonModes.rawValue)
        SCNetworkReachabilitySetCallback(target, nil, nil)
    }
}
