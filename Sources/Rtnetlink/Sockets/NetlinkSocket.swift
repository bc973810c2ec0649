internal import CRtnetlink
internal import Glibc

/// A NETLINK_ROUTE socket, and the only place that hands memory to its system calls.
///
/// It belongs to the network namespace of the thread that opened it, and closes with its owner.
struct NetlinkSocket: ~Copyable, Sendable {
    let descriptor: CInt

    init() throws(SystemCallError) {
        descriptor = socket(AF_NETLINK, Int32(SOCK_RAW.rawValue) | Int32(SOCK_CLOEXEC.rawValue), NETLINK_ROUTE)
        guard descriptor >= 0 else { throw SystemCallError("socket(AF_NETLINK)") }
        var address = sockaddr_nl()
        address.nl_family = sa_family_t(AF_NETLINK)
        let length = socklen_t(MemoryLayout<sockaddr_nl>.size)
        // Sound: both calls read a sockaddr_nl of the length they are told, which lives through the call.
        let failure = unsafe withUnsafePointer(to: address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address -> SystemCallError? in
                if unsafe bind(descriptor, address, length) != 0 { return SystemCallError("bind(AF_NETLINK)") }
                // Connected to port 0, the kernel: it refuses what other processes would send us.
                if unsafe connect(descriptor, address, length) != 0 { return SystemCallError("connect(AF_NETLINK)") }
                return nil
            }
        }
        if let failure {
            close(descriptor)
            throw failure
        }
    }

    deinit { close(descriptor) }

    /// What a receive brought.
    enum Reception {
        /// So many bytes of a datagram from the kernel.
        case datagram(Int)
        /// A datagram that is to be left alone, since it is not from the kernel.
        case discarded
        /// A datagram of so many bytes, which were more than there was room for: its end is lost.
        case cut(Int)
        /// The socket's queue is empty.
        case empty
        /// The kernel dropped messages since the last receive (ENOBUFS).
        case overrun
        case failed(SystemCallError)
    }

    /// Takes one datagram that was sent to this socket alone, without waiting.
    ///
    /// Who sent it is not looked at: the socket is connected to the kernel, which lets nobody else send to it. That
    /// does not hold for what is sent to a group.
    func receiveAnswer(into buffer: inout [UInt8]) -> Reception {
        while true {
            let capacity = buffer.count
            // Sound: recv writes at most the buffer's own count of bytes; with MSG_TRUNC it returns the datagram's true
            // length, which is compared below.
            let count = unsafe buffer.withUnsafeMutableBytes { bytes in
                unsafe recv(descriptor, bytes.baseAddress, capacity, Int32(MSG_DONTWAIT) | Int32(MSG_TRUNC))
            }
            if count >= 0 { return count <= capacity ? .datagram(count) : .cut(count) }
            if errno != EINTR { return Self.failure(errno) }
        }
    }

    private static func failure(_ code: Int32) -> Reception {
        switch code {
        case EAGAIN: .empty
        case ENOBUFS: .overrun
        default: .failed(SystemCallError("recv(AF_NETLINK)", code: code))
        }
    }

    /// Takes one datagram of a group, without waiting; the kernel's are the only ones believed.
    func receive(into buffer: inout [UInt8]) -> Reception {
        while true {
            var sender = sockaddr_nl()
            var length = socklen_t(MemoryLayout<sockaddr_nl>.size)
            let capacity = buffer.count
            // Sound: recvfrom writes at most the buffer's own count of bytes and the sockaddr_nl it is given; with
            // MSG_TRUNC it returns the datagram's true length, which is compared below.
            let count = unsafe buffer.withUnsafeMutableBytes { bytes in
                unsafe withUnsafeMutablePointer(to: &sender) { pointer in
                    unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                        unsafe recvfrom(
                            descriptor, bytes.baseAddress, capacity, Int32(MSG_DONTWAIT) | Int32(MSG_TRUNC),
                            address, &length)
                    }
                }
            }
            if count >= 0 && sender.nl_pid != 0 { return .discarded }
            if count >= 0 { return count <= capacity ? .datagram(count) : .cut(count) }
            if errno != EINTR { return Self.failure(errno) }
        }
    }

    /// Sends what was written to the kernel, which handles it before this returns.
    func send(_ request: borrowing RequestWriter) throws(SystemCallError) {
        let count = request.count
        // Sound: send reads no more bytes than the writer has.
        while unsafe request.bytes.span.withUnsafeBytes({ unsafe Glibc.send(descriptor, $0.baseAddress, count, 0) }) < 0
        {
            guard errno == EINTR else { throw SystemCallError("send(AF_NETLINK)") }
        }
    }

    /// Sets an integer option of the socket.
    func set(_ option: Int32, level: Int32, to value: Int32, named name: String) throws(SystemCallError) {
        // Sound: the option's value is the four bytes of `value`.
        let result = unsafe withUnsafeBytes(of: value) { bytes in
            unsafe setsockopt(descriptor, level, option, bytes.baseAddress, socklen_t(bytes.count))
        }
        guard result == 0 else { throw SystemCallError("setsockopt(\(name))") }
    }

    /// Makes the kernel drop messages that the program rejects, before they take room in the queue.
    func attach(_ program: [sock_filter]) throws(SystemCallError) {
        var program = program
        let count = UInt16(clamping: program.count)
        // Sound: the kernel copies the program during the call; the pointer does not outlive it.
        let result = unsafe program.withUnsafeMutableBufferPointer { instructions in
            var header = unsafe sock_fprog(len: count, filter: instructions.baseAddress)
            return unsafe setsockopt(
                descriptor, SOL_SOCKET, SO_ATTACH_FILTER, &header, socklen_t(MemoryLayout<sock_fprog>.size))
        }
        guard result == 0 else { throw SystemCallError("setsockopt(SO_ATTACH_FILTER)") }
    }

    /// The flags of a link at this moment (SIOCGIFFLAGS: a fifth of the cost of a route lookup); nil if no link has
    /// the name.
    func flags(ofLinkNamed name: String) -> LinkFlags? {
        var request = unsafe ifreq()
        // Sound: the name is copied into its own field, shorter than the field so that a zero remains at the end. Swift's
        // own strings are contiguous; with one that were not, no link would have the empty name.
        _ = unsafe name.utf8.withContiguousStorageIfAvailable { text in
            unsafe withUnsafeMutableBytes(of: &request.ifr_ifrn.ifrn_name) { field in
                let room = unsafe UnsafeRawBufferPointer(text).prefix(field.count - 1)
                unsafe field.copyMemory(from: UnsafeRawBufferPointer(rebasing: room))
            }
        }
        // Sound: SIOCGIFFLAGS reads and writes one ifreq.
        guard unsafe ioctl(descriptor, UInt(SIOCGIFFLAGS), &request) == 0 else { return nil }
        return unsafe LinkFlags(rawValue: UInt32(UInt16(bitPattern: request.ifr_ifru.ifru_flags)))
    }

    /// Waits until a change that is under way in the kernel has been carried out in full.
    ///
    /// SIOCGIFCONF takes the kernel's RTNL lock, under which links and addresses change and their routes are flushed.
    func waitForChangesUnderWay() {
        var request = unsafe ifconf()
        unsafe request.ifc_len = 0  // with no buffer the kernel only counts
        // Sound: SIOCGIFCONF reads and writes one ifconf, and no buffer since there is none.
        _ = unsafe ioctl(descriptor, UInt(SIOCGIFCONF), &request)
    }
}
