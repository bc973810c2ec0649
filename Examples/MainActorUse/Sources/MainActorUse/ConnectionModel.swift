import Foundation
import Observation
import Reachability

/// An application's model of its connection: all of it on the main actor, as a user interface wants it.
@MainActor @Observable
final class ConnectionModel {
    private(set) var status = ReachabilityStatus.unknown
    private(set) var interface: String?
    private(set) var reason: ReachabilityReason?
    private(set) var log: [String] = []

    /// Retries what failed while there was no connection.
    @ObservationIgnored var whenBack: () -> Void = {}

    @ObservationIgnored private let manager: ReachabilityManager
    @ObservationIgnored private var observation: ReachabilityObservation?
    @ObservationIgnored private var notification: (any NSObjectProtocol)?
    @ObservationIgnored private var reader: Task<Void, Never>?

    init(_ manager: ReachabilityManager = .shared) {
        self.manager = manager
    }

    /// Listens in every way there is. An application needs one.
    func start() {
        // The delivery queue is the main queue, so these run on the main actor.
        manager.setReachabilityStatusChangeBlock { [weak self] status in
            MainActor.assumeIsolated { self?.statusChanged(status) }
        }
        observation = manager.observe { [weak self] change in
            MainActor.assumeIsolated { self?.changed(change) }
        }
        notification = NotificationCenter.default.addObserver(
            forName: .reachabilityDidChange, object: manager, queue: nil
        ) { [weak self] note in
            let status = note.userInfo?[ReachabilityManager.statusUserInfoKey] as? Int
            let previous = note.userInfo?[ReachabilityManager.previousStatusUserInfoKey] as? Int
            MainActor.assumeIsolated { self?.log.append("\(previous ?? -1) -> \(status ?? -1)") }
        }
        reader = Task { [weak self, manager] in
            for await change in manager.changes { self?.interface = change.path.availableInterfaces.first?.name }
        }
        track()
        manager.startMonitoring()
    }

    func stop() {
        // First what listens: a manager that is stopped under the eyes of an observer is a hint to the developer.
        manager.setReachabilityStatusChangeBlock(nil)
        observation?.cancel()
        observation = nil
        reader?.cancel()
        manager.stopMonitoring()
        if let notification { NotificationCenter.default.removeObserver(notification) }
    }

    private func statusChanged(_ new: ReachabilityStatus) {
        let wasUnreachable = status.isKnownToBeUnreachable
        status = new
        if wasUnreachable && new.isReachable { whenBack() }
    }

    private func changed(_ change: ReachabilityChange) {
        reason = change.reason
        let path = change.path
        let words = [
            "\(change.old) -> \(change.new)", "\(change.flags)", change.isStatusChange ? "status" : "path",
            path.gateways.map(\.description).joined(separator: ","), path.causes.joined(separator: ","),
            path.isExpensive ? "expensive" : "", path.usesInterfaceType(.wifi) ? "Wi-Fi" : "",
            path.underlyingInterface?.name ?? "", "\(path.generation)",
        ]
        log.append(words.filter { !$0.isEmpty }.joined(separator: " "))
    }

    /// Observation, for who does not want SwiftUI or the like to do it.
    private func track() {
        withObservationTracking {
            _ = manager.status
        } onChange: { [weak self] in
            Task { @MainActor in self?.track() }
        }
    }

    /// What can be asked at any time.
    func describe() -> String {
        let answers = [
            "\(manager.target) \(manager.target.kind) \(manager.queue.label) \(manager.isMonitoring)",
            "\(manager.status.rawValue) \(manager.localizedStatusString)",
            "\(manager.isReachable) \(manager.isReachableViaWWAN) \(manager.isReachableViaWiFi)",
            manager.debugDescription,
        ]
        return answers.joined(separator: "\n")
    }

    /// A live read; nil while nothing is known of a name.
    func flagsNow() -> ReachabilityFlags? {
        do { return try manager.currentFlags() } catch {
            log.append("\(error.reason): \(error.description)")
            return nil
        }
    }

    /// Waits until it is worth trying again.
    func waitForConnection() async -> Bool {
        do {
            _ = try await manager.firstKnownStatus(timeout: .seconds(1))
            return try await manager.waitUntilReachable(timeout: .seconds(1)).isReachable
        } catch let error as ReachabilityTimeout {
            log.append("\(error) \(error.timeout)")
            return false
        } catch {
            return false
        }
    }

    /// The first status of the sequence, which is the current one.
    func firstStatus() async -> ReachabilityStatus? {
        for await status in manager.statuses { return status }
        return nil
    }
}
