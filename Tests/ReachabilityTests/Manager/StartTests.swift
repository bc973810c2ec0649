import Foundation
import Glibc
import Reachability
import ReachabilityTesting
import Testing

/// What a start tells, once, whatever the target and the network.
@Suite struct StartTests {
    @Test func r01_statusIsUnknownUntilTheFirstResultWhichComesAfterTheStart() async {
        let scene = Scene { $0.connect("wlan0", .wifi) }
        #expect(scene.manager.status == .unknown)
        #expect(!scene.manager.isReachable)
        await scene.quiet()
        #expect(scene.statuses.elements.isEmpty, "creating never starts")
        scene.manager.startMonitoring()
        #expect(await scene.statuses.first(1) == [.viaWiFi])
        #expect(scene.manager.isReachable)
    }

    @Test func r05_statusDoesNotStayUnknownWhenTheFirstMessageIsLost() async {
        let scene = Scene()
        // The route comes while the first lookups run, and its message is lost.
        let network = scene.network
        network.beforeEachLookup {
            network.beforeEachLookup(nil)
            network.overrun { $0.connect("eth0", .wiredEthernet) }
        }
        scene.manager.startMonitoring()
        #expect(await scene.statuses.last(is: .viaWiFi).last == .viaWiFi)
    }

    @Test func r05_statusDoesNotStayUnknownOnceTheKernelAnswersAgain() async {
        let scene = Scene { $0.connect("eth0", .wiredEthernet) }
        scene.network.refuse(EMFILE)
        scene.manager.startMonitoring()
        #expect(await scene.changes.first(1).map(\.reason) == [.kernelUnavailable])
        #expect(scene.manager.status == .unknown)
        scene.network.refuse(nil)
        scene.clock.advance(by: .seconds(1))
        #expect(await scene.statuses.last(is: .viaWiFi) == [.unknown, .viaWiFi])
    }

    static let targets: [(name: String, make: @Sendable () throws -> ReachabilityTarget)] = [
        ("default", { .default }),
        ("name", { try .domain("api.example.com") }),
        ("localhost", { try .domain("localhost") }),
        ("IPv4 literal", { try .domain("198.51.100.7") }),
        ("IPv6 literal", { try .domain("2001:db8:1::7") }),
        ("sockaddr", { .address(SocketAddress(in_addr(s_addr: UInt32(0xc633_6407).bigEndian), port: 80)) }),
        ("pair", { try .pair(local: nil, remote: SocketAddress("198.51.100.7")) }),
    ]

    @Test(arguments: targets.indices)
    func r06_everyKindOfTargetGetsExactlyOneInitialEvent(index: Int) async throws {
        let target = try Self.targets[index].make()
        let scene = Scene(target: target) { network in
            network.connect("eth0", .wiredEthernet)
            network.setName("api.example.com", .addresses(["198.51.100.7", "2001:db8:1::7"]))
        }
        await scene.start()
        #expect(scene.statuses.elements == [.viaWiFi], "\(Self.targets[index].name)")
        #expect(scene.changes.elements.map(\.old) == [.unknown])
        #expect(scene.notes.elements.count == 1)
    }

    @Test func r07_startingOfflineTellsNotReachableOnce() async {
        let scene = Scene()
        await scene.start()
        #expect(scene.statuses.elements == [.notReachable])
        #expect(scene.changes.elements.map(\.reason) == [.noRoute])
        #expect(scene.manager.status.isKnownToBeUnreachable)
    }

    @Test func r08_startedOfflineItRecoversWhenARouteComes() async {
        let scene = Scene()
        await scene.start()
        scene.network.connect("wlan0", .wifi)
        #expect(await scene.statuses.first(2) == [.notReachable, .viaWiFi])
    }

    @Test func r10_theInitialEventCanBeLeftOut() async {
        let scene = Scene(announcesInitialStatus: false) { $0.connect("wlan0", .wifi) }
        scene.manager.startMonitoring()
        await scene.quiet()
        #expect(scene.manager.status == .viaWiFi, "the status is set all the same")
        #expect(scene.statuses.elements.isEmpty && scene.changes.elements.isEmpty && scene.notes.elements.isEmpty)
        scene.network.disconnect("wlan0")
        #expect(await scene.statuses.first(1) == [.notReachable])
        await scene.quiet()
        #expect(scene.changes.elements.map(\.old) == [.viaWiFi])
        #expect(scene.notes.elements.map(\.previous) == [ReachabilityStatus.viaWiFi.rawValue])
    }

    @Test func r11_aStableNetworkIsToldOnce() async {
        let scene = Scene { $0.connect("wlan0", .wifi) }
        await scene.start()
        // Messages without a difference are none.
        scene.network.overrun()
        scene.network.addRoute(.defaultIPv4, .leaving(by: "wlan0"))
        await scene.quiet()
        #expect(scene.statuses.elements == [.viaWiFi])
        #expect(scene.notes.elements.count == 1)
        #expect(scene.changes.elements.count == 1)
    }

    @Test func r31_everyOneOfManyStartsIsAnnounced() async {
        let scene = Scene { $0.connect("wlan0", .wifi) }
        let rounds = 1000
        for round in 1...rounds {
            scene.manager.startMonitoring()
            await scene.statuses.first(round)
            scene.manager.stopMonitoring()
        }
        await scene.quiet()
        #expect(scene.statuses.elements == Array(repeating: .viaWiFi, count: rounds))
    }

    @Test func r32_aRestartAnnouncesAnEqualStatusAgain() async {
        let scene = Scene { $0.connect("wlan0", .wifi) }
        await scene.start()
        scene.manager.stopMonitoring()
        await scene.start()
        #expect(scene.statuses.elements == [.viaWiFi, .viaWiFi])
        #expect(scene.notes.elements.map(\.previous) == [-1, 2])
        #expect(scene.changes.elements.map(\.isStatusChange) == [true, false])
    }

    @Test func r33_aRestartAnnouncesWhatChangedMeanwhile() async {
        let scene = Scene { $0.connect("wlan0", .wifi) }
        await scene.start()
        scene.manager.stopMonitoring()
        scene.network.disconnect("wlan0")
        await scene.quiet()
        #expect(scene.manager.status == .viaWiFi, "a stop keeps the last status")
        await scene.start()
        #expect(scene.statuses.elements == [.viaWiFi, .notReachable])
    }

    @Test func r78_aSecondStartIsAStopAndAStart() async {
        let scene = Scene { $0.connect("wlan0", .wifi) }
        await scene.start()
        await scene.start()
        #expect(scene.statuses.elements == [.viaWiFi, .viaWiFi])
        scene.network.disconnect("wlan0")
        await scene.quiet()
        #expect(scene.statuses.elements == [.viaWiFi, .viaWiFi, .notReachable], "one registration, one event")
        scene.manager.stopMonitoring()
        #expect(!scene.manager.isMonitoring)
    }
}
