internal import InternetProtocol
internal import NameResolution
internal import Reachability
internal import Rtnetlink
internal import Synchronization

/// One opening of a scripted network: as each socket to the kernel has, it has a change stream of its own.
final class ScriptedSource: NetworkSource {
    private let network: ScriptedNetwork
    private let stream = Mutex(Stream())

    private struct Stream {
        var pending = ChangeBatch()
        var waker: (any Wakeable)?
    }

    init(_ network: ScriptedNetwork) { self.network = network }

    /// Any thread: changes to be told.
    func add(_ batch: ChangeBatch) {
        let waker = stream.withLock { stream in
            stream.pending.formUnion(batch)
            return stream.waker
        }
        waker?.wake()
    }

    func drain() -> ChangeBatch {
        stream.withLock { stream in
            defer { stream.pending = ChangeBatch() }
            return stream.pending
        }
    }

    var descriptor: Int32? { nil }
    func attach(to waker: any Wakeable) { stream.withLock { $0.waker = waker } }

    var snapshot: NetworkSnapshot { NetworkSnapshot(network.state.withLock { $0.script.view }) }

    func route(_ question: RouteQuestion) -> RouteAnswer {
        let before = network.state.withLock { contents in
            contents.routeLookups += 1
            return contents.beforeLookup
        }
        before?()
        return network.state.withLock { $0.script.answer(question) }
    }

    func flags(of link: LinkEntry) -> LinkFlags? { snapshot.view.links[link.link.index]?.flags }
    func link(_ index: InterfaceIndex) -> LinkEntry? { snapshot.view.links.entry(index) }
    func refresh(completely: Bool) {}
    func settle() {}
    func reread() throws(SystemCallError) {}
    func listen(for destinations: Set<IPAddress>) {}
    /// The script has the modems; the resolver's part comes back from the engine.
    func setServices(_ services: NetworkServices) {
        network.state.withLock { $0.script.view.services.nameservers = services.nameservers }
    }
    var hasDesktopServices: Bool { false }
    func localAddresses(of name: HostName) -> [IPAddress]? { network.localAddresses(of: name) }

    func makeNameService(onDescriptor: @escaping DescriptorHandler) -> any NameService {
        WatchedNames(ScriptedLookups(network))
    }
}

extension ChangeBatch {
    /// Adds what happened later.
    fileprivate mutating func formUnion(_ later: ChangeBatch) {
        destinations += later.destinations
        isAboutEverything = isAboutEverything || later.isAboutEverything
        needsSettling = needsSettling || later.needsSettling
        isOverrun = isOverrun || later.isOverrun
        failure = later.failure ?? failure
        causes.formUnion(later.causes)
    }
}
