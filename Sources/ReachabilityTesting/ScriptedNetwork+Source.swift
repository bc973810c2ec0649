package import InternetProtocol
package import NameResolution
package import Reachability
package import Rtnetlink
internal import Synchronization

extension ScriptedNetwork: NetworkSource {
    package var snapshot: NetworkSnapshot { NetworkSnapshot(state.withLock { $0.script.view }) }

    package func route(_ question: RouteQuestion) -> RouteAnswer {
        let before = state.withLock { contents in
            contents.routeLookups += 1
            return contents.beforeLookup
        }
        before?()
        return state.withLock { $0.script.answer(question) }
    }

    package func flags(of link: LinkEntry) -> LinkFlags? { snapshot.view.links[link.link.index]?.flags }
    package func link(_ index: InterfaceIndex) -> LinkEntry? { snapshot.view.links.entry(index) }
    package func refresh(completely: Bool) {}

    package var descriptor: Int32? { nil }

    package func attach(to waker: any Wakeable) { state.withLock { $0.waker = waker } }

    package func drain() -> ChangeBatch {
        state.withLock { contents in
            defer { contents.pending = ChangeBatch() }
            return contents.pending
        }
    }

    package func settle() {}
    package func reread() throws(SystemCallError) {}
    package func listen(for destinations: Set<IPAddress>) {}
    /// The script has the modems; the resolver's part comes back from the engine.
    package func setServices(_ services: NetworkServices) {
        state.withLock { $0.script.view.services.nameservers = services.nameservers }
    }

    package var hasDesktopServices: Bool { false }

    package func localAddresses(of name: HostName) -> [IPAddress]? {
        if case .hostsFile(let texts)? = state.withLock({ $0.names[name.text] }) {
            return texts.compactMap { IPAddress($0) }
        }
        return LocalNames.addresses(of: name, hostsPath: nil)
    }

    package func makeNameService(onDescriptor: @escaping DescriptorHandler) -> any NameService {
        WatchedNames(ScriptedLookups(self))
    }
}
