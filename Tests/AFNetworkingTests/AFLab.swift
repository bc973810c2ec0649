import AFNetworking
import Foundation
import Reachability
import ReachabilityTesting
import SystemConfiguration
import TargetTesting

/// A scripted network and AFNetworking managers on it, which tell on the main queue.
struct AFLab {
    private let targets: TargetLab
    var network: ScriptedNetwork { targets.network }

    init(online: Bool = true) { targets = TargetLab(online: online) }

    /// A manager as `init(forDomain:)` makes one; the default route without a name.
    func manager(_ domain: String? = nil) -> AFNetworkReachabilityManager {
        AFNetworkReachabilityManager(reachability: target(domain))
    }

    func target(_ domain: String? = nil) -> SCNetworkReachability {
        NetworkReachability(domain.map { .named($0) } ?? .default, engine: targets.engine)
    }

    /// Waits until everything so far has been found out and told.
    func settle() async {
        targets.awaitEngine()
        for _ in 0..<3 { await MainActor.run {} }
        await withCheckedContinuation { continuation in DispatchQueue.main.async { continuation.resume() } }
        await withCheckedContinuation { continuation in DispatchQueue.main.async { continuation.resume() } }
    }

    /// The same on the main thread, which serves the main queue only when it waits.
    func awaitEngine() { targets.awaitEngine() }
}

/// Tells the main queue apart. Under a test runner it is not always the main thread that serves it.
enum MainQueue {
    private static let key: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    static var isCurrent: Bool { DispatchQueue.getSpecific(key: key) ?? false }
}

/// Notifications of AFNetworking, with whoever they are from.
final class NoteLog: @unchecked Sendable {  // the token is written once, before anybody reads it
    let told = Told<Note>()
    private var token: (any NSObjectProtocol)?

    struct Note: Equatable, Sendable {
        let status: Int?
        let sender: ObjectIdentifier?
        let isOnMain: Bool
        let itemCount: Int
    }

    init(of manager: AFNetworkReachabilityManager? = nil) {
        token = NotificationCenter.default.addObserver(
            forName: .AFNetworkingReachabilityDidChange, object: manager, queue: nil
        ) { [told] note in
            let status = note.userInfo?[AFNetworkingReachabilityNotificationStatusItem] as? NSNumber
            let sender = (note.object as? AFNetworkReachabilityManager).map { ObjectIdentifier($0) }
            told.record(
                Note(
                    status: status?.intValue, sender: sender, isOnMain: MainQueue.isCurrent,
                    itemCount: note.userInfo?.count ?? 0))
        }
    }

    deinit { if let token { NotificationCenter.default.removeObserver(token) } }
}
