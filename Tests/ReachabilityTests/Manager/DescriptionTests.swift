import Foundation
import ReachabilityTesting
import Runtime
import Testing

@testable import Reachability

/// What a manager says of itself, and what it is made from.
@Suite struct DescriptionTests {
    @Test func debugDescriptionHoldsTheLastEventsWithReasonsAndTimes() async {
        let scene = Scene { $0.connect("wlan0", .wifi) }
        #expect(scene.manager.debugDescription == "ReachabilityManager(default), stopped, Unknown")
        await scene.start()
        scene.clock.advance(by: .milliseconds(1500))
        scene.network.disconnect("wlan0")
        await scene.statuses.first(2)
        await scene.quiet()
        scene.clock.advance(by: .seconds(3))
        let lines = scene.manager.debugDescription.split(separator: "\n").map(String.init)
        #expect(
            lines == [
                "ReachabilityManager(default), started, Not Reachable: no route leads there",
                "  4.5 s ago: started", "  4.5 s ago: found Reachable via WiFi (initial)",
                "  4.5 s ago: told Reachable via WiFi", "  3.0 s ago: found Not Reachable: no route leads there (link)",
                "  3.0 s ago: told Not Reachable",
            ])
        scene.manager.stopMonitoring()
        #expect(scene.manager.debugDescription.contains("stopped, Not Reachable"))
    }

    @Test func onlyTheLastEventsAreKept() async {
        let scene = Scene { $0.connect("wlan0", .wifi) }
        for _ in 0..<50 { await scene.start() }
        let lines = scene.manager.debugDescription.split(separator: "\n")
        #expect(lines.count == 9)
        #expect(lines.last?.hasSuffix("told Reachable via WiFi") == true)
    }

    @Test func whileOnlySequencesAreReadItSaysSo() async {
        let scene = Scene { $0.connect("wlan0", .wifi) }
        var iterator = scene.manager.statuses.makeAsyncIterator()
        _ = await iterator.next()
        #expect(scene.manager.debugDescription.contains(", iterated, Reachable via WiFi"))
    }

    @Test(
        arguments: [
            ("https://api.example.com/v1?q=1", "api.example.com"), ("http://10.0.0.60:8080/", "10.0.0.60"),
            ("ftp://[2001:db8::1]:21/x", "2001:db8::1"), ("ws://user:secret@localhost", "localhost"),
        ])
    func aURLGivesItsHost(text: String, target: String) throws {
        let url = try #require(URL(string: text))
        #expect(try ReachabilityManager(url: url).target.description == target)
    }

    @Test(arguments: ["file:///etc/hosts", "mailto:a@example.com", "relative/path", "data:,x"])
    func aURLWithoutAHostIsAnError(text: String) throws {
        let url = try #require(URL(string: text))
        let error = #expect(throws: ReachabilityTargetError.self) { try ReachabilityManager(url: url) }
        #expect(error?.problem == .urlWithoutHost(text))
    }

    /// What calls the closure can be found by name in a crash report, as the documentation says.
    @Test func r64_theUsersClosureIsCalledByFramesThatTheDocumentationNames() async throws {
        let scene = Scene { $0.connect("wlan0", .wifi) }
        let stacks = Recorder<Backtrace?>()
        scene.manager.setReachabilityStatusChangeBlock { _ in stacks.record(try? Backtrace.capture()) }
        scene.manager.startMonitoring()
        let stack = try #require(await stacks.first(1).first ?? nil)
        let names = try #require(stack.symbolicated()).frames.map { $0.symbol?.name ?? "" }
        let tell = try #require(names.firstIndex { $0.contains("ReachabilityManager.tell") }, "\(names)")
        let deliver = try #require(names.firstIndex { $0.contains("ReachabilityManager.deliver") }, "\(names)")
        #expect(tell < deliver)
        // The compiler's own conversions of closures apart.
        let between = names[..<tell].filter { !$0.contains("thunk") && !$0.contains("closure") && !$0.isEmpty }
        #expect(between.allSatisfy { !$0.contains("Reachability") }, "nothing of ours between: \(between)")
    }
}
