internal import CAres
internal import Glibc
internal import InternetProtocol

/// The sockets of a channel of c-ares before 1.20, for servers with link-local addresses (`nameserver fe80::1%eth0`): those
/// versions lose the scope, and without it the kernel connects to no link-local address. It is put back here. One thread.
///
/// Safe to use: the one pointer it holds is its own.
@safe final class ScopedSockets {
    private let scopes: [IPAddress: Nameserver]
    /// c-ares keeps the pointer and not the content, so the table lives until the channel is destroyed.
    private var functions: UnsafeMutablePointer<ares_socket_functions>?

    /// Nil if no server needs it: then c-ares' own sockets are used.
    init?(_ servers: [Nameserver]) {
        let scoped = servers.filter { $0.scope != nil && $0.address.isLinkLocal }
        guard !scoped.isEmpty else { return nil }
        scopes = Dictionary(scoped.map { ($0.address, $0) }) { first, _ in first }
    }

    /// Sound: the channel is given this object unretained, and its owner keeps both and destroys the channel first.
    func install(on channel: ares_channel) {
        let table = UnsafeMutablePointer<ares_socket_functions>.allocate(capacity: 1)
        unsafe table.initialize(
            to: ares_socket_functions(
                asocket: Self.open, aclose: Self.close, aconnect: Self.connect, arecvfrom: Self.receive,
                asendv: Self.send))
        unsafe functions = table
        unsafe ares_set_socket_functions(channel, table, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Frees the table. Only after the channel is destroyed.
    func release() {
        unsafe functions?.deallocate()
        unsafe functions = nil
    }

    // MARK: C. c-ares reads errno after each of these, as after the system call itself.

    /// c-ares leaves it to us to make the socket non-blocking, and to keep it from child processes.
    private static let open: @convention(c) (CInt, CInt, CInt, UnsafeMutableRawPointer?) -> CInt = {
        family, type, number, _ in
        socket(family, type | CInt(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), number)
    }

    private static let close: @convention(c) (CInt, UnsafeMutableRawPointer?) -> CInt = { descriptor, _ in
        Glibc.close(descriptor)
    }

    /// Sound: the address is read only as far as its length says, and written to a copy.
    private static let connect:
        @convention(c) (CInt, UnsafePointer<sockaddr>?, ares_socklen_t, UnsafeMutableRawPointer?) -> CInt = {
            descriptor, address, length, data in
            var target = sockaddr_in6()
            guard let address = unsafe address, let data = unsafe data, unsafe address.pointee.sa_family == AF_INET6,
                Int(length) == MemoryLayout.size(ofValue: target)
            else { return unsafe Glibc.connect(descriptor, address, length) }
            let sockets = unsafe Unmanaged<ScopedSockets>.fromOpaque(data).takeUnretainedValue()
            target = unsafe UnsafeRawPointer(address).loadUnaligned(as: sockaddr_in6.self)
            let server = sockets.scopes[IPAddress(target.sin6_addr)]
            target.sin6_scope_id = server?.interfaceIndex ?? target.sin6_scope_id
            return unsafe withUnsafeBytes(of: target) {
                unsafe Glibc.connect(descriptor, $0.baseAddress?.assumingMemoryBound(to: sockaddr.self), length)
            }
        }

    private static let receive:
        @convention(c) (
            CInt, UnsafeMutableRawPointer?, Int, CInt, UnsafeMutablePointer<sockaddr>?,
            UnsafeMutablePointer<ares_socklen_t>?, UnsafeMutableRawPointer?
        ) -> ares_ssize_t = { descriptor, buffer, size, flags, address, length, _ in
            unsafe recvfrom(descriptor, buffer, size, flags, address, length)
        }

    private static let send:
        @convention(c) (CInt, UnsafePointer<iovec>?, CInt, UnsafeMutableRawPointer?) -> ares_ssize_t = {
            descriptor, parts, count, _ in
            unsafe writev(descriptor, parts, count)
        }
}
