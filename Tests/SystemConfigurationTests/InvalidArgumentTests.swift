import SystemConfiguration
import Testing

/// What Apple's functions say to what they cannot use (Rules.md, "NetworkReachability").
@Suite struct InvalidArgumentTests {
    /// The code that is left by a call that has to fail, whatever was before.
    private func code(_ call: () -> Bool) -> Int32? {
        _ = SCNetworkReachabilityGetFlags(nil, nil)
        return call() ? nil : SCError()
    }

    @Test func aNameIsNeeded() {
        #expect(SCNetworkReachabilityCreateWithName(nil, nil) == nil)
        #expect(SCError() == kSCStatusInvalidArgument)
        #expect(SCNetworkReachabilityCreateWithName(kCFAllocatorDefault, "") == nil)
        #expect(SCError() == 1002)
        #expect(SCNetworkReachabilityCreateWithName(nil, "localhost") != nil)
    }

    @Test func anAddressOfOneOfTwoFamiliesIsNeeded() {
        #expect(SCNetworkReachabilityCreateWithAddress(nil, nil) == nil)
        #expect(SCError() == 1002)
        for family in [AF_UNSPEC, AF_UNIX, AF_NETLINK, 255] {
            var address = sockaddr()
            address.sa_family = sa_family_t(family)
            #expect(SCNetworkReachabilityCreateWithAddress(nil, &address) == nil, "\(family)")
            #expect(SCError() == 1002)
            #expect(SCNetworkReachabilityCreateWithAddressPair(nil, &address, nil) == nil, "\(family)")
            #expect(SCNetworkReachabilityCreateWithAddressPair(nil, nil, &address) == nil, "\(family)")
        }
    }

    @Test func aPairNeedsAnEnd() {
        #expect(SCNetworkReachabilityCreateWithAddressPair(nil, nil, nil) == nil)
        #expect(SCError() == 1002)
    }

    @Test func everyFunctionNeedsATarget() {
        var flags = SCNetworkReachabilityFlags()
        let loop: CFRunLoop? = CFRunLoopGetCurrent()
        let mode = CFRunLoopMode.defaultMode.rawValue
        #expect(code { SCNetworkReachabilityGetFlags(nil, &flags) } == 1002)
        #expect(code { SCNetworkReachabilitySetCallback(nil, { _, _, _ in }, nil) } == 1002)
        #expect(code { SCNetworkReachabilitySetDispatchQueue(nil, .main) } == 1002)
        #expect(code { SCNetworkReachabilityScheduleWithRunLoop(nil, loop, mode) } == 1002)
        #expect(code { SCNetworkReachabilityUnscheduleFromRunLoop(nil, loop, mode) } == 1002)
    }

    @Test func theOtherArgumentsAreNeededToo() throws {
        let target = try #require(SCNetworkReachabilityCreateWithName(nil, "localhost"))
        let loop: CFRunLoop? = CFRunLoopGetCurrent()
        let mode = CFRunLoopMode.defaultMode.rawValue
        #expect(code { SCNetworkReachabilityGetFlags(target, nil) } == 1002)
        #expect(code { SCNetworkReachabilityScheduleWithRunLoop(target, nil, mode) } == 1002)
        #expect(code { SCNetworkReachabilityScheduleWithRunLoop(target, loop, nil) } == 1002)
        #expect(code { SCNetworkReachabilityScheduleWithRunLoop(target, loop, 42 as CFString) } == 1002)
        #expect(code { SCNetworkReachabilityUnscheduleFromRunLoop(target, nil, mode) } == 1002)
        #expect(code { SCNetworkReachabilityUnscheduleFromRunLoop(target, loop, nil) } == 1002)
        #expect(SCNetworkReachabilitySetCallback(target, nil, nil))
    }
}
