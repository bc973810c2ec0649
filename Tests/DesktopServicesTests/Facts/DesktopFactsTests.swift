import DesktopServices
import Testing

@Suite("Desktop facts")
struct DesktopFactsTests {
    let facts = DesktopFacts(
        modems: [
            Modem(path: "/Modem/0", ports: ["wwan0"], accessTechnologies: [.lte]),
            Modem(path: "/Modem/1", ports: ["usb0"], bearerInterfaces: ["ppp0"], accessTechnologies: [.lte, .nr]),
            Modem(path: "/Modem/2", ports: ["wwan2"]),
        ],
        networkManager: NetworkManagerFacts(
            metered: .yes,
            devices: ["eth0": .no, "wlan0": .guessYes, "wwan0": .yes, "eth1": .guessNo, "eth2": .unknown]
        ))

    @Test("an interface is cellular if a modem claims it as a port or through a bearer")
    func cellular() {
        #expect(facts.isCellular(interface: "wwan0"))
        #expect(facts.isCellular(interface: "usb0"))
        #expect(facts.isCellular(interface: "ppp0"))
        #expect(!facts.isCellular(interface: "eth0"))
        #expect(!facts.isCellular(interface: ""))
        #expect(!DesktopFacts().isCellular(interface: "wwan0"))
    }

    @Test("technology and generation are those of the modem that claims the interface")
    func technologies() {
        #expect(facts.accessTechnologies(interface: "wwan0") == [.lte])
        #expect(facts.generation(interface: "ppp0") == .fifth)
        #expect(facts.accessTechnologies(interface: "wwan2") == [])
        #expect(facts.generation(interface: "wwan2") == nil)
        #expect(facts.accessTechnologies(interface: "eth0") == nil)
    }

    @Test("yes and guess-yes of the device are metered; the manager's own value does not count")
    func metered() {
        #expect(facts.isMetered(interface: "wlan0"))
        #expect(facts.isMetered(interface: "wwan0"))
        for name in ["eth0", "eth1", "eth2", "not-there"] { #expect(!facts.isMetered(interface: name)) }
        #expect(!DesktopFacts().isMetered(interface: "wlan0"))
        #expect(!Metered(rawValue: 77).isMetered)
    }

    @Test("roaming is told by the registration")
    func roaming() {
        #expect(Modem.Registration.roaming.isRoaming)
        #expect(Modem.Registration.roamingSMSOnly.isRoaming)
        for state in [Modem.Registration.idle, .home, .searching, .denied, .unknown, .homeSMSOnly] {
            #expect(!state.isRoaming)
        }
    }
}
