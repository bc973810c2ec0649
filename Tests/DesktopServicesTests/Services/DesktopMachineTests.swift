import DesktopMocks
import DesktopServices
import Testing
import Timing

@Suite("The conversation with the bus")
struct DesktopMachineTests {
    // MARK: Owners

    @Test("a connected bus is asked for signals first and then for the owners, all in one go")
    func greeting() {
        var conversation = Conversation.silent
        conversation.perform(conversation.machine.lookForBus(now: conversation.now))
        #expect(conversation.connects == 1)
        conversation.connect()
        let members = conversation.calls.map(\.method.member)
        #expect(members.suffix(2) == ["GetNameOwner", "GetNameOwner"])
        #expect(members.dropLast(2).allSatisfy { $0 == "AddMatch" })
        #expect(conversation.calls.allSatisfy { $0.destination == BusName.driver })
        #expect(Set(conversation.calls.map(\.serial)).count == conversation.calls.count)
        #expect(conversation.calls.allSatisfy { $0.serial > 1 }, "one is the library's own")
    }

    @Test("without daemons there are no facts, no calls and nothing to wait for")
    func nobody() {
        let conversation = Conversation()
        #expect(conversation.machine.facts == DesktopFacts())
        #expect(conversation.calls.isEmpty)
        #expect(conversation.machine.deadline == nil)
    }

    @Test("a daemon is asked by its unique name, which starts no daemon")
    func uniqueName() {
        let conversation = Conversation(modemManager: ":1.10", networkManager: ":1.20")
        #expect(conversation.calls.map(\.destination).sorted() == [":1.10", ":1.20"])
    }

    @Test("a daemon that goes takes its facts with it at once, and is asked again when it is back")
    func restart() {
        var conversation = Conversation.withModem()
        conversation.owner(of: ModemManagerModel.busName, is: nil)
        #expect(conversation.machine.facts == DesktopFacts())
        #expect(conversation.machine.deadline == nil)
        conversation.owner(of: ModemManagerModel.busName, is: ":1.99")
        conversation.answer("GetManagedObjects", ModemManager.path, ModemManager.tree())
        #expect(conversation.machine.facts.isCellular(interface: "wwan0"))
    }

    @Test("a daemon replaced by another is forgotten, and its late answers and signals are not believed")
    func replaced() {
        var conversation = Conversation(modemManager: ":1.10")
        let old = conversation.calls
        conversation.owner(of: ModemManagerModel.busName, is: ":1.11")
        for call in old {
            conversation.receive(.reply(to: call.serial, sender: ":1.10", body: ModemManager.tree()))
        }
        #expect(conversation.machine.facts == DesktopFacts())
        conversation.calls.removeAll { $0.destination == ":1.10" }
        conversation.answer("GetManagedObjects", ModemManager.path, ModemManager.tree())
        conversation.answer("GetAll", ModemManager.bearer0, [.properties([:])])
        conversation.changed(
            from: ":1.10", ModemManager.modem0, ModemManager.modem, ["AccessTechnologies": .uint32(2)])
        #expect(conversation.machine.facts.modems.first?.accessTechnologies == [.lte])
    }

    @Test("an answer from somebody else is not believed, even with the right serial")
    func stranger() {
        var conversation = Conversation(modemManager: ":1.10")
        let calls = conversation.calls
        for call in calls {
            conversation.receive(.reply(to: call.serial, sender: ":1.66", body: ModemManager.tree()))
            conversation.receive(.refusal(of: call.serial, sender: ":1.66"))
        }
        #expect(conversation.machine.facts == DesktopFacts())
        conversation.answer("GetManagedObjects", ModemManager.path, ModemManager.tree())
        #expect(conversation.machine.facts.modems.count == 1)
    }

    @Test("only the bus says who owns a name")
    func forgedOwner() {
        var conversation = Conversation.withModem()
        conversation.signal(
            from: ":1.66", BusName.driverPath, BusName.driver, "NameOwnerChanged",
            [.string(ModemManagerModel.busName), .string(":1.10"), .string("")])
        #expect(conversation.machine.facts.modems.count == 1)
        for body in [[], [.string(ModemManagerModel.busName)], [.uint32(1), .uint32(2), .uint32(3)]] as [[BusValue]] {
            conversation.signal(
                from: BusName.driver, BusName.driverPath, BusName.driver, "NameOwnerChanged", body)
        }
        #expect(conversation.machine.facts.modems.count == 1)
    }

    @Test("only the bus and the present owners are heard")
    func hears() {
        var conversation = Conversation(modemManager: ":1.10", networkManager: ":1.20")
        #expect([BusName.driver, ":1.10", ":1.20"].allSatisfy { conversation.machine.hears($0) })
        #expect(!conversation.machine.hears(":1.66"))
        conversation.owner(of: ModemManagerModel.busName, is: ":1.11")
        #expect(!conversation.machine.hears(":1.10"))
        #expect(conversation.machine.hears(":1.11"))
        conversation.lose()
        #expect(!conversation.machine.hears(":1.20"))
    }

    @Test("learning the same owner again keeps what is known")
    func sameOwner() {
        var conversation = Conversation.withModem()
        conversation.owner(of: ModemManagerModel.busName, is: Conversation.modemManager)
        #expect(conversation.machine.facts.modems.count == 1)
        #expect(conversation.calls.isEmpty)
    }

    // MARK: Slow and unwilling daemons

    @Test("a daemon that does not answer for ten seconds is not believed until it does")
    func slow() {
        var conversation = Conversation.withDevices()
        conversation.changed(
            from: Conversation.networkManager, NetworkManager.device(1), NetworkManager.device, [:],
            invalidated: ["Metered"])
        #expect(conversation.machine.deadline == conversation.now + .seconds(10))
        conversation.pass(.seconds(9))
        #expect(conversation.machine.facts.networkManager != nil)
        conversation.pass(.seconds(1))
        #expect(conversation.machine.facts.networkManager == nil)
        conversation.answer("GetAll", NetworkManager.device(1), NetworkManager.deviceProperties("eth0", 1))
        #expect(conversation.machine.facts.isMetered(interface: "eth0"))
        #expect(conversation.machine.facts.isMetered(interface: "wlan0"))
        #expect(conversation.machine.deadline == nil)
    }

    @Test("a daemon that never answers is asked eight times in all, and then left alone until it speaks")
    func mute() {
        var conversation = Conversation(modemManager: Conversation.modemManager)
        var asked = 1
        conversation.calls = []
        while let deadline = conversation.machine.deadline, asked < 100 {
            conversation.pass(deadline - conversation.now)
            asked += conversation.calls.count
            conversation.calls = []
        }
        #expect(asked == 8)
        #expect(conversation.machine.facts == DesktopFacts())
        conversation.modemChanged(["State": .int32(3)])
        conversation.answer("GetManagedObjects", ModemManager.path, ModemManager.tree())
        #expect(conversation.machine.facts.isCellular(interface: "wwan0"))
    }

    @Test("a daemon that refuses is asked again with back-off, and at once when it speaks")
    func refusing() {
        var conversation = Conversation(modemManager: Conversation.modemManager)
        conversation.refuse(ModemManager.path)
        #expect(conversation.machine.deadline == conversation.now + .seconds(1))
        conversation.pass(.seconds(1))
        conversation.refuse(ModemManager.path)
        #expect(conversation.machine.deadline == conversation.now + .seconds(2))
        conversation.modemChanged([:])
        conversation.answer("GetManagedObjects", ModemManager.path, ModemManager.tree())
        #expect(conversation.machine.facts.isCellular(interface: "wwan0"))
        conversation.answer("GetAll", ModemManager.bearer0, [.properties([:])])
        #expect(conversation.machine.deadline == nil, "the planned try is off")
    }

    @Test("an answer that cannot be read counts as a refusal", arguments: [nil, [], [.uint32(1)]] as [[BusValue]?])
    func unreadable(body: [BusValue]?) {
        var conversation = Conversation.withModem()
        conversation.signal(
            from: Conversation.modemManager, ModemManager.path, BusName.objectManager, "InterfacesAdded", nil)
        conversation.answer("GetManagedObjects", ModemManager.path, body)
        #expect(conversation.machine.facts == DesktopFacts())
        #expect(conversation.machine.deadline == conversation.now + .seconds(1))
    }

    @Test("the bus answers for a connection that is gone, which is a refusal")
    func gone() {
        var conversation = Conversation(modemManager: Conversation.modemManager)
        for call in conversation.calls { conversation.receive(.refusal(of: call.serial, sender: BusName.driver)) }
        #expect(conversation.machine.deadline == conversation.now + .seconds(1))
    }

    @Test("a daemon given up is asked again on a nudge, and nudges are heard once a second")
    func nudgedDaemon() {
        var conversation = Conversation(modemManager: Conversation.modemManager)
        while let deadline = conversation.machine.deadline {
            conversation.refuse(ModemManager.path)
            conversation.pass(deadline - conversation.now)
        }
        conversation.refuse(ModemManager.path)
        #expect(conversation.calls.isEmpty)
        conversation.perform(conversation.machine.nudge(now: conversation.now))
        #expect(conversation.calls.count == 1)
        conversation.refuse(ModemManager.path)
        conversation.perform(conversation.machine.nudge(now: conversation.now + .milliseconds(999)))
        #expect(conversation.calls.isEmpty)
        conversation.perform(conversation.machine.nudge(now: conversation.now + .seconds(1)))
        #expect(conversation.calls.count == 1)
    }

    // MARK: The bus

    @Test("where there is no bus nothing is planned, and a nudge has it looked for")
    func noBus() {
        var conversation = Conversation.silent
        conversation.perform(conversation.machine.lookForBus(now: conversation.now))
        conversation.machine.busAbsent(now: conversation.now)
        #expect(conversation.machine.deadline == nil)
        conversation.perform(conversation.machine.nudge(now: conversation.now))
        #expect(conversation.connects == 2)
        conversation.machine.busAbsent(now: conversation.now)
        conversation.perform(conversation.machine.lookForBus(now: conversation.now))
        #expect(conversation.connects == 3)
        conversation.perform(conversation.machine.lookForBus(now: conversation.now))
        #expect(conversation.connects == 3, "one at a time")
    }

    @Test("a lost connection takes all facts with it and is made again with back-off")
    func lost() {
        var conversation = Conversation.withModem()
        _ = conversation.machine.takeFacts()
        conversation.lose()
        #expect(conversation.machine.takeFacts() == DesktopFacts())
        #expect(conversation.machine.deadline == conversation.now + .seconds(1))
        conversation.pass(.milliseconds(999))
        #expect(conversation.connects == 1)
        conversation.pass(.milliseconds(1))
        #expect(conversation.connects == 2)
        conversation.connect()
        conversation.driver(modemManager: ":1.3")
        conversation.answer("GetManagedObjects", ModemManager.path, ModemManager.tree())
        #expect(conversation.machine.facts.isCellular(interface: "wwan0"))
    }

    @Test("a lost bus that is not there at first is looked for like one that refuses")
    func restarting() {
        var conversation = Conversation()
        conversation.lose()
        var tries = 0
        while let deadline = conversation.machine.deadline, tries < 100 {
            conversation.pass(deadline - conversation.now)
            tries += 1
            conversation.machine.busAbsent(now: conversation.now)
        }
        #expect(tries == 7)
    }

    @Test("tries end after two minutes; a bus that was steady for a minute starts them over")
    func steady() {
        var conversation = Conversation()
        var tries = 0
        conversation.lose()
        while let deadline = conversation.machine.deadline, tries < 100 {
            conversation.pass(deadline - conversation.now)
            tries += 1
            conversation.lose()
        }
        #expect(tries == 7)
        conversation.perform(conversation.machine.nudge(now: conversation.now))
        conversation.connect()
        conversation.driver()
        conversation.pass(.seconds(59))
        conversation.lose()
        #expect(conversation.machine.deadline == nil)
        conversation.perform(conversation.machine.lookForBus(now: conversation.now))
        conversation.connect()
        conversation.driver()
        conversation.pass(.seconds(60))
        conversation.lose()
        #expect(conversation.machine.deadline == conversation.now + .seconds(1))
    }

    @Test("answers to calls on a lost connection are not believed on the next one")
    func oldSerials() {
        var conversation = Conversation(modemManager: ":1.10")
        let old = conversation.calls
        conversation.lose()
        conversation.pass(.seconds(1))
        conversation.connect()
        conversation.driver(modemManager: ":1.10")
        for call in old {
            conversation.receive(.reply(to: call.serial, sender: ":1.10", body: ModemManager.tree()))
        }
        #expect(conversation.machine.facts == DesktopFacts())
    }

    @Test("a bus that does not answer, or will not pass signals on, is dropped")
    func uselessBus() {
        var conversation = Conversation.silent
        conversation.perform(conversation.machine.lookForBus(now: conversation.now))
        conversation.connect()
        conversation.pass(.seconds(10))
        #expect(conversation.disconnects == 1)
        conversation.pass(.seconds(1))
        #expect(conversation.connects == 2)
        conversation.connect()
        conversation.refuse(BusName.driverPath)
        #expect(conversation.disconnects == 2)
        #expect(conversation.machine.deadline == conversation.now + .seconds(2))
    }

    @Test("messages without a connection change nothing")
    func unconnected() {
        var machine = DesktopMachine()
        let actions = machine.receive(
            .reply(to: 2, sender: BusName.driver, body: [.string(":1.1")]), now: Instant.now)
        #expect(actions.isEmpty)
        #expect(machine.facts == DesktopFacts())
    }

    // MARK: Telling

    @Test("facts are given out when they differ, and once")
    func takeFacts() {
        var conversation = Conversation.withModem()
        #expect(conversation.machine.takeFacts()?.modems.count == 1)
        #expect(conversation.machine.takeFacts() == nil)
        conversation.modemChanged(["AccessTechnologies": .uint32(0x4000)])
        #expect(conversation.machine.takeFacts() == nil, "said again, but not different")
        conversation.modemChanged(["AccessTechnologies": .uint32(0x8000)])
        #expect(conversation.machine.takeFacts()?.generation(interface: "wwan0") == .fifth)
    }

    @Test("a change there and back between two takings tells nothing")
    func thereAndBack() {
        var conversation = Conversation.withModem()
        _ = conversation.machine.takeFacts()
        conversation.modemChanged(["AccessTechnologies": .uint32(0x8000)])
        conversation.modemChanged(["AccessTechnologies": .uint32(0x4000)])
        #expect(conversation.machine.takeFacts() == nil)
    }
}
