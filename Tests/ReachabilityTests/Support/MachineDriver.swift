import InternetProtocol
import NameResolution
import Reachability
import Rtnetlink
import Timing

/// Does for an engine's machine what the loop does, with evaluations that the test gives: reports by target's subject.
struct MachineDriver {
    var machine = EngineMachine()
    /// What an evaluation finds; the default is a reachable target that asked about its own address.
    var find: (Subject) -> (report: Report, asked: [RouteQuestion], expiry: Instant?) = { subject in
        (Report(flags: .reachable), Self.ownQuestion(subject), nil)
    }
    /// What the machine said, evaluations left out, in order.
    private(set) var said: [EngineMachine.Action] = []
    /// The subjects evaluated, in rounds.
    private(set) var rounds: [Set<Subject>] = []

    static func ownQuestion(_ subject: Subject) -> [RouteQuestion] {
        switch subject {
        case .address(let address, _): [RouteQuestion(address)]
        case .name(.addresses(let addresses)): addresses.map { RouteQuestion($0) }
        case .defaultRoute: [RouteQuestion(ProbeAddresses.v4[0])]
        default: []
        }
    }

    mutating func perform(_ actions: [EngineMachine.Action]) {
        var actions = actions
        while !actions.isEmpty {
            var due: Set<EngineMachine.TargetID> = []
            for action in actions {
                if case .evaluate(let ids) = action { due.formUnion(ids) } else { said.append(action) }
            }
            let subjects = due.compactMap { id in machine.subject(of: id).map { (id, $0.subject) } }
            if !subjects.isEmpty { rounds.append(Set(subjects.map(\.1))) }
            let findings = subjects.map { id, subject in
                let (report, asked, expiry) = find(subject)
                return EngineMachine.Finding(id: id, report: report, asked: asked, expiry: expiry)
            }
            actions = findings.isEmpty ? [] : machine.evaluated(findings)
        }
    }

    mutating func subscribe(_ id: EngineMachine.SubscriberID, to target: ReachabilityTarget) {
        perform(machine.subscribe(id, to: target))
    }

    mutating func change(_ prefixes: [(String, Int)] = [], causes: ChangeCauses = [.route], everything: Bool = false) {
        var batch = ChangeBatch()
        batch.destinations = prefixes.map { AddressPrefix(ip($0.0), length: $0.1) }
        batch.isAboutEverything = everything
        batch.causes = causes
        perform(machine.changed(batch))
    }

    /// Forgets what was said so far, and returns it.
    mutating func takeSaid() -> [EngineMachine.Action] {
        defer {
            said = []
            rounds = []
        }
        return said
    }

    /// Who was told, with what, since the last look.
    mutating func takeTold() -> [EngineMachine.SubscriberID: Update] {
        takeSaid().reduce(into: [:]) { told, action in
            if case .tell(let ids, let update) = action { for id in ids { told[id] = update } }
        }
    }
}

extension ReachabilityTarget {
    /// A target of one address.
    static func to(_ text: String) -> ReachabilityTarget { .address(SocketAddress(ip: ip(text))) }
}
