import Reachability
import Testing
import Timing

@testable import ReachabilityExample

/// A target's last seconds as marks.
@Suite struct TimelineTests {
    private let start = Instant.now

    private func timeline(_ changes: (Double, ReachabilityStatus?)...) -> Timeline {
        var timeline = Timeline()
        for (seconds, status) in changes { timeline.note(status, at: start + .seconds(seconds)) }
        return timeline
    }

    @Test func aSecondHasTheStatusThatItEndedWith() {
        let line = timeline((0, .viaWiFi), (2.5, .viaWWAN))
        #expect(line.seconds(4, until: start + .seconds(4)) == [.viaWiFi, .viaWiFi, .viaWWAN, .viaWWAN])
    }

    @Test func aLossShowsHoweverShortItWas() {
        let line = timeline((0, .viaWiFi), (1.2, .notReachable), (1.3, .viaWiFi))
        #expect(line.seconds(3, until: start + .seconds(3)) == [.viaWiFi, .notReachable, .viaWiFi])
    }

    @Test func nothingIsSaidOfTimeWithoutMonitoring() {
        let line = timeline((1.5, .viaWiFi), (3, nil), (5.5, .unknown))
        let seconds = line.seconds(7, until: start + .seconds(7))
        #expect(seconds == [nil, .viaWiFi, .viaWiFi, nil, nil, .unknown, .unknown])
    }

    @Test func marksDifferWithoutColours() {
        let states: [ReachabilityStatus?] = [.viaWiFi, .viaWWAN, .notReachable, .unknown, nil]
        #expect(Set(states.map { Timeline.mark(of: $0) }).count == states.count)
        let line = timeline((0, .viaWiFi), (1, .notReachable), (2, .viaWWAN))
        #expect(line.line(columns: 4, until: start + .seconds(4)).plain == "█▁▄▄")
    }

    @Test func whatHeldLongAgoIsStillKnown() {
        var line = timeline((0, .viaWiFi))
        for second in stride(from: 4000.0, to: 4010, by: 1) { line.note(.viaWWAN, at: start + .seconds(second)) }
        #expect(line.seconds(10, until: start + .seconds(4003.5)).first == .viaWiFi)
        #expect(line.seconds(0, until: start).isEmpty)
    }
}
