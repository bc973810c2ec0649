import CNamespace
import Glibc
import Rtnetlink
import Timing

extension NetworkNamespace {
    /// The kernel's own word on changes from now on, for tests that wait for one.
    final class Changes: @unchecked Sendable {
        // Sound: a test uses it from one thread after `run` has handed it out.
        private var socket: EventSocket

        init(groups: [MulticastGroup]) throws { socket = try EventSocket(groups: groups) }

        /// Waits for a change; false if the time runs out first.
        func wait(within time: Duration = .seconds(10), for holds: (NetworkChange) -> Bool) -> Bool {
            let deadline = Instant.now + time
            while true {
                var isFound = false
                _ = socket.drain { if !isFound && holds($0) { isFound = true } }
                let left = deadline - .now
                guard !isFound, left > .zero else { return isFound }
                var event = pollfd(fd: socket.descriptor, events: Int16(POLLIN), revents: 0)
                unsafe poll(&event, 1, Int32(left / .milliseconds(1)) + 1)  // sound: it reads and writes one pollfd
            }
        }
    }

    func listen(to groups: [MulticastGroup]) throws -> Changes { try run { try Changes(groups: groups) } }

    /// The number of the namespace's thread, by which `ip` names the namespace.
    func threadID() throws -> Int32 { try run { namespace_thread() } }

    /// Moves the far end of a link to another namespace, as a cable to another host, and gives it addresses there.
    func giveFarEnd(of name: String, to other: NetworkNamespace, addresses: String...) throws {
        try ip("link set \(name)p netns \(other.threadID())")
        try other.ip("link set \(name)p up")
        for address in addresses { try other.addAddress(address, to: "\(name)p") }
    }
}
