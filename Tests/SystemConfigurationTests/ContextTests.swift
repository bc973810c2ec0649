import ReachabilityTesting
import Synchronization
import SystemConfiguration
import TargetTesting
import Testing

/// The context of a callback (Rules.md, "NetworkReachability").
@Suite(.serialized) struct ContextTests {
    private let lab = TargetLab()

    /// What the context's functions did, in order. C functions capture nothing, so there is one for all.
    private static let log = Mutex<[String]>([])

    private static func add(_ event: String) { log.withLock { $0.append(event) } }

    private func takeLog() -> [String] {
        Self.log.withLock { log in
            defer { log = [] }
            return log
        }
    }

    /// A context whose `info` is a number; retaining counts a hundred up.
    private func context(_ number: Int, retains: Bool = true, releases: Bool = true) -> SCNetworkReachabilityContext {
        SCNetworkReachabilityContext(
            version: 0, info: UnsafeMutableRawPointer(bitPattern: number),
            retain: retains
                ? { info in
                    Self.add("retain \(Int(bitPattern: info))")
                    return info + 100
                } : nil,
            release: releases ? { info in Self.add("release \(Int(bitPattern: info))") } : nil,
            copyDescription: nil)
    }

    private let callout: SCNetworkReachabilityCallBack = { _, flags, info in
        Self.add("call \(flags.rawValue) \(Int(bitPattern: info))")
    }

    private func change() {
        lab.network.disconnect("wlan0")
        lab.settle()
    }

    @Test func aContextIsRetainedWhenSetAroundEachCallAndReleasedWhenReplaced() throws {
        let target = try lab.target("198.51.100.1")
        #expect(SCNetworkReachabilitySetDispatchQueue(target, lab.queue))
        var first = context(1)
        #expect(SCNetworkReachabilitySetCallback(target, callout, &first))
        #expect(takeLog() == ["retain 1"])
        lab.settle()
        change()
        #expect(takeLog() == ["retain 101", "call 0 201", "release 201"])
        var second = context(2)
        #expect(SCNetworkReachabilitySetCallback(target, callout, &second))
        #expect(takeLog() == ["release 101", "retain 2"])
        #expect(SCNetworkReachabilitySetCallback(target, nil, nil))
        #expect(takeLog() == ["release 102"])
        #expect(SCNetworkReachabilitySetDispatchQueue(target, nil))
        #expect(takeLog() == [])
    }

    @Test func withoutRetainTheInfoIsPassedAsItIsAndReleasedOnlyAtTheEnd() throws {
        let target = try lab.watchedInC(callout, context(1, retains: false))
        change()
        #expect(takeLog() == ["call 0 1"])
        SCNetworkReachabilitySetCallback(target, nil, nil)
        #expect(takeLog() == ["release 1"])
        SCNetworkReachabilitySetDispatchQueue(target, nil)
    }

    @Test func withoutReleaseNothingIsReleased() throws {
        let target = try lab.watchedInC(callout, context(1, releases: false))
        change()
        SCNetworkReachabilitySetCallback(target, nil, nil)
        #expect(takeLog() == ["retain 1", "retain 101", "call 0 201"])
        SCNetworkReachabilitySetDispatchQueue(target, nil)
    }

    @Test func withoutACalloutTheContextIsRetainedAllTheSame() throws {
        let target = try lab.watchedInC(nil, context(1))
        change()
        #expect(takeLog() == ["retain 1", "retain 101", "release 201"])
        SCNetworkReachabilitySetDispatchQueue(target, nil)
        SCNetworkReachabilitySetCallback(target, nil, nil)
        #expect(takeLog() == ["release 101"])
    }

    @Test func withoutAContextThereIsNoInfo() throws {
        let target = try lab.target("198.51.100.1")
        SCNetworkReachabilitySetCallback(target, callout, nil)
        SCNetworkReachabilitySetDispatchQueue(target, lab.queue)
        lab.settle()
        change()
        #expect(takeLog() == ["call 0 0"])
        SCNetworkReachabilitySetDispatchQueue(target, nil)
    }

    @Test func aNullInfoIsNeitherRetainedNorReleased() throws {
        let target = try lab.watchedInC(callout, context(0))
        change()
        SCNetworkReachabilitySetCallback(target, nil, nil)
        #expect(takeLog() == ["call 0 0"])
        SCNetworkReachabilitySetDispatchQueue(target, nil)
    }

    @Test func aTargetThatGoesReleasesItsContext() throws {
        do {
            let target = try lab.watchedInC(callout, context(7))
            SCNetworkReachabilitySetDispatchQueue(target, nil)
            #expect(takeLog() == ["retain 7"])
        }
        lab.settle()
        #expect(takeLog() == ["release 107"])
    }

    @Test func theCallbackMayReplaceItselfAndUnschedule() throws {
        let target = try lab.watchedInC(
            { target, _, _ in
                Self.add("call")
                SCNetworkReachabilitySetCallback(target, nil, nil)
                SCNetworkReachabilitySetDispatchQueue(target, nil)
                Self.add("end")
            }, context(1))
        change()
        // The context that a call runs with is there until it returns.
        #expect(takeLog() == ["retain 1", "retain 101", "call", "end", "release 201", "release 101"])
        _ = target
    }
}

extension TargetLab {
    /// A target with a callback and a context, scheduled on the lab's queue.
    fileprivate func watchedInC(
        _ callout: SCNetworkReachabilityCallBack?, _ context: SCNetworkReachabilityContext
    ) throws -> SCNetworkReachability {
        let target = try target("198.51.100.1")
        var context = context
        SCNetworkReachabilitySetCallback(target, callout, &context)
        SCNetworkReachabilitySetDispatchQueue(target, queue)
        settle()
        return target
    }
}
