import Dispatch
import Glibc
package import Reachability
internal import Timing

extension Engine {
    /// Waits until the engine has come round: it tells a newcomer after it has looked at everything else. False if it does
    /// not within a minute.
    package func comesRound() -> Bool {
        let newcomer = Newcomer()
        let subscription = subscribe(newcomer, to: Newcomer.target)
        defer { withExtendedLifetime(subscription) {} }
        return newcomer.told.wait(timeout: .now() + 60) == .success
    }
}

/// Is told last of a round: after all that is known already.
private final class Newcomer: UpdateReceiver {
    static let target = ReachabilityTarget.address(SocketAddress(in_addr(s_addr: UInt32(0x7f00_0001).bigEndian)))
    let told = DispatchSemaphore(value: 0)

    func receive(_ update: Update, now: Instant) -> Instant? {
        told.signal()
        return nil
    }

    func timePassed(now: Instant) -> Instant? { nil }
}
