import DesktopServices
import Testing
import Timing

/// A machine, the bus it talks to, and the time: all in the hands of the test.
struct Conversation {
    static let modemManager = ":1.10"
    static let networkManager = ":1.20"

    var machine = DesktopMachine()
    var now = Instant.now
    /// Calls sent and not answered.
    var calls: [BusCall] = []
    /// How often the machine wanted a connection.
    var connects = 0
    var disconnects = 0

    /// A conversation with the bus connected and the owners of the two names told.
    init(modemManager: String? = nil, networkManager: String? = nil) {
        perform(machine.lookForBus(now: now))
        perform(machine.busConnected(now: now))
        driver(modemManager: modemManager, networkManager: networkManager)
    }

    /// A conversation that has not begun.
    static var silent: Conversation {
        var conversation = Conversation()
        conversation.machine = DesktopMachine()
        conversation.connects = 0
        conversation.calls = []
        return conversation
    }

    mutating func perform(_ actions: [DesktopMachine.Action]) {
        for action in actions {
            switch action {
            case .connect: connects += 1
            case .disconnect:
                disconnects += 1
                calls = []
            case .call(let call): calls.append(call)
            }
        }
    }

    mutating func receive(_ message: BusMessage) {
        perform(machine.receive(message, now: now))
    }

    /// Lets time go by and does what is due.
    mutating func pass(_ duration: Duration) {
        now += duration
        perform(machine.timePassed(now: now))
    }

    mutating func connect() {
        perform(machine.busConnected(now: now))
    }

    mutating func lose() {
        machine.busLost(now: now)
        calls = []
    }

    /// The bus answers everything it has been asked.
    mutating func driver(modemManager: String? = nil, networkManager: String? = nil) {
        let owners = [ModemManagerModel.busName: modemManager, NetworkManagerModel.busName: networkManager]
        for call in take(where: { $0.destination == BusName.driver }) {
            if call.method.member == "GetNameOwner", let name = call.method.arguments.first {
                if let owner = owners[name] ?? nil {
                    receive(.reply(to: call.serial, sender: BusName.driver, body: [.string(owner)]))
                } else {
                    receive(.refusal(of: call.serial, sender: BusName.driver))
                }
            } else {
                receive(.reply(to: call.serial, sender: BusName.driver, body: []))
            }
        }
    }

    /// A name changes hands; nil means that nobody has it any more.
    mutating func owner(of name: String, is owner: String?) {
        signal(
            from: BusName.driver, BusName.driverPath, BusName.driver, "NameOwnerChanged",
            [.string(name), .string(""), .string(owner ?? "")])
    }

    mutating func signal(
        from sender: String, _ path: String, _ interface: String, _ member: String, _ body: [BusValue]?
    ) {
        receive(.signal(BusSignal(sender: sender, path: path, interface: interface, member: member, body: body)))
    }

    /// Answers the one call that is outstanding for that member and path.
    mutating func answer(
        _ member: String, _ path: String, _ body: [BusValue]?, from sender: String? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let matching = take { $0.method.member == member && $0.method.path == path }
        #expect(matching.count == 1, "outstanding: \(calls.map(\.method))", sourceLocation: sourceLocation)
        for call in matching {
            receive(.reply(to: call.serial, sender: sender ?? call.destination, body: body))
        }
    }

    /// Refuses every outstanding call for that path.
    mutating func refuse(_ path: String) {
        for call in take(where: { $0.method.path == path }) {
            receive(.refusal(of: call.serial, sender: call.destination))
        }
    }

    private mutating func take(where isWanted: (BusCall) -> Bool) -> [BusCall] {
        let taken = calls.filter(isWanted)
        calls.removeAll(where: isWanted)
        return taken
    }
}
