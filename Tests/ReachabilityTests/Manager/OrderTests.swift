import Foundation
import Reachability
import ReachabilityTesting
import Synchronization
import TestSupport
import Testing

/// In which order what is told, and that the last word is the newest.
@Suite struct OrderTests {
    @Test func r12_aResultOfAnOlderNetworkIsNeverToldAfterANewerOne() async {
        let scene = Scene()
        // The change comes when the last of the first evaluation's lookups is asked: all before it saw the old network.
        let lookups = Mutex(0)
        let network = scene.network
        network.beforeEachLookup { [weak network] in
            let count = lookups.withLock {
                $0 += 1; return $0
            }
            if count == 6 { network?.connect("wlan0", .wifi) }
        }
        scene.manager.startMonitoring()
        await scene.statuses.last(is: .viaWiFi)
        await scene.quiet()
        #expect(scene.statuses.elements.last == .viaWiFi)
        #expect(scene.manager.status == .viaWiFi)
        #expect(lookups.withLock { $0 } > 6, "the first evaluation saw the old network, another the new")
    }

    @Test func r15_ofOverlappingLookupsOnlyTheLatestIsTold() async throws {
        let scene = Scene(target: try .domain("api.example.com")) { network in
            network.connect("wlan0", .wifi)
            network.setName("api.example.com", .silent)
        }
        scene.manager.startMonitoring()
        await scene.quiet()
        #expect(scene.statuses.elements.isEmpty, "the look-up is still under way")
        // The first is under way for ever; the second one, of the new configuration, answers.
        scene.network.setName("api.example.com", .addresses(["198.51.100.7"]))
        scene.network.changeResolverConfiguration()
        #expect(await scene.statuses.first(1) == [.viaWiFi])
        scene.clock.advance(by: .seconds(15))
        await scene.quiet()
        #expect(scene.statuses.elements == [.viaWiFi], "the time-out of the first is nobody's any more")
    }

    @Test func r16_theNotificationComesFromTheManagerAlone() async {
        let center = NotificationCenter()
        let queue = DispatchQueue(label: "two")
        let network = ScriptedNetwork()
        let first = network.manager(queue: queue, notificationCenter: center)
        let second = network.manager(queue: queue, notificationCenter: center)
        let toFirst = Recorder<Bool>()
        let toAll = Recorder<Bool>()
        let tokens = [
            center.addObserver(forName: .reachabilityDidChange, object: first, queue: nil) { [weak first] note in
                toFirst.record(note.object as? ReachabilityManager === first)
            },
            center.addObserver(forName: .reachabilityDidChange, object: nil, queue: nil) { note in
                toAll.record(note.object is ReachabilityManager)
            },
        ]
        first.startMonitoring()
        second.startMonitoring()
        await toAll.first(2)
        #expect(toFirst.elements == [true])
        #expect(toAll.elements == [true, true])
        withExtendedLifetime(tokens) {}
    }

    @Test func r17_statusIsSetThenBlockThenObserversThenNotification() async {
        let scene = Scene { $0.connect("wwan0", .cellular) }
        let order = Recorder<String>()
        let manager = scene.manager
        manager.setReachabilityStatusChangeBlock { [weak manager] status in
            order.record("block \(status.rawValue) \(manager?.status.rawValue ?? .min)")
        }
        for number in 1...3 {
            scene.keep(
                manager.observe { [weak manager] change in
                    order.record("observer \(number): \(change.new.rawValue) \(manager?.status.rawValue ?? .min)")
                })
        }
        let token = scene.center.addObserver(forName: .reachabilityDidChange, object: nil, queue: nil) { note in
            let told = note.userInfo?[ReachabilityManager.statusUserInfoKey] as? Int
            let status = (note.object as? ReachabilityManager)?.status.rawValue
            order.record("notification \(told ?? .min) \(status ?? .min)")
        }
        manager.startMonitoring()
        await order.first(5)
        scene.network.disconnect("wwan0")
        let all = await order.first(10)
        let one = { (s: Int) in
            ["block \(s) \(s)"] + (1...3).map { "observer \($0): \(s) \(s)" } + ["notification \(s) \(s)"]
        }
        #expect(all == one(1) + one(0))
        scene.center.removeObserver(token)
    }

    @Test func r85_aChangeCarriesTheStatusBeforeAndTheNewOne() async {
        let scene = Scene { $0.connect("wlan0", .wifi) }
        await scene.start()
        scene.network.disconnect("wlan0")
        await scene.statuses.first(2)
        scene.network.connect("wwan0", .cellular)
        await scene.statuses.first(3)
        await scene.quiet()
        #expect(scene.changes.elements.map(\.old) == [.unknown, .viaWiFi, .notReachable])
        #expect(scene.changes.elements.map(\.new) == [.viaWiFi, .notReachable, .viaWWAN])
        #expect(
            scene.notes.elements == [
                Scene.Note(status: 2, previous: -1, isFromManager: true),
                Scene.Note(status: 0, previous: 2, isFromManager: true),
                Scene.Note(status: 1, previous: 0, isFromManager: true),
            ])
    }

    @Test func r20_afterManyFlapsTheLastEventIsTheTruth() async throws {
        let scene = Scene()
        await scene.start()
        var generator = SeededGenerator(seed: 20)
        for _ in 0..<1000 {
            switch Int.random(in: 0..<4, using: &generator) {
            case 0: scene.network.connect("wlan0", .wifi)
            case 1: scene.network.disconnect("wlan0")
            case 2: scene.network.connect("wwan0", .cellular, metric: 700)
            default: scene.network.setCarrier("wlan0", Bool.random(using: &generator))
            }
        }
        await scene.quiet()
        let flags = try #require(try scene.manager.currentFlags())
        #expect(scene.manager.status == ReachabilityStatus(flags))
        #expect(scene.statuses.elements.last == scene.manager.status)
        #expect(scene.changes.elements.last?.flags == flags)
        #expect(zip(scene.statuses.elements, scene.statuses.elements.dropFirst()).allSatisfy { $0 != $1 })
    }
}
