import LinuxReachability
import Reachability

let other = Reachability()
let manager = try ReachabilityManager(domain: "localhost", queue: .global())
let status = try await manager.firstKnownStatus(timeout: .seconds(5))
print("the other package says \(other.connection), this one \(status)")
