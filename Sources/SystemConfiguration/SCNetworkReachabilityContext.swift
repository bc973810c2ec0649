public import Reachability
internal import Synchronization

/// What a callback is handed as `info`, and how that is kept.
@unsafe public struct SCNetworkReachabilityContext {
    /// Zero.
    public var version: Int
    /// Handed to the callback.
    public var info: UnsafeMutableRawPointer?
    /// Called with `info` when the context is set and before each callback; what it returns is used instead.
    public var retain: (@convention(c) (_ info: UnsafeRawPointer) -> UnsafeRawPointer)?
    /// Called when the context is replaced or its target goes and, if there is a `retain`, after each callback.
    public var release: (@convention(c) (_ info: UnsafeRawPointer) -> Void)?
    /// Never called.
    public var copyDescription: (@convention(c) (_ info: UnsafeRawPointer) -> Unmanaged<CFString>)?

    /// Nothing but zeroes.
    public init() { unsafe self.init(version: 0, info: nil, retain: nil, release: nil, copyDescription: nil) }

    /// A context of these parts.
    public init(
        version: Int, info: UnsafeMutableRawPointer?,
        retain: (@convention(c) (_ info: UnsafeRawPointer) -> UnsafeRawPointer)?,
        release: (@convention(c) (_ info: UnsafeRawPointer) -> Void)?,
        copyDescription: (@convention(c) (_ info: UnsafeRawPointer) -> Unmanaged<CFString>)?
    ) {
        unsafe self.version = version
        unsafe self.info = unsafe info
        unsafe self.retain = unsafe retain
        unsafe self.release = unsafe release
        unsafe self.copyDescription = unsafe copyDescription
    }
}

/// `NetworkReachability.setCallback(_:)`, with a context or without. Always true for a target.
@discardableResult
public func SCNetworkReachabilitySetCallback(
    _ target: SCNetworkReachability?, _ callout: SCNetworkReachabilityCallBack?,
    _ context: UnsafeMutablePointer<SCNetworkReachabilityContext>?
) -> Bool {
    guard let target else { return fail(kSCStatusInvalidArgument) }
    let given = unsafe context?.pointee
    guard unsafe callout != nil || given != nil else {
        target.setCallback(nil)
        return true
    }
    let kept = unsafe KeptContext(callout, given)
    // Replacing lets go of the old context, and only then is the new one retained: the order of
    // Rules.md, "NetworkReachability".
    target.setCallback { target, flags in kept.call(target, flags) }
    unsafe kept.retain()
    return true
}

/// A callback with its context, from the moment it is set until nobody holds it any more.
///
/// `@unchecked Sendable` is sound for what is in it as far as it is here: it is written once, under the lock. That callback
/// and context may be used on the thread that the target is scheduled on is the promise their setter makes, in C too.
@safe private final class KeptContext: @unchecked Sendable {
    private let callout: SCNetworkReachabilityCallBack?
    private let context: SCNetworkReachabilityContext?
    /// The address of the `info` that is retained, zero for null; nil before.
    private let retained = Mutex<UInt?>(nil)

    init(_ callout: SCNetworkReachabilityCallBack?, _ context: SCNetworkReachabilityContext?) {
        unsafe self.callout = callout
        unsafe self.context = unsafe context
    }

    deinit { unsafe release(retain()) }

    /// Retains `info`, once; the pointer that is used from then on. The setter and the first callback may come here at the
    /// same time: then both retain, outside of the lock since that is the user's code, and the later takes it back.
    @discardableResult
    func retain() -> UnsafeMutableRawPointer? {
        if let address = retained.withLock({ $0 }) { return unsafe UnsafeMutableRawPointer(bitPattern: address) }
        let made = unsafe UInt(bitPattern: context?.info.map { unsafe retaining($0) })
        let (address, isFirst) = retained.withLock { retained in
            if let retained { return (retained, false) }
            retained = made
            return (made, true)
        }
        if !isFirst { unsafe release(UnsafeMutableRawPointer(bitPattern: made)) }
        return unsafe UnsafeMutableRawPointer(bitPattern: address)
    }

    func call(_ target: NetworkReachability, _ flags: ReachabilityFlags) {
        // Only what was retained for the call is released after it.
        let info = unsafe retain()
        let isRetaining = unsafe context?.retain != nil
        let argument = unsafe isRetaining ? info.map { unsafe retaining($0) } : info
        unsafe callout?(target, SCNetworkReachabilityFlags(flags), argument)
        if isRetaining { unsafe release(argument) }
    }

    private func retaining(_ info: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer {
        guard let retain = unsafe context?.retain else { return unsafe info }
        return unsafe UnsafeMutableRawPointer(mutating: retain(info))
    }

    private func release(_ info: UnsafeMutableRawPointer?) {
        guard let info = unsafe info else { return }
        unsafe context?.release?(info)
    }
}
