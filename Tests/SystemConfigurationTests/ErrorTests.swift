import Foundation
import ReachabilityTesting
import Synchronization
import SystemConfiguration
import TargetTesting
import Testing

/// Codes and their texts (configd, SystemConfiguration.fproj/SCD.c).
@Suite struct ErrorTests {
    @Test func aCodeBelongsToItsThreadAndASuccessLeavesIt() {
        let codes = Mutex<[Int32]>([])
        let done = DispatchSemaphore(value: 0)
        let thread = Thread {
            codes.withLock { $0.append(SCError()) }
            _ = SCNetworkReachabilityCreateWithName(nil, "")
            codes.withLock { $0.append(SCError()) }
            _ = SCNetworkReachabilityCreateWithName(nil, "localhost")
            codes.withLock { $0.append(SCError()) }
            let other = Thread {
                codes.withLock { $0.append(SCError()) }
                done.signal()
            }
            other.start()
        }
        thread.start()
        #expect(done.wait(timeout: .now() + 60) == .success)
        #expect(codes.withLock { $0 } == [0, 1002, 1002, 0])
    }

    @Test func whereTheKernelRefusesFlagsAreUnknown() throws {
        let lab = TargetLab()
        let target = try lab.target("198.51.100.1")
        lab.network.refuse(1)
        var flags = SCNetworkReachabilityFlags.isWWAN
        #expect(!SCNetworkReachabilityGetFlags(target, &flags))
        #expect(SCError() == kSCStatusReachabilityUnknown)
        #expect(flags == .isWWAN)
    }

    @Test(
        arguments: [
            (0, "Success!"), (1001, "Failed!"), (1002, "Invalid argument"), (1003, "Permission denied"),
            (1004, "No such key"), (1005, "Key already defined"), (1006, "Lock already held"),
            (1007, "Lock required for this operation"), (2001, "Configuration daemon session not active"),
            (2002, "Configuration daemon not (no longer) available"), (2003, "Notifier is currently active"),
            (3001, "Preference session not active"), (3002, "Preferences update currently in progress"),
            (3003, "Configuration file not found"), (3004, "No such link"),
            (3005, "Write attempted on stale version of object"), (3006, "Maximum link count exceeded"),
            (4001, "Network reachability cannot be determined"),
            (5001, "Network service for connection not available"),
            (5002, "Network connection information not available at this time"), (2, "No such file or directory"),
            (77_777, "Unknown error 77777"), (-5, "Unknown error -5"),
        ] as [(Int32, String)])
    func textOfACode(code: Int32, text: String) {
        #expect(String(cString: SCErrorString(code)) == text)
    }
}
