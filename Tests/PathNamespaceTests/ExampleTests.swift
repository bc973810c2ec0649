import DesktopMocks
import Foundation
import Testing

@Suite(
    "Programs written for Apple's systems", .serialized, .timeLimit(.minutes(2)),
    .enabled(if: Laboratory.isPossible, Laboratory.requirement),
    .enabled(if: ExamplePrograms.areBuilt, "needs the programs of Examples/PathPrograms: make examples"))
struct ExampleTests {
    let laboratory: Laboratory

    init() throws {
        laboratory = try Laboratory()
        try laboratory.veth("wlan0")
        try laboratory.disguise("wlan0", as: "wlan")
        try laboratory.connectIPv4("wlan0")
    }

    private func start(_ program: String, _ arguments: String..., bus: PrivateBus? = nil) throws -> ChildProcess {
        try laboratory.start(path: ExamplePrograms.path(of: program), arguments, environment: bus?.environment ?? [:])
    }

    @Test func aViewModelOnNetStatus() throws {
        let view = try start("StatusView")
        #expect(view.line() == "Not monitoring | [Stop monitoring]")
        #expect(view.line() == "Connected by wifi | wifi | [Stop monitoring]")
        try laboratory.tun("wwan0", type: ARPHRD.rawIP)
        try laboratory.connectPointToPoint("wwan0", network: 2, metric: 700)
        #expect(view.line() == "Connected by wifi | wifi, cellular | [Stop monitoring]")
        try laboratory.sh("ip route del default dev wlan0")
        #expect(view.line() == "Connected by cellular | cellular | Data may cost you | [Stop monitoring]")
        try laboratory.sh("ip link set wwan0 down")
        #expect(view.line() == "Not connected | [Stop monitoring]")
        try view.write("tap\n")
        #expect(view.line() == "Not monitoring | [Start monitoring]")
        try view.write("tap\n")
        #expect(view.line() == "Not monitoring | [Stop monitoring]")
        #expect(view.line() == "Not connected | [Stop monitoring]")
    }

    @Test(.enabled(if: PrivateBus.hasMocks, "needs dbus-daemon, gdbus and python3-dbusmock"))
    func networkTypesWithCoreTelephony() throws {
        let bus = try PrivateBus()
        try bus.start()
        _ = try bus.runModemManager()
        let program = try start("NetworkKind", bus: bus)
        #expect(program.line() == "at first wifi")
        #expect(program.line() == "kind wifi")
        try bus.addModem()
        try #require(program.line() == "data by \(ModemManager.modem0), change 1")
        try laboratory.tun("wwan0", type: ARPHRD.rawIP)
        try laboratory.connectPointToPoint("wwan0", network: 2, metric: 700)
        try laboratory.sh("ip route del default dev wlan0")
        let lines = Set([program.line(), program.line()])
        #expect(lines == ["type wifi > cellular4G", "kind fastCellular"])
        try bus.setModem("AccessTechnologies", "uint32 16")
        #expect(Set([program.line(), program.line()]) == ["type cellular4G > cellular2G", "kind slowCellular"])
        try laboratory.sh("ip link set wwan0 down")
        #expect(Set([program.line(), program.line()]) == ["type cellular2G > offline (offline)", "kind offline"])
    }

    @Test func aPlainPathMonitor() throws {
        let index = try laboratory.sh("cat /sys/class/net/wlan0/ifindex").trimmingCharacters(
            in: .whitespacesAndNewlines)
        let program = try start("PathWatch", "--cellular")
        let first = Set([program.line(), program.line()])
        #expect(
            first == ["satisfied wlan0=wifi#\(index) v4 10.1.0.1 dns wifi", "cellular: unsatisfied (No network route)"])
        try laboratory.sh("ip link set wlan0_p down")
        #expect(program.line() == "unsatisfied notAvailable none")
        try laboratory.sh("ip link set wlan0_p up")
        #expect(program.line() == "satisfied wlan0=wifi#\(index) v4 10.1.0.1 dns wifi")
        try laboratory.sh("ip link del wlan0")
        #expect(program.line() == "unsatisfied notAvailable none")
    }
}

/// The programs of Examples/PathPrograms, a package of its own.
enum ExamplePrograms {
    static let areBuilt = ["StatusView", "NetworkKind", "PathWatch"].allSatisfy {
        FileManager.default.isExecutableFile(atPath: path(of: $0))
    }

    static func path(of program: String) -> String {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        return root.appendingPathComponent("Examples/PathPrograms/.build/debug/\(program)").path
    }
}
