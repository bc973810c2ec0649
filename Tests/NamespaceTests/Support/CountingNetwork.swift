import InternetProtocol
import NameResolution
import Reachability
import Rtnetlink
import Synchronization

/// The kernel's network, with the lookups counted that are made in it.
final class CountingNetwork: NetworkSource {
    /// How many routes were asked for.
    final class Count: Sendable {
        fileprivate let number = Atomic(0)
        var value: Int { number.load(ordering: .relaxed) }
    }

    private let network: KernelNetwork
    private let count: Count

    init(_ count: Count) throws(SystemCallError) {
        network = try KernelNetwork()
        self.count = count
    }

    func route(_ question: RouteQuestion) -> RouteAnswer {
        count.number.add(1, ordering: .relaxed)
        return network.route(question)
    }

    var snapshot: NetworkSnapshot { network.snapshot }
    func flags(of link: LinkEntry) -> LinkFlags? { network.flags(of: link) }
    func link(_ index: InterfaceIndex) -> LinkEntry? { network.link(index) }
    func localAddresses(of name: HostName) -> [IPAddress]? { network.localAddresses(of: name) }
    func refresh(completely: Bool) { network.refresh(completely: completely) }
    var descriptor: Int32? { network.descriptor }
    func attach(to waker: any Wakeable) { network.attach(to: waker) }
    func drain() -> ChangeBatch { network.drain() }
    func settle() { network.settle() }
    func reread() throws(SystemCallError) { try network.reread() }
    func listen(for destinations: Set<IPAddress>) { network.listen(for: destinations) }
    func setServices(_ services: NetworkServices) { network.setServices(services) }
    var hasDesktopServices: Bool { network.hasDesktopServices }
    func makeNameService(onDescriptor: @escaping DescriptorHandler) -> any NameService {
        network.makeNameService(onDescriptor: onDescriptor)
    }
}
