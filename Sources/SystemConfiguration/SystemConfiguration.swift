// SystemConfiguration for Linux: SCNetworkReachability as Apple's headers have it, over `NetworkReachability`.
//
// Names and shapes only. What a function does is said at the member of `NetworkReachability` that it calls; an error
// that is thrown there is here a false or nil, and `SCError()` tells its code. A pointer that is null is an invalid
// argument (1002), never a trap.

// As Apple's module does: code that imports SystemConfiguration uses their types without importing them.
@_exported public import CoreFoundation
@_exported public import Dispatch
@_exported public import Glibc

/// Any object, so that `text as CFString` compiles here as it does where strings are bridged.
public typealias CFString = AnyObject

/// CoreFoundation's modes as Apple's Swift has them; in Linux's CoreFoundation they are bare strings.
public struct CFRunLoopMode: RawRepresentable, Hashable {
    /// The mode's name, to be handed to the functions that take a mode.
    public let rawValue: CFString

    /// A mode of that name.
    public init(rawValue: CFString) { self.rawValue = rawValue }

    /// A mode of that name.
    public init(_ rawValue: CFString) { self.rawValue = rawValue }

    /// The mode that a run loop is in unless another was asked for.
    public static var defaultMode: CFRunLoopMode { CFRunLoopMode("kCFRunLoopDefaultMode" as CFString) }
    /// All the modes that were declared common, the default mode among them.
    public static var commonModes: CFRunLoopMode { CFRunLoopMode("kCFRunLoopCommonModes" as CFString) }

    /// True if the names are equal, whatever objects hold them.
    public static func == (a: CFRunLoopMode, b: CFRunLoopMode) -> Bool { a.name == b.name }

    /// Hashes the name.
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }

    private var name: String? { rawValue as? String }
}
