public import Dispatch
public import Foundation

extension ReachabilityManager {
    /// A manager of a host name, or of an address if the text is one in any form.
    ///
    /// - Throws: `ReachabilityTargetError` if the text is no host name: empty, a URL, with a port, with a label over 63 bytes.
    public convenience init(
        domain: String, queue: DispatchQueue = .main, notificationCenter: NotificationCenter = .default,
        settleInterval: Duration = .zero, announcesInitialStatus: Bool = true, requiresUnderlyingPath: Bool = false
    ) throws(ReachabilityTargetError) {
        self.init(
            target: try .domain(domain), queue: queue, notificationCenter: notificationCenter,
            settleInterval: settleInterval, announcesInitialStatus: announcesInitialStatus,
            requiresUnderlyingPath: requiresUnderlyingPath)
    }

    /// A manager of an address. `0.0.0.0` and `::` stand for the default route.
    public convenience init(
        address: SocketAddress, queue: DispatchQueue = .main, notificationCenter: NotificationCenter = .default,
        settleInterval: Duration = .zero, announcesInitialStatus: Bool = true, requiresUnderlyingPath: Bool = false
    ) {
        self.init(
            target: .address(address), queue: queue, notificationCenter: notificationCenter,
            settleInterval: settleInterval, announcesInitialStatus: announcesInitialStatus,
            requiresUnderlyingPath: requiresUnderlyingPath)
    }

    /// A manager of the address that a `sockaddr` of `length` bytes holds; it is read during the call only.
    ///
    /// - Throws: `SocketAddressError` for another family than IPv4 and IPv6, or a length that cannot be.
    public convenience init(
        sockaddr: UnsafePointer<sockaddr>, length: socklen_t, queue: DispatchQueue = .main,
        notificationCenter: NotificationCenter = .default, settleInterval: Duration = .zero,
        announcesInitialStatus: Bool = true, requiresUnderlyingPath: Bool = false
    ) throws(SocketAddressError) {
        self.init(
            target: .address(try unsafe SocketAddress(sockaddr, length: length)), queue: queue,
            notificationCenter: notificationCenter, settleInterval: settleInterval,
            announcesInitialStatus: announcesInitialStatus, requiresUnderlyingPath: requiresUnderlyingPath)
    }

    /// A manager of a URL's host. Nothing else of the URL matters: reachability knows no ports and no paths.
    ///
    /// - Throws: `ReachabilityTargetError` if the URL has no host, or one that is neither name nor address.
    public convenience init(
        url: URL, queue: DispatchQueue = .main, notificationCenter: NotificationCenter = .default,
        settleInterval: Duration = .zero, announcesInitialStatus: Bool = true, requiresUnderlyingPath: Bool = false
    ) throws(ReachabilityTargetError) {
        guard let host = url.host(percentEncoded: false), !host.isEmpty else {
            throw ReachabilityTargetError(.urlWithoutHost(url.absoluteString))
        }
        try self.init(
            domain: host, queue: queue, notificationCenter: notificationCenter, settleInterval: settleInterval,
            announcesInitialStatus: announcesInitialStatus, requiresUnderlyingPath: requiresUnderlyingPath)
    }
}
