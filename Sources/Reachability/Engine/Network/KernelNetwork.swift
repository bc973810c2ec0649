internal import CRtnetlink
internal import Glibc
package import InternetProtocol
package import NameResolution
package import Rtnetlink
internal import Synchronization

/// The network as the kernel has it, in the namespace of the thread that made this.
package final class KernelNetwork: NetworkSource {
    private let requests: RequestSocket
    // These three in this order, where one is taken with another held: a refresh drains the events, which go into the tables.
    private let refreshing = Mutex(())
    private let events: Mutex<EventSocket>
    private let tables: Mutex<Tables>
    private let devices: DeviceReader
    private let isDrainedByEngine = Atomic(false)
    private let lastRefresh = Atomic(CoarseTime.now)
    package let descriptor: Int32?

    /// Opens both sockets, subscribes, and only then reads links and addresses.
    package init(
        groups: [MulticastGroup] = MulticastGroup.all, devices: DeviceReader = DeviceReader()
    ) throws(SystemCallError) {
        let socket = try EventSocket(groups: groups)
        descriptor = socket.descriptor
        events = Mutex(socket)
        requests = try RequestSocket()
        tables = Mutex(Tables())
        self.devices = devices
        try reread()
    }

    private struct Tables {
        var view = NetworkView() { didSet { snapshot = nil } }
        var snapshot: NetworkSnapshot?
    }

    package var snapshot: NetworkSnapshot {
        tables.withLock { tables in
            if let snapshot = tables.snapshot { return snapshot }
            let made = NetworkSnapshot(tables.view)
            tables.snapshot = made
            return made
        }
    }

    package func route(_ question: RouteQuestion) -> RouteAnswer { requests.route(question) }

    package func routes(_ first: RouteQuestion, _ second: RouteQuestion) -> (RouteAnswer, RouteAnswer) {
        requests.routes(first, second)
    }

    package func flags(of entry: LinkEntry) -> LinkFlags? {
        if let flags = requests.flags(ofLinkNamed: entry.link.name) { return flags }
        // The name is no more, but the link may be: renamed a moment ago.
        return requests.link(entry.link.index)?.flags
    }

    package func link(_ index: InterfaceIndex) -> LinkEntry? {
        guard var link = requests.link(index)?.apply(to: nil) else { return nil }
        link.device = devices.facts(of: link)
        return LinkEntry(link)
    }

    package func localAddresses(of name: HostName) -> [IPAddress]? { LocalNames.read().addresses(of: name) }

    package func refresh(completely: Bool) {
        guard !isDrainedByEngine.load(ordering: .relaxed) else { return }
        // Reads in a loop would pay a system call each for news of links, which come once a second at most. Of two
        // readers at once either may come first.
        let now = CoarseTime.now
        guard completely || lastRefresh.load(ordering: .relaxed) != now else { return }
        lastRefresh.store(now, ordering: .relaxed)
        // One reader at a time: what one drains must not be undone by what another read before.
        refreshing.withLock { _ in
            let batch = drain()
            if batch.isOverrun || batch.failure != nil { try? reread() }
        }
    }

    package func attach(to waker: any Wakeable) { isDrainedByEngine.store(true, ordering: .relaxed) }

    package func drain() -> ChangeBatch {
        events.withLock { events in
            var batch = ChangeBatch()
            let drain = events.drain { change in
                // Routes are in no table; what was snapped of those stays good.
                batch.add(change, NetworkView.effect(ofRouting: change) ?? apply(change))
            }
            // Only a route that comes is told once it is there. Links that come up, addresses and next hops too are told
            // first and acted on then (dev_open, __inet_insert_ifa, remove_nexthop), so all of them are waited for.
            let isUnderWay = batch.isAboutEverything || (drain.removesRoutes && !batch.destinations.isEmpty)
            batch.needsSettling = batch.needsSettling || isUnderWay
            batch.isOverrun = drain.isOverrun
            batch.failure = drain.failure
            return batch
        }
    }

    /// Applies a change to the tables. sysfs is read before they are locked: live reads do not wait for it.
    private func apply(_ change: NetworkChange) -> NetworkView.Effect {
        var facts: Link.DeviceFacts?
        if case .link(let message) = change {
            let known = tables.withLock { $0.view.links[message.index] }
            if let link = message.apply(to: known), link.isAnotherDevice(than: known) {
                facts = devices.facts(of: link)
            }
        }
        return tables.withLock { $0.view.apply(change) { facts ?? devices.facts(of: $0) } }
    }

    package func settle() { requests.waitForChangesUnderWay() }

    package func reread() throws(SystemCallError) {
        let known = snapshot.view.links
        let links = try requests.links().compactMap { message -> Link? in
            guard var link = message.apply(to: nil) else { return nil }
            // sysfs is asked once for a link; a hundred bridges' ports are not read again after each overrun.
            let old = known[link.index]
            link.device = link.isAnotherDevice(than: old) ? devices.facts(of: link) : old?.device ?? link.device
            return link
        }
        let addresses = AddressTable(try requests.addresses())
        tables.withLock { tables in
            tables.view.links = LinkTable(links)
            tables.view.addresses = addresses
        }
    }

    package func listen(for destinations: Set<IPAddress>) {
        // Where the kernel takes no filter all messages come, and are sorted out here.
        try? events.withLock { events throws(SystemCallError) in
            try events.attach(RouteFilter(destinations: destinations))
        }
    }

    package func makeNameService(onDescriptor: @escaping DescriptorHandler) -> any NameService {
        WatchedNames(ResolverLookups(onDescriptor: onDescriptor))
    }

    package func setServices(_ services: NetworkServices) { tables.withLock { $0.view.services = services } }

    package var hasDesktopServices: Bool { true }
}

/// The time of the kernel's last tick, which costs a tenth of an exact clock.
private enum CoarseTime {
    /// Nanoseconds since an arbitrary moment, in steps of a tick: one to ten milliseconds (CONFIG_HZ).
    static var now: Int64 {
        var time = timespec()
        // Sound: clock_gettime writes one timespec.
        _ = unsafe clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
