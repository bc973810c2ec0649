import Reachability
import SystemConfiguration
import TargetTesting
import Testing

/// Names and numbers that code for Apple's systems is written against.
@Suite struct ShapeTests {
    @Test func flagsHaveApplesNumbersUnderAllTheirNames() {
        let all: [(SCNetworkReachabilityFlags, SCNetworkReachabilityFlags, UInt32)] = [
            (.transientConnection, kSCNetworkReachabilityFlagsTransientConnection, 1 << 0),
            (.reachable, kSCNetworkReachabilityFlagsReachable, 1 << 1),
            (.connectionRequired, kSCNetworkReachabilityFlagsConnectionRequired, 1 << 2),
            (.connectionOnTraffic, kSCNetworkReachabilityFlagsConnectionOnTraffic, 1 << 3),
            (.connectionAutomatic, kSCNetworkReachabilityFlagsConnectionAutomatic, 1 << 3),
            (.interventionRequired, kSCNetworkReachabilityFlagsInterventionRequired, 1 << 4),
            (.connectionOnDemand, kSCNetworkReachabilityFlagsConnectionOnDemand, 1 << 5),
            (.isLocalAddress, kSCNetworkReachabilityFlagsIsLocalAddress, 1 << 16),
            (.isDirect, kSCNetworkReachabilityFlagsIsDirect, 1 << 17),
            (.isWWAN, kSCNetworkReachabilityFlagsIsWWAN, 1 << 18),
        ]
        for (swift, c, number) in all {
            #expect(swift == c)
            #expect(swift.rawValue == number)
        }
        #expect(SCNetworkReachabilityFlags(rawValue: 0x8000_0002).contains(.reachable))
    }

    @Test func lengthFieldsCanBeSetAndSayTheFamilysLength() {
        var v4 = sockaddr_in()
        v4.sin_len = 1
        #expect(v4.sin_len == 16)
        var v6 = sockaddr_in6()
        v6.sin6_len = 1
        #expect(v6.sin6_len == 28)
        var any = sockaddr()
        any.sa_family = sa_family_t(AF_INET)
        any.sa_len = UInt8(MemoryLayout<sockaddr>.size)
        #expect(any.sa_len == 16)
        any.sa_family = sa_family_t(AF_UNIX)
        #expect(any.sa_len == 0)
        var storage = sockaddr_storage()
        storage.ss_family = sa_family_t(AF_INET6)
        storage.ss_len = 1
        #expect(storage.ss_len == 28)
    }

    @Test func runLoopModesHaveNames() {
        #expect(CFRunLoopMode.defaultMode.rawValue as? String == "kCFRunLoopDefaultMode")
        #expect(CFRunLoopMode.commonModes.rawValue as? String == "kCFRunLoopCommonModes")
        #expect(CFRunLoopMode("x" as CFString) == CFRunLoopMode(rawValue: "x" as CFString))
        #expect(CFRunLoopMode.defaultMode != .commonModes)
    }

    /// With the kernel's loopback, which is up wherever tests run.
    @Test func addressesArriveAsTheyAreGiven() throws {
        var v4 = sockaddr_in()
        v4.sin_len = UInt8(MemoryLayout<sockaddr_in>.size)
        v4.sin_family = sa_family_t(AF_INET)
        v4.sin_port = in_port_t(80).bigEndian
        #expect(inet_pton(AF_INET, "127.0.0.1", &v4.sin_addr) == 1)
        let address = withUnsafePointer(to: &v4) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                [
                    SCNetworkReachabilityCreateWithAddress(nil, address),
                    SCNetworkReachabilityCreateWithAddressPair(nil, address, address),
                ]
            }
        }
        for target in address {
            var flags = SCNetworkReachabilityFlags()
            #expect(SCNetworkReachabilityGetFlags(target, &flags))
            #expect(flags == [.reachable, .isLocalAddress, .isDirect])
        }
        var v6 = sockaddr_in6()
        v6.sin6_family = sa_family_t(AF_INET6)
        #expect(inet_pton(AF_INET6, "fe80::1", &v6.sin6_addr) == 1)
        v6.sin6_scope_id = 1
        let scoped = withUnsafePointer(to: &v6) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                SCNetworkReachabilityCreateWithAddress(nil, address)
            }
        }
        #expect(scoped?.description.contains("{address = fe80::1%lo}") == true)
    }

    @Test func theDefaultAllocatorAndACoreFoundationNameWork() throws {
        let target = try #require(SCNetworkReachabilityCreateWithName(kCFAllocatorDefault, "127.1"))
        #expect("\(target)".contains("{address = 127.0.0.1}"))
    }
}
