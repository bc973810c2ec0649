internal import Glibc

/// The socket that listens. It never asks, and belongs to one thread.
package struct EventSocket: ~Copyable {
    private let socket: NetlinkSocket
    private var buffer = [UInt8](repeating: 0, count: 32 * 1024)

    /// Joins the groups. What happens from then on is told, so a first look has to come after this.
    package init(groups: [MulticastGroup]) throws(SystemCallError) {
        let socket = try NetlinkSocket()
        for group in groups {
            // SOL_NETLINK 270 (linux/socket.h), NETLINK_ADD_MEMBERSHIP 1 (linux/netlink.h).
            try socket.set(1, level: 270, to: group.rawValue, named: "NETLINK_ADD_MEMBERSHIP \(group.rawValue)")
        }
        // More room than the default before messages are lost; refused above the host's limit, and then not needed
        // for being right, since losses are noticed and made up for.
        try? socket.set(SO_RCVBUF, level: SOL_SOCKET, to: 1 << 20, named: "SO_RCVBUF")
        self.socket = socket
    }

    package var descriptor: CInt { socket.descriptor }

    /// How an emptying of the socket went.
    package struct Drain: Equatable, Sendable {
        /// The kernel dropped messages: what is known has to be read anew.
        package var isOverrun = false
        /// Routes went, which the kernel tells before it takes them out (net/ipv4/fib_trie.c, fib_table_delete).
        package var removesRoutes = false
        package var failure: SystemCallError?
    }

    /// Empties the socket and hands over what changed, in order.
    ///
    /// An overrun is told once, first, and messages go on being dropped without a word until the socket is empty. So
    /// this reads to the end whatever happens on the way.
    package mutating func drain(_ body: (NetworkChange) -> Void) -> Drain {
        var result = Drain()
        while true {
            switch socket.receive(into: &buffer) {
            case .datagram(let count):
                let datagram = unsafe buffer.span.bytes  // sound: bytes have no padding to leave unset
                let isWhole = forEachMessage(in: datagram.extracting(datagram.clamp(0, count))) { header, payload in
                    if header.type == .deleteRoute { result.removesRoutes = true }
                    if let change = NetworkChange(header.type, payload) { body(change) }
                }
                if !isWhole { result.isOverrun = true }
            case .cut(let length):
                // A link that large will be told of again.
                buffer = [UInt8](repeating: 0, count: length)
                result.isOverrun = true
            case .discarded, .overrun: result.isOverrun = true
            case .empty: return result
            case .failed(let error):
                result.failure = error
                return result
            }
        }
    }

    /// Has the kernel drop route messages that the filter turns away.
    package func attach(_ filter: RouteFilter) throws(SystemCallError) {
        try socket.attach(filter.program)
    }
}
