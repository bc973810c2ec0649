internal import Foundation
internal import InternetProtocol
internal import NameResolution
internal import Timing

/// Looks names up as this host is configured to: hosts file, localhost, name servers through c-ares.
///
/// A change of the configuration ends the channel and makes another, since a channel keeps what it was made with.
final class ResolverLookups: NameLookups {
    private let onDescriptor: DescriptorHandler
    private let watch: ConfigurationWatch?
    /// Nil where none could be made; it is tried again with each lookup.
    private var channel: NameChannel?
    /// What ended without a channel, to be told when the caller comes back.
    private var failures: [(LookupTicket, (LookupOutcome) -> Void, LookupOutcome)] = []
    private var ids: [LookupTicket: NameChannel.LookupID] = [:]
    private var lastNumber: UInt64 = 0
    private var configuration: ResolverConfiguration
    /// When the configuration is read again that could not be read for want of descriptors or memory.
    private var rereadAt: Instant?

    private static let rereadDelay = Duration.seconds(1)

    init(onDescriptor: @escaping DescriptorHandler) {
        self.onDescriptor = onDescriptor
        watch = try? ConfigurationWatch()
        // Read after the watch began, so that no change comes between.
        configuration = Self.readConfiguration()
        if let watch { onDescriptor(watch.descriptor, true, false) }
    }

    var isConfigurationWatched: Bool { watch?.isComplete ?? false }

    func lookUp(
        _ name: HostName, early: @escaping ([IPAddress]) -> Void, completion: @escaping (LookupOutcome) -> Void
    ) -> LookupTicket {
        lastNumber += 1
        let ticket = LookupTicket(number: lastNumber)
        do {
            // Where changes go unseen, what the files hold is looked at for each lookup.
            if !isConfigurationWatched { dropChannel() }
            let channel = try openChannel()
            ids[ticket] = channel.lookUp(name, early: early) { [weak self] outcome in
                self?.ids[ticket] = nil
                completion(outcome)
            }
        } catch {
            failures.append((ticket, completion, .failed(code: 0, text: "\(error)")))
        }
        return ticket
    }

    private func openChannel() throws -> NameChannel {
        if let channel { return channel }
        configuration = Self.readConfiguration()
        // A host that cannot be read at the moment is not one without servers.
        if let shortage = configuration.shortage { throw shortage }
        let hosts: HostsFile
        do { hosts = try HostsFile.read() } catch {
            if error.isShortage { throw error }
            hosts = HostsFile()
        }
        let made = try NameChannel(configuration, hosts: hosts, onDescriptor: onDescriptor)
        channel = made
        return made
    }

    private static func readConfiguration() -> ResolverConfiguration {
        ResolverConfiguration.read(environment: ProcessInfo.processInfo.environment)
    }

    var nameservers: [Nameserver] { configuration.nameservers }

    private func dropChannel() {
        // Those under way with it would never be told; they are left to it until it is done.
        guard ids.isEmpty else { return }
        channel?.close()
        channel = nil
    }

    func cancel(_ ticket: LookupTicket) {
        if let id = ids.removeValue(forKey: ticket) { channel?.cancel(id) }
        failures.removeAll { $0.0 == ticket }
    }

    func process(_ descriptor: Int32, readable: Bool, writable: Bool, now: Instant) -> Bool {
        guard descriptor == watch?.descriptor else {
            channel?.process(descriptor: descriptor, readable: readable, writable: writable, now: now)
            return false
        }
        guard let changed = watch?.drain(), !changed.isEmpty else { return false }
        close(keepingWatch: true)
        configuration = Self.readConfiguration()
        return true
    }

    func timePassed(now: Instant) -> Bool {
        if let rereadAt, rereadAt <= now {
            self.rereadAt = nil
            configuration = Self.readConfiguration()
            if configuration.shortage == nil {
                close(keepingWatch: true)
                return true
            }
        }
        let due = failures
        failures = []
        for (_, completion, outcome) in due { completion(outcome) }
        channel?.processTimeouts(now: now)
        return false
    }

    func deadline(now: Instant) -> Instant? {
        guard failures.isEmpty else { return now }
        if configuration.shortage != nil, rereadAt == nil { rereadAt = now + Self.rereadDelay }
        return [rereadAt, channel?.deadline(now: now)].compactMap { $0 }.min()
    }

    func close() { close(keepingWatch: false) }

    private func close(keepingWatch: Bool) {
        channel?.close()
        channel = nil
        ids = [:]
        failures = []
        if !keepingWatch, let watch { onDescriptor(watch.descriptor, false, false) }
    }
}
