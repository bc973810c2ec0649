internal import DesktopServices
internal import Timing

/// The bus that the desktop's daemons are heard on, for as long as the network is one that they speak of.
struct DesktopWatch {
    /// Nil until something is watched on such a network.
    private var bus: DesktopBus?
    /// What the bus said last of when it wants to be called. Kept, since it is not found out in a moment.
    private(set) var deadline: Instant?

    /// Takes what the bus has to tell; nil if that is nothing new. It is not known whether the bus is wanted while there is
    /// no network.
    mutating func process(
        isWanted: Bool?, now: Instant, onDescriptor: @escaping DesktopBus.DescriptorHandler
    ) -> DesktopFacts? {
        defer { deadline = bus?.deadline }
        if isWanted == true, bus == nil {
            // After everybody was told what the kernel says: nothing waits for a daemon.
            let made = DesktopBus(onDescriptor: onDescriptor)
            bus = made
            made.start(now: now)
        }
        // While there is no network the bus is listened to as well: unread, it would keep its thread awake.
        let facts = bus?.process(now: now)
        guard isWanted == false, bus != nil else { return facts }
        close()
        return DesktopFacts()
    }

    /// A link has changed, which may be the first sign of a daemon.
    mutating func nudge(now: Instant) -> DesktopFacts? {
        defer { deadline = bus?.deadline }
        return bus?.nudge(now: now)
    }

    mutating func close() {
        bus?.close()
        bus = nil
        deadline = nil
    }
}
