package import InternetProtocol
package import NameResolution
package import Rtnetlink

/// Where questions are answered and changes come from: the kernel, or a scripted network.
///
/// What is marked so is called from any thread; the rest from the engine's thread alone.
package protocol NetworkSource: AnyObject, Sendable {
    /// Any thread: what is known of links and addresses.
    var snapshot: NetworkSnapshot { get }
    /// Any thread: asks for a route.
    func route(_ question: RouteQuestion) -> RouteAnswer
    /// Any thread: asks for two routes at once.
    func routes(_ first: RouteQuestion, _ second: RouteQuestion) -> (RouteAnswer, RouteAnswer)
    /// Any thread: a link's flags at this moment; nil if it is gone.
    func flags(of link: LinkEntry) -> LinkFlags?
    /// Any thread: a link that the view may not know yet.
    func link(_ index: InterfaceIndex) -> LinkEntry?
    /// Any thread: the addresses of a name that needs no server, none if it does not exist; nil if it needs one. May read
    /// the hosts file and nsswitch.conf(5).
    func localAddresses(of name: HostName) -> [IPAddress]?
    /// Any thread: brings the view up to date where no engine does, before a live read. Unless links and addresses
    /// themselves matter to the read, names and kinds of links may be as old as a tick of the kernel's clock.
    func refresh(completely: Bool)

    /// What becomes readable when there are changes; nil if the source wakes the engine by itself.
    var descriptor: Int32? { get }
    /// Tells whom to wake; for sources without a descriptor.
    func attach(to waker: any Wakeable)
    /// Empties the change stream and applies it to the view.
    func drain() -> ChangeBatch
    /// Waits until changes under way have been carried out.
    func settle()
    /// Reads links and addresses anew.
    func reread() throws(SystemCallError)
    /// Tells of which destinations route changes matter; others may be kept back.
    func listen(for destinations: Set<IPAddress>)
    /// Records what others than the kernel say, for the view.
    func setServices(_ services: NetworkServices)
    /// True if the desktop's daemons are to be asked about this network.
    var hasDesktopServices: Bool { get }
    /// A service for the names of this network. `onDescriptor` is told which descriptors the loop has to watch for it.
    func makeNameService(onDescriptor: @escaping DescriptorHandler) -> any NameService
}

extension NetworkSource {
    package func routes(_ first: RouteQuestion, _ second: RouteQuestion) -> (RouteAnswer, RouteAnswer) {
        (route(first), route(second))
    }
}

/// Somebody who sleeps. Any thread may wake it; it then looks at all its sources.
package protocol Wakeable: AnyObject, Sendable {
    func wake()
}

/// Has a descriptor watched for reading and writing, or forgotten where both are false.
package typealias DescriptorHandler = (_ descriptor: Int32, _ readable: Bool, _ writable: Bool) -> Void
