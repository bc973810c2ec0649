import Dispatch
import Testing

@testable import Reachability

/// Who brings to its queue what a turn of the engine leaves to tell.
@Suite struct CourierTests {
    private let courier = Courier(goesItself: true)
    private let first = DispatchQueue(label: "first")
    private let second = DispatchQueue(label: "second")
    private let done = Recorder<String>()

    /// A turn that is over, with somebody who stands by for the next ones.
    private func getStandIn() async {
        courier.beginTurn()
        bring("at once", to: first)
        #expect(courier.endTurn() == nil, "nobody stands by yet")
        #expect(courier.takesStandIn())
        #expect(!courier.takesStandIn(), "one is enough")
        #expect(await done.first(1) == ["at once"])
    }

    private func bring(_ name: String, to queue: DispatchQueue) {
        courier.bring(to: queue) { [done] in done.record(name) }
    }

    @Test func theThreadGoesWithWhatItWasLeftLast() async throws {
        await getStandIn()
        courier.beginTurn()
        bring("earlier", to: first)
        bring("last", to: second)
        let errand = try #require(courier.endTurn())
        #expect(errand.queue === second)
        // What came before it was sent when it came.
        #expect(await done.first(2) == ["at once", "earlier"])
        errand.queue.sync(execute: errand.work)
        courier.isBack()
        #expect(done.elements == ["at once", "earlier", "last"])
    }

    @Test func nobodyGoesWhileAnotherIsOut() async {
        await getStandIn()
        courier.beginTurn()
        bring("taken along", to: first)
        #expect(courier.endTurn() != nil)

        courier.beginTurn()
        bring("meanwhile", to: first)
        #expect(courier.endTurn() == nil)
        #expect(await done.first(2) == ["at once", "meanwhile"])

        courier.isBack()
        courier.beginTurn()
        bring("afterwards", to: first)
        #expect(courier.endTurn() != nil)
    }

    @Test func whoHasNoTurnHasOthersWoken() async {
        await getStandIn()
        bring("between two turns", to: first)
        #expect(await done.first(2) == ["at once", "between two turns"])
        courier.beginTurn()
        let other = DispatchQueue(label: "another thread than the one with the turn")
        other.async { bring("from elsewhere", to: first) }
        // Not `await`, after which this test may go on on another thread.
        let isOver = DispatchSemaphore(value: 0)
        other.async { isOver.signal() }
        isOver.wait()
        #expect(courier.endTurn() == nil)
        #expect(await done.first(3).last == "from elsewhere")
    }

    @Test func whatIsForTheMainQueueGoesThere() async {
        await getStandIn()
        courier.beginTurn()
        bring("main", to: .main)
        #expect(courier.endTurn() == nil)
    }

    @Test func onlyTheThreadWithTheTurnHasIt() {
        #expect(!courier.isTurnOfCaller)
        courier.beginTurn()
        #expect(courier.isTurnOfCaller)
        _ = courier.endTurn()
        #expect(!courier.isTurnOfCaller)
    }

    @Test func oneThatDoesNotGoItselfNeedsNobodyToStandBy() async {
        let courier = Courier(goesItself: false)
        courier.beginTurn()
        courier.bring(to: first) { [done] in done.record("sent") }
        #expect(courier.endTurn() == nil)
        #expect(!courier.takesStandIn())
        #expect(await done.first(1) == ["sent"])
    }
}
