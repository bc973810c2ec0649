import Dispatch
import Foundation
import Reachability
import ReachabilityTesting
import Synchronization
import TargetTesting
import Testing

/// Scheduling and lifetime (Rules.md, "NetworkReachability").
@Suite struct NetworkReachabilitySchedulingTests {
    private let lab = TargetLab()

    @Test func aQueueIsSetOnceAndTakenOnce() throws {
        let target = try lab.target("198.51.100.1")
        #expect(throws: NetworkReachabilityError.notScheduled) { try target.setDispatchQueue(nil) }
        try target.setDispatchQueue(lab.queue)
        #expect(throws: NetworkReachabilityError.alreadyScheduled) { try target.setDispatchQueue(lab.queue) }
        try target.setDispatchQueue(nil)
        #expect(throws: NetworkReachabilityError.notScheduled) { try target.setDispatchQueue(nil) }
        try target.setDispatchQueue(lab.queue)
        try target.setDispatchQueue(nil)
    }

    /// On a concurrent queue too, and though the callback schedules the target anew.
    @Test func callbacksDoNotOverlapThoughOneOfThemReschedules() throws {
        let queue = DispatchQueue(label: "concurrent", attributes: .concurrent)
        let target = try lab.target("198.51.100.1")
        let running = Box(Atomic(0))
        let most = Box(Atomic(0))
        let begun = DispatchSemaphore(value: 0)
        let gate = DispatchSemaphore(value: 0)
        target.setCallback { target, _ in
            most.value.max(running.value.add(1, ordering: .relaxed).newValue, ordering: .relaxed)
            try? target.setDispatchQueue(nil)
            try? target.setDispatchQueue(queue)
            begun.signal()
            gate.wait()
            running.value.subtract(1, ordering: .relaxed)
        }
        try target.setDispatchQueue(queue)
        lab.network.disconnect("wlan0")
        #expect(begun.wait(timeout: .now() + 60) == .success)
        lab.network.connect("wlan0", .wifi)
        lab.awaitEngine()
        gate.signal()
        #expect(begun.wait(timeout: .now() + 60) == .success, "the change meanwhile is told afterwards")
        gate.signal()
        try target.setDispatchQueue(nil)
        #expect(most.value.load(ordering: .relaxed) == 1)
    }

    /// Both ways.
    @Test func queueAndRunLoopExcludeEachOther() throws {
        let target = try lab.target("198.51.100.1")
        try target.schedule(in: .current, forMode: .default)
        #expect(throws: NetworkReachabilityError.alreadyScheduled) { try target.setDispatchQueue(lab.queue) }
        #expect(throws: NetworkReachabilityError.notScheduled) { try target.setDispatchQueue(nil) }
        try target.unschedule(from: .current, forMode: .default)
        try target.setDispatchQueue(lab.queue)
        #expect(throws: NetworkReachabilityError.alreadyScheduled) {
            try target.schedule(in: .current, forMode: .default)
        }
        #expect(throws: NetworkReachabilityError.notScheduled) {
            try target.unschedule(from: .current, forMode: .default)
        }
        try target.setDispatchQueue(nil)
    }

    @Test func runLoopsAreCounted() throws {
        let target = try lab.target("198.51.100.1")
        #expect(throws: NetworkReachabilityError.notScheduled) {
            try target.unschedule(from: .current, forMode: .default)
        }
        try target.schedule(in: .current, forMode: .default)
        try target.schedule(in: .current, forMode: .default)
        try target.schedule(in: .current, forMode: .common)
        #expect(throws: NetworkReachabilityError.notScheduled) {
            try target.unschedule(from: .main, forMode: .init("x"))
        }
        try target.unschedule(from: .current, forMode: .default)
        try target.unschedule(from: .current, forMode: .default)
        #expect(throws: NetworkReachabilityError.notScheduled) {
            try target.unschedule(from: .current, forMode: .default)
        }
        try target.unschedule(from: .current, forMode: .common)
        try target.setDispatchQueue(lab.queue)
        try target.setDispatchQueue(nil)
    }

    @Test func aScheduledTargetKeepsItselfAliveAndTellsOn() throws {
        let log = CallbackLog()
        weak var weakly: NetworkReachability?
        do {
            let target = try lab.target("198.51.100.1")
            target.setCallback { target, flags in
                log.record(flags)
                if flags == [] { try? target.setDispatchQueue(nil) }
            }
            try target.setDispatchQueue(lab.queue)
            weakly = target
        }
        lab.settle()
        #expect(weakly != nil)
        lab.network.disconnect("wlan0")
        lab.settle()
        #expect(log.values == [0])
        // Unscheduled inside its own callback, it has gone.
        #expect(weakly == nil)
    }

    @Test func onceUnscheduledItGoesWithItsCallback() throws {
        final class Captured: Sendable {}
        weak var weakly: NetworkReachability?
        weak var captured: Captured?
        do {
            let target = try lab.target("api.test")
            let object = Captured()
            captured = object
            target.setCallback { _, _ in _ = object }
            try target.setDispatchQueue(lab.queue)
            lab.settle()
            try target.setDispatchQueue(nil)
            weakly = target
        }
        lab.settle()
        #expect(weakly == nil)
        #expect(captured == nil)
    }

    @Test func clearingTheCallbackLetsGoOfWhatItCaptured() throws {
        final class Captured: Sendable {}
        let target = try lab.target("api.test")
        weak var captured: Captured?
        do {
            let object = Captured()
            captured = object
            target.setCallback { _, _ in _ = object }
        }
        #expect(captured != nil)
        target.setCallback(nil)
        #expect(captured == nil)
    }
}
