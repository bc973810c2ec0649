package import Timing

/// The whole conversation with the bus as a pure state machine: connection, owners of the daemons' names, questions,
/// time-outs and back-off. Inputs return what to do; nothing here touches the bus or reads a clock.
package struct DesktopMachine: Sendable {
    /// What the caller has to do, in the order given.
    package enum Action: Equatable, Sendable {
        /// Connect to the bus, and tell `busConnected`, `busAbsent` or `busLost`.
        case connect
        /// Drop the connection: the bus does not do what a bus does.
        case disconnect
        /// Send a method call.
        case call(BusCall)
    }

    /// How long a connection must have lasted for the next failure to count as a first one.
    package static let steadyTime: Duration = .seconds(60)

    /// Nudges may come with every route change; between two that have an effect lies at least this.
    package static let nudgeInterval: Duration = .seconds(1)

    private enum Link: Equatable {
        /// No connection and none planned: a nudge starts one.
        case idle
        case waiting(until: Instant)
        case connecting
        case connected(since: Instant)
    }

    /// A question to the bus itself.
    private enum DriverCall: Equatable {
        case addMatch
        case nameOwner(String)
    }

    private var link = Link.idle
    private var backOff = BackOff()
    private var lastNudge: Instant?
    private var serials = SerialNumbers()
    private var driverCalls: [UInt32: DriverCall] = [:]
    private var driverDue: Instant?
    private var modemManager = ServiceMachine<ModemManagerModel>()
    private var networkManager = ServiceMachine<NetworkManagerModel>()
    private var taken = DesktopFacts()
    private var mayDiffer = false

    /// No bus, nothing known, nothing planned.
    package init() {}

    /// When `timePassed` wants to be called; nil while there is nothing to wait for.
    package var deadline: Instant? {
        var deadlines = [driverDue, modemManager.deadline, networkManager.deadline].compactMap { $0 }
        if case .waiting(let time) = link { deadlines.append(time) }
        return deadlines.min()
    }

    /// What is known now.
    package var facts: DesktopFacts {
        DesktopFacts(
            modems: modemManager.trusted?.modems ?? [], networkManager: networkManager.trusted?.facts)
    }

    /// The facts, if they differ from those taken last. To be called once after a batch of inputs: a daemon that tells
    /// of a hundred devices makes one set of facts.
    package mutating func takeFacts() -> DesktopFacts? {
        guard mayDiffer else { return nil }
        mayDiffer = false
        let facts = facts
        guard facts != taken else { return nil }
        taken = facts
        return facts
    }

    // MARK: - The connection

    /// A moment to connect, unless that is done or under way.
    package mutating func lookForBus(now: Instant) -> [Action] {
        switch link {
        case .idle, .waiting:
            link = .connecting
            return [.connect]
        case .connecting, .connected:
            return []
        }
    }

    /// There is nothing to connect to. Where no bus has been, no further try is planned; where one was lost, it is
    /// looked for with back-off, for it may be restarting.
    package mutating func busAbsent(now: Instant) {
        forgetBus()
        link = backOff.isUnderWay ? planned(now: now) : .idle
    }

    /// The connection is up: the bus has greeted us.
    package mutating func busConnected(now: Instant) -> [Action] {
        guard link == .connecting else { return [] }
        link = .connected(since: now)
        driverDue = now + ServiceMachine<ModemManagerModel>.answerLimit
        // The bus takes messages in order, so matches stand before the first answer, and nothing is missed.
        return [
            matches(ModemManagerModel.self), matches(NetworkManagerModel.self),
            [nameOwner(ModemManagerModel.busName), nameOwner(NetworkManagerModel.busName)],
        ].flatMap { $0 }
    }

    /// The connection ended, or did not come about although there is something to connect to.
    package mutating func busLost(now: Instant) {
        if case .connected(let since) = link, now - since >= Self.steadyTime { backOff.reset() }
        forgetBus()
        link = planned(now: now)
    }

    private mutating func planned(now: Instant) -> Link {
        backOff.next(now: now).map { .waiting(until: $0) } ?? .idle
    }

    /// Something about the host changed, a link for example: a good moment to look for a bus or a daemon given up.
    package mutating func nudge(now: Instant) -> [Action] {
        if let lastNudge, now - lastNudge < Self.nudgeInterval { return [] }
        lastNudge = now
        switch link {
        case .idle:
            return lookForBus(now: now)
        case .connected:
            return calls(
                modemManager.nudge(now: now, serials: &serials) + networkManager.nudge(now: now, serials: &serials))
        case .waiting, .connecting:
            return []
        }
    }

    /// Does what is due at `now`.
    package mutating func timePassed(now: Instant) -> [Action] {
        if case .waiting(let time) = link, time <= now { return lookForBus(now: now) }
        if let due = driverDue, due <= now {
            busLost(now: now)
            return [.disconnect]
        }
        return calls(
            modemManager.timePassed(now: now, serials: &serials)
                + networkManager.timePassed(now: now, serials: &serials))
    }

    private mutating func forgetBus() {
        driverCalls = [:]
        driverDue = nil
        modemManager = ServiceMachine()
        networkManager = ServiceMachine()
        mayDiffer = true
    }

    // MARK: - Messages

    /// True for those whose messages can mean something now: the bus itself and the owners of the daemons' names.
    package func hears(_ sender: String) -> Bool {
        sender == BusName.driver || modemManager.owner == sender || networkManager.owner == sender
    }

    /// Takes a message of any sender and content.
    package mutating func receive(_ message: BusMessage, now: Instant) -> [Action] {
        guard case .connected = link else { return [] }
        switch message {
        case .signal(let signal):
            if signal.sender == BusName.driver { return driverSignal(signal, now: now) }
            return calls(
                modemManager.signal(signal, now: now, serials: &serials)
                    + networkManager.signal(signal, now: now, serials: &serials))
        case .reply(let serial, let sender, let body):
            return answer(to: serial, sender: sender, body, now: now)
        case .refusal(let serial, let sender):
            return answer(to: serial, sender: sender, nil, now: now)
        }
    }

    private mutating func answer(
        to serial: UInt32, sender: String, _ body: [BusValue]?, now: Instant
    ) -> [Action] {
        if modemManager.awaits(serial: serial) {
            return calls(modemManager.reply(to: serial, sender: sender, body, now: now, serials: &serials))
        }
        if networkManager.awaits(serial: serial) {
            return calls(networkManager.reply(to: serial, sender: sender, body, now: now, serials: &serials))
        }
        guard sender == BusName.driver, let call = driverCalls.removeValue(forKey: serial) else { return [] }
        if driverCalls.isEmpty { driverDue = nil }
        switch call {
        case .addMatch:
            // Without its signals a daemon's facts would grow stale.
            guard body == nil else { return [] }
            busLost(now: now)
            return [.disconnect]
        case .nameOwner(let name):
            // An error says that the name has no owner.
            let owner = body?.first?.string.flatMap { $0.isEmpty ? nil : $0 }
            return ownerIs(owner, of: name, now: now)
        }
    }

    private mutating func driverSignal(_ signal: BusSignal, now: Instant) -> [Action] {
        guard signal.interface == BusName.driver, signal.member == "NameOwnerChanged", let body = signal.body,
            body.count == 3, let name = body[0].string, let owner = body[2].string
        else { return [] }
        return ownerIs(owner.isEmpty ? nil : owner, of: name, now: now)
    }

    private mutating func ownerIs(_ owner: String?, of name: String, now: Instant) -> [Action] {
        switch name {
        case ModemManagerModel.busName: calls(modemManager.ownerIs(owner, now: now, serials: &serials))
        case NetworkManagerModel.busName: calls(networkManager.ownerIs(owner, now: now, serials: &serials))
        default: []
        }
    }

    private mutating func calls(_ calls: [BusCall]) -> [Action] {
        mayDiffer = true
        return calls.map { .call($0) }
    }

    // MARK: - Questions to the bus

    private mutating func matches<Model: ServiceModel>(_ model: Model.Type) -> [Action] {
        let owner =
            "sender='\(BusName.driver)',path='\(BusName.driverPath)',interface='\(BusName.driver)',"
            + "member='NameOwnerChanged',arg0='\(Model.busName)'"
        let signals = Model.signalRules.map { "sender='\(Model.busName)',\($0)" }
        return ([owner] + signals).map { driverCall(.addMatch, "AddMatch", "type='signal',\($0)") }
    }

    private mutating func nameOwner(_ name: String) -> Action {
        driverCall(.nameOwner(name), "GetNameOwner", name)
    }

    private mutating func driverCall(_ call: DriverCall, _ member: String, _ argument: String) -> Action {
        let serial = serials.next()
        driverCalls[serial] = call
        return .call(
            BusCall(
                serial: serial, destination: BusName.driver,
                method: BusMethod(
                    path: BusName.driverPath, interface: BusName.driver, member: member, arguments: [argument])))
    }
}
