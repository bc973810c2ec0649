import InternetProtocol
import Reachability
import Rtnetlink
import Testing

@Suite("The machine listens for what evaluations ask about")
struct ListeningTests {
    private static func address(_ number: UInt32) -> IPAddress { IPAddress(v4: 0xc000_0200 + number) }

    /// Answers each request to evaluate as if that much was asked, and says what had to be listened for.
    private static func settle(
        _ machine: inout EngineMachine, _ actions: [EngineMachine.Action], asking numbers: [UInt32]
    ) -> [Set<IPAddress>] {
        var listened: [Set<IPAddress>] = []
        var actions = actions
        for _ in 0..<10 {
            var due: [EngineMachine.TargetID] = []
            for action in actions {
                switch action {
                case .evaluate(let ids): due += ids
                case .listen(let destinations): listened.append(destinations)
                default: break
                }
            }
            guard !due.isEmpty else { return listened }
            let asked = numbers.map { RouteQuestion(address($0)) }
            actions = machine.evaluated(
                due.map { EngineMachine.Finding(id: $0, report: Report(), asked: asked, expiry: nil) })
        }
        Issue.record("evaluates without end: \(listened)")
        return listened
    }

    @Test func whatIsHeardOfAlreadyIsListenedForAlongWithWhatIsNew() {
        var machine = EngineMachine()
        let first = machine.subscribe(1, to: .default)
        #expect(Self.settle(&machine, first, asking: [1]) == [[Self.address(1)]])
        // It is listened for still, although nobody needs it any more.
        _ = machine.unsubscribe(1)
        let second = machine.subscribe(2, to: .path)
        #expect(Self.settle(&machine, second, asking: [1, 2]) == [[Self.address(1), Self.address(2)]])
    }

    @Test func whatNobodyAsksAboutAnyMoreIsLeftOutNextTime() {
        var machine = EngineMachine()
        let first = machine.subscribe(1, to: .default)
        _ = Self.settle(&machine, first, asking: [1])
        _ = machine.unsubscribe(1)
        let second = machine.subscribe(2, to: .path)
        #expect(Self.settle(&machine, second, asking: [2]) == [[Self.address(2)]])
    }
}
