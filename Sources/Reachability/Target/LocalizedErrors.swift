public import Foundation

// `localizedDescription`, which many programs show, is Foundation's own text unless an error says more.

extension ReachabilityTargetError: LocalizedError {
    /// The description.
    public var errorDescription: String? { description }
}

extension SocketAddressError: LocalizedError {
    /// The description.
    public var errorDescription: String? { description }
}

extension NetworkReachabilityError: LocalizedError {
    /// The description.
    public var errorDescription: String? { description }
}

extension ReachabilityError: LocalizedError {
    /// The description.
    public var errorDescription: String? { description }
}

extension ReachabilityTimeout: LocalizedError {
    /// The description.
    public var errorDescription: String? { description }
}
