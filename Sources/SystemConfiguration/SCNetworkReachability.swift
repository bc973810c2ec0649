internal import Foundation
public import Reachability

/// The target object: `Reachability.NetworkReachability`.
public typealias SCNetworkReachability = NetworkReachability

/// Told of a change: the target, its flags, and the context's `info`.
///
/// A closure, since no C function takes a Swift class; like one, it has to be callable on the thread it is scheduled on.
public typealias SCNetworkReachabilityCallBack = (
    _ target: SCNetworkReachability, _ flags: SCNetworkReachabilityFlags, _ info: UnsafeMutableRawPointer?
) -> Void

// MARK: - Creation

/// `NetworkReachability.init(name:)`; nil with 1002 for no name and for an empty one.
public func SCNetworkReachabilityCreateWithName(
    _ allocator: CFAllocator?, _ nodename: UnsafePointer<CChar>?
) -> SCNetworkReachability? {
    guard let nodename = unsafe nodename else { return fail(kSCStatusInvalidArgument) }
    // Sound as far as the caller hands in a C string.
    let name = unsafe String(cString: nodename)
    return attempt { () throws(NetworkReachabilityError) in try NetworkReachability(name: name) }
}

/// `NetworkReachability.init(address:)`. The family tells how long the address is; nil with 1002 for no address and for
/// another family than AF_INET and AF_INET6.
public func SCNetworkReachabilityCreateWithAddress(
    _ allocator: CFAllocator?, _ address: UnsafePointer<sockaddr>?
) -> SCNetworkReachability? {
    guard let address = unsafe SocketAddress(address) else { return fail(kSCStatusInvalidArgument) }
    return NetworkReachability(address: address)
}

/// `NetworkReachability.init(localAddress:remoteAddress:)`; nil with 1002 if there is neither, or one of a family as above.
public func SCNetworkReachabilityCreateWithAddressPair(
    _ allocator: CFAllocator?, _ localAddress: UnsafePointer<sockaddr>?, _ remoteAddress: UnsafePointer<sockaddr>?
) -> SCNetworkReachability? {
    let local = unsafe SocketAddress(localAddress)
    let remote = unsafe SocketAddress(remoteAddress)
    guard unsafe (local == nil) == (localAddress == nil), unsafe (remote == nil) == (remoteAddress == nil) else {
        return fail(kSCStatusInvalidArgument)
    }
    return attempt { () throws(NetworkReachabilityError) in
        try NetworkReachability(localAddress: local, remoteAddress: remote)
    }
}

// MARK: - Flags

/// `NetworkReachability.flags()`; false with 4001 if the kernel cannot be asked.
@discardableResult
public func SCNetworkReachabilityGetFlags(
    _ target: SCNetworkReachability?, _ flags: UnsafeMutablePointer<SCNetworkReachabilityFlags>?
) -> Bool {
    guard let target, let flags = unsafe flags else { return fail(kSCStatusInvalidArgument) }
    do {
        unsafe flags.pointee = SCNetworkReachabilityFlags(try target.flags())
        return true
    } catch {
        return fail(kSCStatusReachabilityUnknown)
    }
}

// MARK: - Scheduling

/// `NetworkReachability.setDispatchQueue(_:)`.
@discardableResult
public func SCNetworkReachabilitySetDispatchQueue(_ target: SCNetworkReachability?, _ queue: DispatchQueue?) -> Bool {
    guard let target else { return fail(kSCStatusInvalidArgument) }
    return attempt { () throws(NetworkReachabilityError) in try target.setDispatchQueue(queue) }
}

/// `NetworkReachability.schedule(in:forMode:)` for CoreFoundation's run loop.
@discardableResult
public func SCNetworkReachabilityScheduleWithRunLoop(
    _ target: SCNetworkReachability?, _ runLoop: CFRunLoop?, _ runLoopMode: CFString?
) -> Bool {
    guard let target, let runLoop, let mode = runLoopMode as? String else { return fail(kSCStatusInvalidArgument) }
    return attempt { () throws(NetworkReachabilityError) in
        try target.schedule(in: CoreFoundationLoop(runLoop), mode: mode)
    }
}

/// `NetworkReachability.unschedule(from:forMode:)` for CoreFoundation's run loop.
@discardableResult
public func SCNetworkReachabilityUnscheduleFromRunLoop(
    _ target: SCNetworkReachability?, _ runLoop: CFRunLoop?, _ runLoopMode: CFString?
) -> Bool {
    guard let target, let runLoop, let mode = runLoopMode as? String else { return fail(kSCStatusInvalidArgument) }
    return attempt { () throws(NetworkReachabilityError) in
        try target.unschedule(from: CoreFoundationLoop(runLoop), mode: mode)
    }
}

/// CoreFoundation's run loop.
///
/// `@unchecked Sendable` is sound because the loop is only compared, and handed to its bells.
private struct CoreFoundationLoop: CallbackLoop, @unchecked Sendable {
    private let loop: CFRunLoop

    init(_ loop: CFRunLoop) { self.loop = loop }

    var identity: ObjectIdentifier { ObjectIdentifier(loop) }

    func bell(inMode mode: String, _ body: @escaping @Sendable () -> Void) -> any CallbackBell {
        Bell(loop: loop, mode: mode, body: body)
    }

    /// `@unchecked Sendable` is sound because nothing in it changes, and CFRunLoopPerformBlock and CFRunLoopWakeUp lock the
    /// loop.
    private struct Bell: CallbackBell, @unchecked Sendable {
        let loop: CFRunLoop
        let mode: String
        let body: @Sendable () -> Void

        func ring() {
            // Sound: it reads the C string it is given.
            let name = unsafe CFStringCreateWithCString(nil, mode, CFStringBuiltInEncodings.UTF8.rawValue)
            CFRunLoopPerformBlock(loop, name, body)
            CFRunLoopWakeUp(loop)
        }

        func remove() {}
    }
}

// MARK: - Errors

/// Runs `body`; nil, with the code of what it throws.
private func attempt<Result>(_ body: () throws(NetworkReachabilityError) -> Result) -> Result? {
    do { return try body() } catch {
        if case .kernel = error { return fail(kSCStatusFailed) }
        return fail(kSCStatusInvalidArgument)
    }
}

/// Runs `body`; false, with the code of what it throws.
private func attempt(_ body: () throws(NetworkReachabilityError) -> Void) -> Bool {
    let done: Void? = attempt(body)
    return done != nil
}

extension SocketAddress {
    /// The address at a pointer; nil for a null pointer and for one of another family.
    fileprivate init?(_ pointer: UnsafePointer<sockaddr>?) {
        guard let pointer = unsafe pointer else { return nil }
        // Sound as far as the caller hands in a whole sockaddr of its family, as C's function has it read too.
        let family = unsafe Int32(pointer.pointee.sa_family)
        let length = ReachabilityTarget.sockaddrLength(family)
        guard length > 0 else { return nil }
        guard let address = try? unsafe SocketAddress(pointer, length: socklen_t(length)) else { return nil }
        self = address
    }
}
