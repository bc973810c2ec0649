import DesktopMocks
import DesktopServices
import TestSupport
import Testing
import Timing

@Suite("Anything a daemon may send")
struct FuzzTests {
    static let texts = [
        "", "wwan0", "eth0", "/", "x", "AccessTechnologies", "Ports", "Bearers", "State", "Metered", "Devices",
        "Interface", "IpInterface", "RegistrationState", "Connectivity", ModemManager.modem, ModemManager.bearer,
        ModemManager.registration, NetworkManager.manager, NetworkManager.device, "a-name-that-is-much-too-long",
    ]
    static let paths = [
        ModemManager.path, ModemManager.modem0, ModemManager.bearer0, NetworkManager.path, NetworkManager.device(1),
        "/",
    ]

    /// Any value, nested at random.
    static func value(depth: Int, _ generator: inout SeededGenerator) -> BusValue {
        switch Int.random(in: 0..<(depth > 0 ? 16 : 11), using: &generator) {
        case 0: .byte(UInt8.random(in: 0...255, using: &generator))
        case 1: .bool(Bool.random(using: &generator))
        case 2: .int32(Int32(truncatingIfNeeded: generator.next()))
        case 3, 4: .uint32(UInt32(truncatingIfNeeded: generator.next() >> UInt64.random(in: 0...31, using: &generator)))
        case 5: .int64(Int64(truncatingIfNeeded: generator.next()))
        case 6: .double(Double.random(in: -1...1, using: &generator))
        case 7, 8: .string(texts.randomElement(using: &generator) ?? "")
        case 9: .objectPath(paths.randomElement(using: &generator) ?? "/")
        case 10: .unread
        case 11: .array(values(depth: depth, &generator))
        case 12, 13:
            .dictionary(values(depth: depth, &generator).map { .init(value(depth: 0, &generator), $0) })
        case 14: .structure(values(depth: depth, &generator))
        default: .variant(value(depth: depth - 1, &generator))
        }
    }

    static func values(depth: Int, _ generator: inout SeededGenerator) -> [BusValue] {
        (0..<Int.random(in: 0...4, using: &generator)).map { _ in value(depth: depth - 1, &generator) }
    }

    /// A value with one part of it replaced by anything.
    static func mutated(_ value: BusValue, _ generator: inout SeededGenerator) -> BusValue {
        if Int.random(in: 0..<6, using: &generator) == 0 { return Self.value(depth: 3, &generator) }
        switch value {
        case .array(var elements) where !elements.isEmpty:
            let index = elements.indices.randomElement(using: &generator) ?? 0
            elements[index] = mutated(elements[index], &generator)
            return .array(elements)
        case .structure(var fields) where !fields.isEmpty:
            let index = fields.indices.randomElement(using: &generator) ?? 0
            fields[index] = mutated(fields[index], &generator)
            return .structure(fields)
        case .dictionary(var entries) where !entries.isEmpty:
            let index = entries.indices.randomElement(using: &generator) ?? 0
            if Bool.random(using: &generator) {
                entries[index].value = mutated(entries[index].value, &generator)
            } else {
                entries[index].key = mutated(entries[index].key, &generator)
            }
            return .dictionary(entries)
        case .variant(let inner):
            return .variant(mutated(inner, &generator))
        default:
            return Self.value(depth: 2, &generator)
        }
    }

    /// A body of that shape, or nearly, or not at all, or unreadable.
    static func spoiled(_ body: [BusValue], _ generator: inout SeededGenerator) -> [BusValue]? {
        switch Int.random(in: 0..<8, using: &generator) {
        case 0...3: body
        case 4, 5: body.map { mutated($0, &generator) }
        case 6: values(depth: 5, &generator)
        default: nil
        }
    }

    /// What a sound daemon would answer.
    static func answer(_ call: BusCall, _ generator: inout SeededGenerator) -> [BusValue] {
        switch (call.method.member, call.method.arguments.first) {
        case ("GetManagedObjects", _): ModemManager.tree()
        case ("GetNameOwner", _): [.string([":1.10", ":1.20"].randomElement(using: &generator) ?? "")]
        case ("GetAll", NetworkManager.manager): NetworkManager.managerProperties(devices: 1, 2, 3)
        case ("GetAll", NetworkManager.device): NetworkManager.deviceProperties("eth0", 1)
        case ("GetAll", ModemManager.modem): [.properties(ModemManager.properties)]
        case ("GetAll", ModemManager.bearer): [.properties(["Interface": .string("ppp0")])]
        case ("GetAll", _): [.properties(["RegistrationState": .uint32(5)])]
        default: []
        }
    }

    /// A signal that a sound daemon might send.
    static func signal(_ generator: inout SeededGenerator) -> BusSignal {
        let modem =
            [BusValue.paths("/m/1", "/m/2"), .paths(ModemManager.modem0, ModemManager.bearer0)]
            .compactMap(\.objectPaths).joined().randomElement(using: &generator) ?? "/"
        let names = ["Ports", "State", "AccessTechnologies", "Bearers", "Metered", "Devices", "Interface"]
        let changes: [(String, String, [String: BusValue])] = [
            (ModemManager.modem0, ModemManager.modem, ModemManager.properties),
            (ModemManager.modem0, ModemManager.modem, ["Bearers": .paths("/b/1", "/b/2")]),
            (modem, ModemManager.registration, ["RegistrationState": .uint32(2)]),
            (ModemManager.bearer0, ModemManager.bearer, ["Interface": .string("wwan0")]),
            (NetworkManager.path, NetworkManager.manager, ["Metered": .uint32(1)]),
            (NetworkManager.path, NetworkManager.manager, ["Devices": .paths(NetworkManager.device(1), "/d")]),
            (NetworkManager.device(1), NetworkManager.device, ["Metered": .uint32(3), "Interface": .string("x")]),
        ]
        let (path, interface, values) = changes.randomElement(using: &generator) ?? ("/", "", [:])
        let isModem = interface.hasPrefix(ModemManagerModel.busName)
        let sender = isModem ? ":1.10" : ":1.20"
        func make(_ path: String, _ interface: String, _ member: String, _ body: [BusValue]) -> BusSignal {
            BusSignal(sender: sender, path: path, interface: interface, member: member, body: body)
        }
        switch Int.random(in: 0..<10, using: &generator) {
        case 0:
            return make(
                ModemManager.path, BusName.objectManager, "InterfacesAdded",
                [.objectPath(modem), .interfaces([ModemManager.modem: ModemManager.properties])])
        case 1:
            return make(
                ModemManager.path, BusName.objectManager, "InterfacesRemoved",
                [.objectPath(modem), .array([.string(ModemManager.modem)])])
        case 2:
            return make(NetworkManager.path, NetworkManager.manager, "DeviceAdded", [.objectPath("/d")])
        case 3:
            return make(NetworkManager.path, NetworkManager.manager, "DeviceRemoved", [.objectPath("/d")])
        case 4:
            let owner = [":1.10", ":1.11", ":1.20", ""].randomElement(using: &generator) ?? ""
            let name = isModem ? ModemManagerModel.busName : NetworkManagerModel.busName
            return BusSignal(
                sender: BusName.driver, path: BusName.driverPath, interface: BusName.driver,
                member: "NameOwnerChanged", body: [.string(name), .string(""), .string(owner)])
        default:
            let invalidated = names.filter { _ in Int.random(in: 0..<12, using: &generator) == 0 }
            return make(
                path, BusName.properties, "PropertiesChanged",
                [.string(interface), .properties(values), .array(invalidated.map { .string($0) })])
        }
    }

    /// Something for the machine to swallow: mostly what daemons send, and spoiled in every way.
    static func step(_ conversation: inout Conversation, _ generator: inout SeededGenerator) {
        switch Int.random(in: 0..<20, using: &generator) {
        case 0...8:
            guard let index = conversation.calls.indices.randomElement(using: &generator) else { fallthrough }
            let call = conversation.calls.remove(at: index)
            let sound = answer(call, &generator)
            let body = call.destination == BusName.driver ? sound : spoiled(sound, &generator)
            conversation.receive(.reply(to: call.serial, sender: call.destination, body: body))
        case 9...15:
            var signal = signal(&generator)
            signal.body = spoiled(signal.body ?? [], &generator)
            if Int.random(in: 0..<10, using: &generator) == 0 { signal.sender = ":1.66" }
            conversation.receive(.signal(signal))
        case 16:
            let serial = UInt32.random(in: 0...200, using: &generator)
            conversation.receive(.reply(to: serial, sender: ":1.10", body: values(depth: 4, &generator)))
        case 17:
            conversation.receive(.refusal(of: conversation.calls.first?.serial ?? 0, sender: ":1.20"))
        case 18:
            conversation.pass(.seconds(Int.random(in: 0...20, using: &generator)))
        default:
            conversation.perform(conversation.machine.nudge(now: conversation.now))
            if Int.random(in: 0..<20, using: &generator) == 0 { conversation.lose() }
            conversation.connect()
        }
    }

    @Test(
        "no sequence of messages traps, keeps too much, or leaves anything of a daemon that is gone", arguments: 1...40)
    func messages(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var conversation = Conversation(modemManager: ":1.10", networkManager: ":1.20")
        var modems = 0
        var devices = 0
        for _ in 0..<2000 {
            Self.step(&conversation, &generator)
            let facts = conversation.machine.facts
            modems = max(modems, facts.modems.count)
            devices = max(devices, facts.networkManager?.devices.count ?? 0)
        }
        #expect((1...32).contains(modems), "something was understood, and not too much")
        #expect((1...64).contains(devices))
        conversation.owner(of: ModemManagerModel.busName, is: nil)
        conversation.owner(of: NetworkManagerModel.busName, is: nil)
        #expect(conversation.machine.facts == DesktopFacts())
    }

    @Test(
        "a daemon that answers every question with nonsense is asked a bounded number of questions", arguments: 1...20)
    func nonsense(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var conversation = Conversation(modemManager: ":1.10", networkManager: ":1.20")
        var answered = 0
        while answered < 20_000 {
            guard let call = conversation.calls.popLast() else {
                guard let deadline = conversation.machine.deadline else { break }
                conversation.pass(max(deadline - conversation.now, .zero))
                continue
            }
            answered += 1
            conversation.receive(
                .reply(
                    to: call.serial, sender: call.destination,
                    body: Self.spoiled(Self.answer(call, &generator), &generator)))
        }
        #expect(answered < 20_000)
        #expect(conversation.machine.deadline == nil)
    }
}
