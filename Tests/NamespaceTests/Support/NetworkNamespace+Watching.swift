import Dispatch
import Foundation
import Reachability
import Rtnetlink
import Testing
import Timing

extension NetworkNamespace {
    /// A target that is watched in the namespace as long as this is held.
    struct Watch {
        let target: ReachabilityTarget
        let recorder: ReportRecorder
        fileprivate let subscription: Engine.Subscription
        fileprivate let namespace: NetworkNamespace

        var last: Report? { recorder.last }
        var count: Int { recorder.reports.count }
    }

    /// Watches a target and waits for the first report.
    func watch(_ text: String = "default", hook: @escaping @Sendable () -> Void = {}) throws -> Watch {
        try watch(try target(text), hook: hook)
    }

    func watch(_ target: ReachabilityTarget, hook: @escaping @Sendable () -> Void = {}) throws -> Watch {
        let recorder = ReportRecorder(hook: hook)
        let engine = engine
        let subscription = try run { engine.subscribe(recorder, to: target) }
        #expect(recorder.wait { _ in true }, "nothing was told of \(target)")
        return Watch(target: target, recorder: recorder, subscription: subscription, namespace: self)
    }

    /// Waits until the engine has dealt with all that the kernel has told so far.
    ///
    /// An engine reads its messages before it serves a new subscriber, so the first report to one comes after all that
    /// came of the messages before it. The target is one whose evaluation touches no other's.
    func settle() throws {
        _ = try watch("127.255.255.254")
    }

    /// What a program that starts now would find out, with sockets of its own.
    func freshReport(of target: ReachabilityTarget) throws -> Report {
        try run {
            let network = try KernelNetwork(groups: [])
            var evaluation = Evaluation(LiveOracle(network))
            return evaluation.report(Subject(target) { _ in .notKnownYet }, requiredInterface: target.requiredInterface)
        }
    }

    /// The report of a target, read live; one who watches is told the same.
    func report(of text: String) throws -> Report {
        let target = try target(text)
        let engine = engine
        let live = try run { try ReachabilityManager(target: target, queue: .main, engine: engine).currentReport() }
        let watched = try watch(target).last
        #expect(watched == live, "\(text) is watched and read differently")
        return live
    }

    /// The flags of a target as a number, read live; one who watches is told the same.
    func flags(of text: String) throws -> UInt32 { try report(of: text).flags.rawValue }

    private func target(_ text: String) throws -> ReachabilityTarget {
        // A scope's name is looked up in the namespace of the thread that asks.
        try run { try ReachabilityTarget(parsing: text) }
    }
}

extension NetworkNamespace.Watch {
    /// True if the last report is what a fresh read says, once the engine has read its messages.
    func isTrueNow() throws -> Bool {
        try namespace.settle()
        return try last == namespace.freshReport(of: target)
    }

    /// Waits until the last report is what a fresh read says: for changes that the kernel itself takes its time over,
    /// such as carrier (one message a second and link at most).
    func becomesTrue(within time: Duration = .seconds(5)) throws -> Bool {
        let deadline = Instant.now + time
        while try !isTrueNow() {
            guard recorder.waitForUpdate(before: deadline) else { return try isTrueNow() }
        }
        return true
    }
}
