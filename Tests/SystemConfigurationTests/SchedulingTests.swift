import Reachability
import ReachabilityTesting
import SystemConfiguration
import TargetTesting
import Testing

/// What scheduling returns (Rules.md, "NetworkReachability"), in C's shape.
@Suite struct SchedulingTests {
    private let lab = TargetLab()
    private let mode = CFRunLoopMode.defaultMode.rawValue
    private var loop: CFRunLoop? { CFRunLoopGetCurrent() }

    @Test func runLoopsAreCountedAndUnknownOnesRefused() throws {
        let target = try lab.target("198.51.100.1")
        let common = CFRunLoopMode.commonModes.rawValue
        #expect(!SCNetworkReachabilityUnscheduleFromRunLoop(target, loop, mode))
        #expect(SCError() == 1002)
        #expect(SCNetworkReachabilityScheduleWithRunLoop(target, loop, mode))
        #expect(SCNetworkReachabilityScheduleWithRunLoop(target, loop, mode))
        #expect(SCNetworkReachabilityScheduleWithRunLoop(target, loop, common))
        #expect(SCNetworkReachabilityUnscheduleFromRunLoop(target, loop, mode))
        #expect(!SCNetworkReachabilityUnscheduleFromRunLoop(target, loop, "elsewhere" as CFString))
        #expect(!SCNetworkReachabilitySetDispatchQueue(target, lab.queue))
        #expect(!SCNetworkReachabilitySetDispatchQueue(target, nil))
        // The mode is a name, whoever made it.
        #expect(SCNetworkReachabilityUnscheduleFromRunLoop(target, loop, kCFRunLoopDefaultMode))
        #expect(SCNetworkReachabilityUnscheduleFromRunLoop(target, loop, kCFRunLoopCommonModes))
        #expect(!SCNetworkReachabilityUnscheduleFromRunLoop(target, loop, common))
        #expect(SCError() == 1002)
    }

    @Test func aQueueIsSetOnceAndExcludesRunLoops() throws {
        let target = try lab.target("198.51.100.1")
        #expect(!SCNetworkReachabilitySetDispatchQueue(target, nil))
        #expect(SCNetworkReachabilitySetDispatchQueue(target, lab.queue))
        #expect(!SCNetworkReachabilitySetDispatchQueue(target, lab.queue))
        #expect(!SCNetworkReachabilityScheduleWithRunLoop(target, loop, mode))
        #expect(SCError() == 1002)
        #expect(SCNetworkReachabilitySetDispatchQueue(target, nil))
        #expect(SCNetworkReachabilityScheduleWithRunLoop(target, loop, mode))
        #expect(SCNetworkReachabilityUnscheduleFromRunLoop(target, loop, mode))
    }

    @Test func aCoreFoundationLoopThatSleepsIsWoken() throws {
        let thread = LoopThread()
        defer { thread.stop() }
        let target = try lab.target("198.51.100.1")
        let told = CallbackLog()
        SCNetworkReachabilitySetCallback(
            target,
            { _, flags, _ in
                told.record(.init(rawValue: flags.rawValue))
                // Taken back where it runs: nothing comes any more.
                SCNetworkReachabilityUnscheduleFromRunLoop(
                    target, CFRunLoopGetCurrent(), CFRunLoopMode.commonModes.rawValue)
            }, nil)
        thread.sync {
            SCNetworkReachabilityScheduleWithRunLoop(
                target, CFRunLoopGetCurrent(), CFRunLoopMode.commonModes.rawValue)
        }
        lab.awaitEngine()
        lab.network.disconnect("wlan0")
        #expect(told.awaitOne())
        lab.network.connect("wlan0", .wifi)
        lab.awaitEngine()
        thread.sync {}
        #expect(told.values == [0])
        SCNetworkReachabilitySetCallback(target, nil, nil)
    }

    /// In a program of Apple's kind that is the main run loop.
    @Test @MainActor func aRunLoopServesCodeOfTheMainActor() throws {
        let target = try lab.target("198.51.100.1")
        var told: [SCNetworkReachabilityFlags] = []
        SCNetworkReachabilitySetCallback(target, { _, flags, _ in told.append(flags) }, nil)
        #expect(SCNetworkReachabilityScheduleWithRunLoop(target, loop, mode))
        lab.awaitEngine()
        lab.network.disconnect("wlan0")
        lab.awaitEngine()
        CFRunLoopRunInMode(kCFRunLoopDefaultMode, 0, true)
        #expect(told == [[]])
        #expect(SCNetworkReachabilityUnscheduleFromRunLoop(target, loop, mode))
        SCNetworkReachabilitySetCallback(target, nil, nil)
    }
}
