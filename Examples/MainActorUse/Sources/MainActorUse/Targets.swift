import Foundation
import Glibc
import Reachability

/// Managers of every kind of target, made on the main actor.
@MainActor
enum Targets {
    static func managers() throws -> [ReachabilityManager] {
        var v4 = in_addr()
        v4.s_addr = UInt32(0x7f00_0001).bigEndian
        let address = SocketAddress(v4, port: 80)
        let url = URL(string: "https://localhost:8443/status")
        var managers = [
            ReachabilityManager(),
            ReachabilityManager.sharedManager(),
            ReachabilityManager(
                target: .default, queue: .main, notificationCenter: .default, settleInterval: .milliseconds(200),
                announcesInitialStatus: false, requiresUnderlyingPath: true),
            ReachabilityManager(address: address),
            ReachabilityManager(target: .address(SocketAddress(in6addr_loopback))),
            ReachabilityManager(target: try .pair(local: nil, remote: address)),
            ReachabilityManager(target: .default.requiring(interface: "lo")),
            ReachabilityManager(target: try ReachabilityTarget(parsing: "127.0.0.1")),
            try ReachabilityManager(domain: "localhost"),
        ]
        managers.append(try address.withSockaddr { try ReachabilityManager(sockaddr: $0, length: $1) })
        if let url { managers.append(try ReachabilityManager(url: url)) }
        return managers
    }

    /// What is wrong with a target is an error that says so.
    static func complaint(about text: String) -> String {
        do {
            return "\(try ReachabilityTarget.domain(text))"
        } catch {
            switch error.problem {
            case .emptyPair, .mixedPair, .name, .address, .urlWithoutHost: return error.description
            }
        }
    }
}
