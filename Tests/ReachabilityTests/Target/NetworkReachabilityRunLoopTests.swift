import Dispatch
import Foundation
import Reachability
import ReachabilityTesting
import Synchronization
import TargetTesting
import Testing

/// Callbacks on run loops (Rules.md, "NetworkReachability"). The loops sleep: a callback that comes has woken them.
@Suite struct NetworkReachabilityRunLoopTests {
    private let lab = TargetLab()

    /// A target whose callbacks are written down.
    private func recorded(_ name: String) throws -> (NetworkReachability, CallbackLog) {
        let target = try lab.target(name)
        let log = CallbackLog()
        target.setCallback { _, flags in log.record(flags) }
        return (target, log)
    }

    @Test func theCallbackRunsOnTheLoopsThreadAndWakesIt() throws {
        let thread = LoopThread()
        defer { thread.stop() }
        let target = try lab.target("198.51.100.1")
        let log = CallbackLog()
        let isOnLoop = Mutex(false)
        let loop = ObjectIdentifier(thread.loop)
        target.setCallback { _, flags in
            isOnLoop.withLock { $0 = ObjectIdentifier(RunLoop.current) == loop }
            log.record(flags)
        }
        try target.schedule(in: thread.loop, forMode: .default)
        lab.awaitEngine()
        thread.sync {}
        #expect(log.values == [])
        lab.network.disconnect("wlan0")
        #expect(log.awaitOne())
        #expect(log.values == [0])
        #expect(isOnLoop.withLock { $0 })
        try target.unschedule(from: thread.loop, forMode: .default)
    }

    @Test func whileTheLoopIsBusyChangesAreOneCallback() throws {
        let thread = LoopThread()
        defer { thread.stop() }
        let (target, log) = try recorded("198.51.100.1")
        try target.schedule(in: thread.loop, forMode: .common)
        lab.awaitEngine()
        let gate = DispatchSemaphore(value: 0)
        thread.async { gate.wait() }
        for isOn in [false, true, false, true] {
            lab.network.setCarrier("wlan0", isOn)
            lab.awaitEngine()
        }
        gate.signal()
        #expect(log.awaitOne())
        thread.sync {}
        #expect(log.values == [0x20002])
        try target.unschedule(from: thread.loop, forMode: .common)
    }

    @Test func scheduledTwiceAndUnscheduledOnceItStillTells() throws {
        let thread = LoopThread()
        defer { thread.stop() }
        let (target, log) = try recorded("198.51.100.1")
        try target.schedule(in: thread.loop, forMode: .default)
        try target.schedule(in: thread.loop, forMode: .default)
        try target.unschedule(from: thread.loop, forMode: .default)
        lab.awaitEngine()
        lab.network.disconnect("wlan0")
        #expect(log.awaitOne())
        try target.unschedule(from: thread.loop, forMode: .default)
        lab.network.connect("wlan0", .wifi)
        lab.awaitEngine()
        thread.sync {}
        #expect(log.values == [0])
    }

    @Test func severalLoopsAreToldOnceInTotal() throws {
        let (one, two) = (LoopThread(), LoopThread())
        defer {
            one.stop()
            two.stop()
        }
        let (target, log) = try recorded("198.51.100.1")
        try target.schedule(in: one.loop, forMode: .default)
        try target.schedule(in: two.loop, forMode: .default)
        lab.awaitEngine()
        let gate = DispatchSemaphore(value: 0)
        one.async { gate.wait() }
        // The one is busy: the other tells.
        lab.network.disconnect("wlan0")
        #expect(log.awaitOne())
        gate.signal()
        one.sync {}
        two.sync {}
        #expect(log.values == [0])
        // One is taken back: the other tells on.
        try target.unschedule(from: two.loop, forMode: .default)
        lab.network.connect("wlan0", .wifi)
        #expect(log.awaitOne())
        #expect(log.values == [0, 0x20002])
        try target.unschedule(from: one.loop, forMode: .default)
    }

    @Test func itIsToldInItsModeOnly() throws {
        let thread = LoopThread()
        defer { thread.stop() }
        let mode = RunLoop.Mode("special")
        let (target, log) = try recorded("198.51.100.1")
        try target.schedule(in: thread.loop, forMode: mode)
        lab.awaitEngine()
        lab.network.disconnect("wlan0")
        lab.awaitEngine()
        thread.sync {}
        #expect(log.values == [])
        thread.sync {
            // Long enough for what is due; it returns early only if there is nothing in the mode.
            while log.values.isEmpty, RunLoop.current.run(mode: mode, before: Date(timeIntervalSinceNow: 0.05)) {}
        }
        #expect(log.values == [0])
        try target.unschedule(from: thread.loop, forMode: mode)
    }

    @Test func nothingIsToldOnceItIsUnscheduledOnTheLoop() throws {
        let thread = LoopThread()
        defer { thread.stop() }
        let (target, log) = try recorded("198.51.100.1")
        try target.schedule(in: thread.loop, forMode: .default)
        lab.awaitEngine()
        let (gate, isBusy) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        thread.async {
            isBusy.signal()
            gate.wait()
            try? target.unschedule(from: .current, forMode: .default)
        }
        isBusy.wait()
        lab.network.disconnect("wlan0")
        lab.awaitEngine()
        gate.signal()
        thread.sync {}
        thread.sync {}
        #expect(log.values == [])
        #expect(throws: NetworkReachabilityError.notScheduled) {
            try target.unschedule(from: thread.loop, forMode: .default)
        }
    }

    @Test func aLoopThatIsAddedIsToldWhatIsDue() throws {
        let (busy, free) = (LoopThread(), LoopThread())
        defer {
            busy.stop()
            free.stop()
        }
        let (target, log) = try recorded("198.51.100.1")
        try target.schedule(in: busy.loop, forMode: .default)
        lab.awaitEngine()
        let gate = DispatchSemaphore(value: 0)
        busy.async { gate.wait() }
        lab.network.disconnect("wlan0")
        lab.awaitEngine()
        try target.schedule(in: free.loop, forMode: .default)
        #expect(log.awaitOne())
        gate.signal()
        busy.sync {}
        #expect(log.values == [0])
        try target.unschedule(from: free.loop, forMode: .default)
        try target.unschedule(from: busy.loop, forMode: .default)
    }

    @Test func aLoopThatNeverRunsKeepsNoTargetAlive() throws {
        weak var weakly: NetworkReachability?
        let ended = LoopThread()
        ended.stop()
        do {
            let target = try lab.target("198.51.100.1")
            weakly = target
            try target.schedule(in: ended.loop, forMode: .default)
            lab.awaitEngine()
            lab.network.disconnect("wlan0")
            lab.awaitEngine()
            try target.unschedule(from: ended.loop, forMode: .default)
        }
        lab.awaitEngine()
        #expect(weakly == nil)
    }
}
