import DesktopServices
import Testing
import Timing

@Suite("Back-off")
struct BackOffTests {
    let start = Instant.now

    @Test("tries follow after one second, then twice as long up to a minute, and then end")
    func sequence() {
        var backOff = BackOff()
        var delays: [Duration] = []
        while let next = backOff.next(now: start), delays.count < 100 { delays.append(next - start) }
        #expect(delays == [1, 2, 4, 8, 16, 32, 60].map { .seconds($0) })
        #expect(backOff.next(now: start) == nil)
    }

    @Test("success starts it over")
    func reset() {
        var backOff = BackOff()
        _ = backOff.next(now: start)
        _ = backOff.next(now: start)
        backOff.reset()
        #expect(backOff.next(now: start) == start + .seconds(1))
    }

    @Test("a queue holds each method once")
    func queue() {
        var queue = CallQueue()
        let methods = ["/a", "/b", "/a"].map { BusMethod.getAll("i", of: $0) }
        for method in methods { queue.insert(method) }
        #expect(Set([queue.next(), queue.next()]) == Set(methods))
        #expect(queue.next() == nil)
        queue.insert(methods[0])
        #expect(queue.next() == methods[0])
    }
}
