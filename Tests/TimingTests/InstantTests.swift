import Testing
import Timing

@Suite("An instant")
struct InstantTests {
    @Test func timePasses() {
        let start = Instant.now
        var end = Instant.now
        while end == start { end = .now }
        #expect(start < end)
        #expect(end - start > .zero)
    }

    @Test func itIsAsFarAsTheDurationSays() {
        let start = Instant.now
        for duration in [Duration.nanoseconds(1), .milliseconds(1500), .seconds(-3), .seconds(100 * 366 * 86400)] {
            #expect((start + duration) - start == duration)
            #expect((start + duration) - duration == start)
        }
        #expect(start + .seconds(1) > start)
        #expect(start - .seconds(1) < start)
    }

    @Test func whatIsTooFarIsAsFarAsCanBe() {
        let start = Instant.now
        let never = start + .seconds(Int64.max)
        #expect(never > start + .seconds(100 * 366 * 86400))
        #expect(never + .seconds(1) == never)
        let past = start - .seconds(Int64.max)
        #expect(past < start)
        #expect(never - past > .zero)
        #expect(past - never < .zero)
    }
}
