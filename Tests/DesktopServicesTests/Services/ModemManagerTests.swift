import DesktopMocks
import Testing

@testable import DesktopServices

@Suite("What ModemManager tells")
struct ModemManagerTests {
    @Test("a modem's ports, bearer and technology are known after the first answers")
    func modem() {
        let conversation = Conversation.withModem()
        #expect(
            conversation.machine.facts.modems == [
                Modem(
                    path: ModemManager.modem0, ports: ["wwan0"], bearerInterfaces: ["wwan0"],
                    accessTechnologies: [.lte])
            ])
        #expect(conversation.calls.isEmpty)
        #expect(conversation.machine.deadline == nil, "nothing to wait for")
    }

    @Test("the technology follows the daemon's signals from 4G to 5G to none")
    func technology() {
        var conversation = Conversation.withModem()
        #expect(conversation.machine.facts.generation(interface: "wwan0") == .fourth)
        conversation.modemChanged(["AccessTechnologies": .uint32(0xc000)])
        #expect(conversation.machine.facts.generation(interface: "wwan0") == .fifth)
        conversation.modemChanged(["AccessTechnologies": .uint32(0)])
        #expect(conversation.machine.facts.generation(interface: "wwan0") == nil)
        #expect(conversation.machine.facts.isCellular(interface: "wwan0"))
    }

    @Test("ports follow as well")
    func ports() {
        var conversation = Conversation.withModem()
        conversation.modemChanged(["Ports": .ports(["wwan1": 2, "ttyUSB0": 3])])
        #expect(conversation.machine.facts.modems.first?.ports == ["wwan1"])
    }

    @Test("of a modem's many interfaces no signal is asked for that nothing depends on")
    func signals() {
        let rules = ModemManagerModel.signalRules.filter { $0.contains("PropertiesChanged") }
        #expect(rules.count == 2)
        for interface in [ModemManager.modem, ModemManager.bearer] {
            #expect(rules.contains { $0.hasSuffix("arg0='\(interface)'") }, "\(interface)")
        }
    }

    @Test("a new bearer is asked for its interface, and a bearer that is gone is forgotten")
    func bearers() {
        var conversation = Conversation.withModem()
        let bearer1 = "/org/freedesktop/ModemManager1/Bearer/1"
        conversation.modemChanged(["Bearers": .paths(bearer1)])
        #expect(conversation.machine.facts.modems.first?.bearerInterfaces == [])
        conversation.answer("GetAll", bearer1, [.properties(["Interface": .string("")])])
        #expect(conversation.machine.facts.modems.first?.bearerInterfaces == [])
        conversation.changed(
            from: Conversation.modemManager, bearer1, ModemManager.bearer, ["Interface": .string("ppp0")])
        #expect(conversation.machine.facts.isCellular(interface: "ppp0"))
        conversation.modemChanged(["Bearers": .paths()])
        #expect(!conversation.machine.facts.isCellular(interface: "ppp0"))
        conversation.changed(
            from: Conversation.modemManager, bearer1, ModemManager.bearer, ["Interface": .string("ppp0")])
        #expect(!conversation.machine.facts.isCellular(interface: "ppp0"), "no modem names this bearer")
    }

    @Test("a modem comes and goes with the object manager's signals")
    func addedAndRemoved() {
        var conversation = Conversation.withModem()
        let path = "/org/freedesktop/ModemManager1/Modem/1"
        conversation.signal(
            from: Conversation.modemManager, ModemManager.path, BusName.objectManager, "InterfacesAdded",
            [
                .objectPath(path),
                .interfaces([
                    ModemManager.modem: ["Ports": .ports(["usb0": 2])],
                    ModemManager.registration: ["RegistrationState": .uint32(5)],
                ]),
            ])
        #expect(conversation.machine.facts.isCellular(interface: "usb0"))
        conversation.signal(
            from: Conversation.modemManager, ModemManager.path, BusName.objectManager, "InterfacesRemoved",
            [.objectPath(path), .array([.string(ModemManager.registration)])])
        #expect(conversation.machine.facts.isCellular(interface: "usb0"), "that was another of its interfaces")
        conversation.signal(
            from: Conversation.modemManager, ModemManager.path, BusName.objectManager, "InterfacesRemoved",
            [.objectPath(path), .array([.string(ModemManager.modem)])])
        #expect(!conversation.machine.facts.isCellular(interface: "usb0"))
        #expect(conversation.machine.facts.modems.count == 1)
    }

    @Test("a modem that is told of again and again leaves no bearers behind")
    func toldAgain() {
        var model = ModemManagerModel()
        _ = model.reply(to: ModemManagerModel.root, ModemManager.tree([:]))
        for number in 0..<100 {
            let path = "/org/freedesktop/ModemManager1/Bearer/\(number)"
            let questions = model.signal(
                BusSignal(
                    sender: Conversation.modemManager, path: ModemManager.path, interface: BusName.objectManager,
                    member: "InterfacesAdded",
                    body: [
                        .objectPath(ModemManager.modem0),
                        .interfaces([ModemManager.modem: ["Bearers": .paths(path)]]),
                    ]))
            #expect(questions.map(\.path) == [path])
            _ = model.reply(to: questions[0], [.properties(["Interface": .string("ppp\(number)")])])
            #expect(model.modems.first?.bearerInterfaces == ["ppp\(number)"])
            #expect(model.bearerInterfaces.count == 1)
        }
    }

    @Test("a property that changed to a value not sent is unknown, and asked for")
    func invalidated() {
        var conversation = Conversation.withModem()
        conversation.modemChanged([:], invalidated: ["AccessTechnologies", "SignalQuality"])
        #expect(conversation.machine.facts.modems.first?.accessTechnologies == [])
        #expect(conversation.machine.facts.modems.first?.ports == ["wwan0"])
        var properties = ModemManager.properties
        properties["AccessTechnologies"] = .uint32(0x20)
        conversation.answer("GetAll", ModemManager.modem0, [.properties(properties)])
        #expect(conversation.machine.facts.modems.first?.accessTechnologies == [.umts])
    }

    @Test("the same holds for a bearer's interface")
    func otherInvalidated() {
        var conversation = Conversation.withModem()
        conversation.changed(
            from: Conversation.modemManager, ModemManager.bearer0, ModemManager.bearer, [:],
            invalidated: ["Interface"])
        #expect(conversation.machine.facts.modems.first?.bearerInterfaces == [])
        conversation.answer("GetAll", ModemManager.bearer0, [.properties(["Interface": .string("ppp0")])])
        #expect(conversation.machine.facts.modems.first?.bearerInterfaces == ["ppp0"])
    }

    @Test(
        "a value of the wrong type is unknown, and the rest stays", arguments: ["AccessTechnologies", "Ports"])
    func wrongTypes(name: String) {
        for value in [.string("lte"), .int64(3), .array([.uint32(1)]), .dictionary([]), .unread] as [BusValue] {
            var conversation = Conversation.withModem()
            conversation.modemChanged([name: value])
            let modem = conversation.machine.facts.modems.first
            #expect(modem?.accessTechnologies == (name == "AccessTechnologies" ? [] : [.lte]))
            #expect(modem?.ports == (name == "Ports" ? [] : ["wwan0"]))
        }
    }

    @Test("missing properties are unknown")
    func missing() {
        var conversation = Conversation(modemManager: Conversation.modemManager)
        conversation.answer("GetManagedObjects", ModemManager.path, ModemManager.tree([:]))
        #expect(conversation.machine.facts.modems == [Modem(path: ModemManager.modem0)])
    }

    @Test("names no kernel would take are no ports")
    func badNames() {
        var conversation = Conversation.withModem()
        conversation.modemChanged(["Ports": .ports(["": 2, "../../etc": 2, "a-name-that-is-too-long": 2, "wwan3": 2])])
        #expect(conversation.machine.facts.modems.first?.ports == ["wwan3"])
    }

    @Test("a daemon that claims thousands of modems, ports and bearers is cut short")
    func absurdSizes() {
        var conversation = Conversation(modemManager: Conversation.modemManager)
        let bearers = BusValue.array((0..<5000).map { .objectPath("/b/\($0)") })
        let ports = BusValue.array((0..<5000).map { .structure([.string("p\($0)"), .uint32(2)]) })
        var tree: [String: [String: [String: BusValue]]] = [:]
        for number in 0..<500 { tree["/m/\(number)"] = [ModemManager.modem: ["Bearers": bearers, "Ports": ports]] }
        conversation.answer("GetManagedObjects", ModemManager.path, [.objects(tree)])
        #expect(conversation.machine.facts.modems.count == 32)
        #expect(conversation.machine.facts.modems.allSatisfy { $0.ports.count == 32 })
        #expect(conversation.calls.count == 16, "calls under way are limited")
    }

    @Test("a change that makes no sense has everything asked again")
    func nonsense() {
        var conversation = Conversation.withModem()
        conversation.signal(
            from: Conversation.modemManager, ModemManager.modem0, BusName.properties, "PropertiesChanged",
            [.string(ModemManager.modem), .uint32(3)])
        conversation.signal(
            from: Conversation.modemManager, ModemManager.path, BusName.objectManager, "InterfacesRemoved", nil)
        #expect(conversation.calls.map(\.method) == [ModemManagerModel.root], "once, however often it is wanted")
        conversation.answer("GetManagedObjects", ModemManager.path, [.objects([:])])
        #expect(conversation.machine.facts.modems == [])
        conversation.answer("GetManagedObjects", ModemManager.path, [.objects([:])])
        #expect(conversation.calls.isEmpty)
    }
}
