internal import DesktopServices
package import Dispatch
internal import Synchronization
internal import Timing

/// Watches the modems that ModemManager knows: which there are, their radio technology, and which of them carries
/// the data. Any thread. Nothing is known until the daemon has answered, and nothing once it has gone.
public final class CellularMonitor: Sendable {
    /// One modem.
    public struct Radio: Hashable, Sendable {
        /// What ModemManager calls it: stays the same while the modem is there.
        public let service: String
        /// The names of its network interfaces.
        public let interfaces: [String]
        /// The technology in the words of CoreTelephony's constants, such as `LTE`, `NRNSA`, `WCDMA`; nil if it is none
        /// of them, or not known.
        public let technology: String?
        /// 2, 3, 4 or 5; nil if it is not known.
        public let generation: Int?
    }

    /// What is known of the modems at one moment.
    public struct Radios: Hashable, Sendable {
        /// All of them, by service.
        public let all: [Radio]
        /// The service that carries data: that of the interface that packets leave by, else the only one there is.
        public let dataService: String?
    }

    private let engine: Engine
    private let queue: DispatchQueue
    private let handler: @Sendable (_ old: Radios, _ new: Radios) -> Void
    private let state = Mutex(State())

    private struct State {
        var radios = Radios(all: [], dataService: nil)
        var subscription: Engine.Subscription?
    }

    /// Watches from now until it is let go. `handler` is called for each change, in order, on a queue of the monitor's own.
    public convenience init(_ handler: @escaping @Sendable (_ old: Radios, _ new: Radios) -> Void) {
        self.init(handler, queue: DispatchQueue(label: "CellularMonitor"), engine: .shared)
    }

    package init(
        _ handler: @escaping @Sendable (_ old: Radios, _ new: Radios) -> Void, queue: DispatchQueue, engine: Engine
    ) {
        self.handler = handler
        self.queue = queue
        self.engine = engine
        let subscription = engine.subscribe(Receiver(self), to: .path)
        state.withLock { $0.subscription = subscription }
    }

    /// What is known now.
    public var radios: Radios { state.withLock { $0.radios } }

    private final class Receiver: UpdateReceiver {
        private weak let monitor: CellularMonitor?

        init(_ monitor: CellularMonitor) { self.monitor = monitor }

        func receive(_ update: Update, now: Instant) -> Instant? {
            monitor?.take(Radios(update.report))
            return nil
        }
    }

    private func take(_ new: Radios) {
        let old = state.withLock { state in
            defer { state.radios = new }
            return state.radios
        }
        // Not by the courier: each change is told, and one that is held back to the end of a turn may come after the next.
        if old != new { queue.async { [handler] in handler(old, new) } }
    }
}

extension CellularMonitor.Radios {
    fileprivate init(_ report: Report) {
        let radios = report.path?.radios ?? []
        all = radios.map { CellularMonitor.Radio($0) }.sorted { $0.service < $1.service }
        let carriers = [report.interface, report.underlying].compactMap { $0?.name }
        let carrier = radios.first { radio in carriers.contains { radio.interfaces.contains($0) } }
        dataService = carrier?.service ?? (radios.count == 1 ? radios.first?.service : nil)
    }
}

extension CellularMonitor.Radio {
    fileprivate init(_ radio: NetworkServices.Radio) {
        service = radio.service
        interfaces = radio.interfaces.sorted()
        technology = radio.technologies.radioAccessTechnologySuffix
        generation = radio.technologies.generation.map { Int($0.rawValue) }
    }
}
