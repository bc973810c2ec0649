import DesktopMocks
import DesktopServices
import Testing

@Suite("What NetworkManager tells")
struct NetworkManagerTests {
    @Test("the manager's values and each device's are known after the first answers")
    func first() {
        let conversation = Conversation.withDevices()
        #expect(
            conversation.machine.facts.networkManager
                == NetworkManagerFacts(
                    metered: .guessNo, connectivity: .full, devices: ["eth0": .guessNo, "wlan0": .guessYes]))
        #expect(conversation.calls.isEmpty)
        #expect(conversation.machine.deadline == nil, "nothing to wait for")
    }

    @Test("nothing is claimed before the manager has answered")
    func before() {
        let conversation = Conversation(networkManager: Conversation.networkManager)
        #expect(conversation.machine.facts.networkManager == nil)
    }

    @Test("metered follows the signals of the manager and of the device")
    func metered() {
        var conversation = Conversation.withDevices()
        conversation.changed(
            from: Conversation.networkManager, NetworkManager.path, NetworkManager.manager,
            ["Metered": .uint32(1), "Connectivity": .uint32(2)])
        #expect(conversation.machine.facts.networkManager?.metered == .yes)
        #expect(conversation.machine.facts.networkManager?.connectivity == .portal)
        #expect(!conversation.machine.facts.isMetered(interface: "eth0"))
        conversation.changed(
            from: Conversation.networkManager, NetworkManager.device(1), NetworkManager.device,
            ["Metered": .uint32(1)])
        #expect(conversation.machine.facts.isMetered(interface: "eth0"))
        conversation.changed(
            from: Conversation.networkManager, NetworkManager.device(1), NetworkManager.device,
            ["Metered": .uint32(2)])
        #expect(!conversation.machine.facts.isMetered(interface: "eth0"))
    }

    @Test("devices come and go, by the list and by their own signals")
    func devices() {
        var conversation = Conversation.withDevices()
        conversation.changed(
            from: Conversation.networkManager, NetworkManager.path, NetworkManager.manager,
            ["Devices": .paths(NetworkManager.device(2), NetworkManager.device(3))])
        conversation.signal(
            from: Conversation.networkManager, NetworkManager.path, NetworkManager.manager, "DeviceAdded",
            [.objectPath(NetworkManager.device(3))])
        conversation.answer("GetAll", NetworkManager.device(3), NetworkManager.deviceProperties("usb0", 1))
        #expect(conversation.machine.facts.networkManager?.devices == ["wlan0": .guessYes, "usb0": .yes])
        conversation.signal(
            from: Conversation.networkManager, NetworkManager.path, NetworkManager.manager, "DeviceRemoved",
            [.objectPath(NetworkManager.device(2))])
        conversation.signal(
            from: Conversation.networkManager, NetworkManager.path, NetworkManager.manager, "DeviceAdded",
            [.objectPath(NetworkManager.device(4))])
        conversation.answer("GetAll", NetworkManager.device(4), NetworkManager.deviceProperties("eth4", 2))
        #expect(conversation.machine.facts.networkManager?.devices == ["eth4": .no, "usb0": .yes])
        #expect(conversation.calls.isEmpty)
    }

    @Test("an answer for a device that has gone meanwhile changes nothing")
    func late() {
        var conversation = Conversation.withDevices()
        conversation.signal(
            from: Conversation.networkManager, NetworkManager.path, NetworkManager.manager, "DeviceAdded",
            [.objectPath(NetworkManager.device(3))])
        conversation.signal(
            from: Conversation.networkManager, NetworkManager.path, NetworkManager.manager, "DeviceRemoved",
            [.objectPath(NetworkManager.device(3))])
        conversation.answer("GetAll", NetworkManager.device(3), NetworkManager.deviceProperties("usb0", 1))
        #expect(conversation.machine.facts.networkManager?.devices == ["eth0": .guessNo, "wlan0": .guessYes])
    }

    @Test("a device that refuses is unknown, the others stay")
    func refused() {
        var conversation = Conversation(networkManager: Conversation.networkManager)
        conversation.answer("GetAll", NetworkManager.path, NetworkManager.managerProperties(devices: 1, 2))
        conversation.refuse(NetworkManager.device(1))
        conversation.answer("GetAll", NetworkManager.device(2), NetworkManager.deviceProperties("wlan0", 3))
        #expect(conversation.machine.facts.networkManager?.devices == ["wlan0": .guessYes])
        #expect(conversation.machine.deadline == nil)
    }

    @Test("a modem's device stands under its control port and under the interface that carries its traffic")
    func carrier() {
        var conversation = Conversation(networkManager: Conversation.networkManager)
        conversation.answer("GetAll", NetworkManager.path, NetworkManager.managerProperties(devices: 1, 2))
        conversation.answer(
            "GetAll", NetworkManager.device(1), NetworkManager.deviceProperties("cdc-wdm0", 1, carrier: "wwan0"))
        conversation.answer(
            "GetAll", NetworkManager.device(2), NetworkManager.deviceProperties("wwan0", 2, carrier: ""))
        #expect(conversation.machine.facts.isMetered(interface: "wwan0"), "the carrier's word counts")
        #expect(conversation.machine.facts.isMetered(interface: "cdc-wdm0"))
    }

    @Test("AllDevices serves where Devices is missing")
    func allDevices() {
        var conversation = Conversation(networkManager: Conversation.networkManager)
        conversation.answer(
            "GetAll", NetworkManager.path, [.properties(["AllDevices": .paths(NetworkManager.device(1))])])
        conversation.answer("GetAll", NetworkManager.device(1), NetworkManager.deviceProperties("eth0", 1))
        #expect(conversation.machine.facts.networkManager?.metered == .unknown)
        #expect(conversation.machine.facts.isMetered(interface: "eth0"))
    }

    @Test("a value of the wrong type is unknown, and the rest stays")
    func wrongTypes() {
        for value in [.string("yes"), .bool(true), .int32(1), .byte(1), .array([]), .unread] as [BusValue] {
            var conversation = Conversation.withDevices()
            conversation.changed(
                from: Conversation.networkManager, NetworkManager.path, NetworkManager.manager,
                ["Metered": value, "Connectivity": value])
            conversation.changed(
                from: Conversation.networkManager, NetworkManager.device(2), NetworkManager.device, ["Metered": value])
            let facts = conversation.machine.facts.networkManager
            #expect(facts == NetworkManagerFacts(devices: ["eth0": .guessNo, "wlan0": .unknown]))
        }
    }

    @Test("a list of devices of the wrong type leaves none")
    func wrongList() {
        var conversation = Conversation.withDevices()
        conversation.changed(
            from: Conversation.networkManager, NetworkManager.path, NetworkManager.manager,
            ["Devices": .array([.string(NetworkManager.device(1))])])
        #expect(conversation.machine.facts.networkManager?.devices == [:])
    }

    @Test("a property that changed to a value not sent is unknown, and asked for")
    func invalidated() {
        var conversation = Conversation.withDevices()
        conversation.changed(
            from: Conversation.networkManager, NetworkManager.device(2), NetworkManager.device, [:],
            invalidated: ["Metered"])
        #expect(conversation.machine.facts.networkManager?.devices["wlan0"] == .unknown)
        conversation.answer("GetAll", NetworkManager.device(2), NetworkManager.deviceProperties("wlan0", 1))
        #expect(conversation.machine.facts.isMetered(interface: "wlan0"))
        conversation.changed(
            from: Conversation.networkManager, NetworkManager.path, NetworkManager.manager, [:],
            invalidated: ["Metered"])
        #expect(conversation.machine.facts.networkManager?.metered == .unknown)
        #expect(conversation.calls.map(\.method) == [NetworkManagerModel.root])
    }

    @Test("a manager's change on another object is not believed")
    func wrongObject() {
        var conversation = Conversation.withDevices()
        conversation.changed(
            from: Conversation.networkManager, NetworkManager.device(1), NetworkManager.manager,
            ["Metered": .uint32(1)])
        #expect(conversation.machine.facts.networkManager?.metered == .guessNo)
    }

    @Test("hundreds of devices are asked a few at a time, and a daemon that claims more than any host has is cut short")
    func many() {
        var conversation = Conversation(networkManager: Conversation.networkManager)
        let paths = BusValue.array((0..<10_000).map { .objectPath(NetworkManager.device($0)) })
        conversation.answer("GetAll", NetworkManager.path, [.properties(["Devices": paths])])
        var asked = 0
        while let call = conversation.calls.first {
            #expect(conversation.calls.count <= 16)
            asked += 1
            conversation.answer("GetAll", call.method.path, NetworkManager.deviceProperties("d\(asked)", 1))
        }
        #expect(asked == 4096)
        #expect(conversation.machine.facts.networkManager?.devices.count == 4096)
    }
}
