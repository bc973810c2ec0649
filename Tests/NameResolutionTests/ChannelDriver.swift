import Glibc
import Testing
import Timing

@testable import NameResolution

/// The engine's part for one channel: a poll set and a deadline.
final class ChannelDriver {
    private(set) var channel: NameChannel?
    /// What the channel wants to be waited for, checked call by call.
    private(set) var descriptors: [CInt: Int16] = [:]
    /// How often it was woken.
    private(set) var wakeUps = 0
    /// Called after the descriptors are noted.
    var onDescriptor: () -> Void = {}

    init(_ configuration: ResolverConfiguration, hosts: HostsFile = HostsFile()) throws {
        channel = try NameChannel(configuration, hosts: hosts) { [unowned self] descriptor, readable, writable in
            // Open still, also when it is to be forgotten.
            #expect(fcntl(descriptor, F_GETFD) >= 0)
            if readable || writable {
                descriptors[descriptor] = Int16(readable ? POLLIN : 0) | Int16(writable ? POLLOUT : 0)
            } else {
                #expect(descriptors.removeValue(forKey: descriptor) != nil)
            }
            onDescriptor()
        }
    }

    /// A channel to servers on 127.0.0.1.
    convenience init(
        ports: [UInt16], timeout: Duration = .seconds(5), attempts: Int = 2, hosts: HostsFile = HostsFile()
    ) throws {
        try self.init(.to(ports, timeout: timeout, attempts: attempts), hosts: hosts)
    }

    /// Lets the channel go, as its owner does.
    func drop() {
        channel = nil
    }

    /// Waits as the engine does until something holds; false if it did not within the time.
    @discardableResult
    func run(until isDone: () -> Bool, limit: Duration = .seconds(60)) -> Bool {
        let end = Instant.now + limit
        while !isDone() {
            guard let channel, Instant.now < end else { return false }
            let now = Instant.now
            let deadline = min(channel.deadline(now: now) ?? end, end)
            var polled = descriptors.map { pollfd(fd: $0.key, events: $0.value, revents: 0) }
            // Rounded up: a millisecond early would be a turn for nothing.
            let wait = CInt((max(now.duration(to: deadline), .zero) / .milliseconds(1)).rounded(.up))
            _ = unsafe poll(&polled, nfds_t(polled.count), wait)
            wakeUps += 1
            for entry in polled where entry.revents != 0 {
                channel.process(
                    descriptor: entry.fd, readable: entry.revents & ~Int16(POLLOUT) != 0,
                    writable: entry.revents & Int16(POLLOUT) != 0, now: .now)
            }
            if let due = channel.deadline(now: .now), due <= .now { channel.processTimeouts(now: .now) }
        }
        return true
    }

    /// The outcome of looking up a name.
    func outcome(of name: String) throws -> LookupOutcome? {
        var result: LookupOutcome?
        try channel?.lookUp(HostName(name)) { result = $0 }
        #expect(result == nil, "told from inside lookUp")
        run(until: { result != nil })
        return result
    }
}

extension ResolverConfiguration {
    /// Servers on 127.0.0.1 at these ports.
    static func to(_ ports: [UInt16], timeout: Duration = .seconds(5), attempts: Int = 2) -> ResolverConfiguration {
        var configuration = ResolverConfiguration()
        configuration.nameservers = ports.compactMap { Nameserver("127.0.0.1", port: $0) }
        configuration.timeout = timeout
        configuration.attempts = attempts
        return configuration
    }
}
