import Foundation
import Reachability
import ReachabilityTesting
import Testing

/// Everybody who listens is told, and is told apart.
@Suite struct ListenerTests {
    @Test func r23_theBlockIsOneObserversAreMany() async {
        let scene = Scene { $0.connect("wlan0", .wifi) }
        let second = Recorder<ReachabilityStatus>()
        let observers = (0..<5).map { _ in Recorder<ReachabilityStatus>() }
        var tokens = observers.map { observer in scene.manager.observe { observer.record($0.new) } }
        scene.manager.setReachabilityStatusChangeBlock { second.record($0) }
        scene.manager.startMonitoring()
        await second.first(1)
        await scene.quiet()
        #expect(scene.statuses.elements.isEmpty, "another block took the place of the first")
        for observer in observers { #expect(observer.elements == [.viaWiFi]) }
        tokens[1].cancel()
        tokens.remove(at: 3)
        scene.network.disconnect("wlan0")
        await second.first(2)
        await scene.quiet()
        for index in [0, 2, 4] { #expect(observers[index].elements == [.viaWiFi, .notReachable]) }
        for index in [1, 3] { #expect(observers[index].elements == [.viaWiFi], "cancelled, or let go of") }
        withExtendedLifetime(tokens) {}
    }

    @Test func observersAreToldInTheOrderInWhichTheyCame() async {
        let scene = Scene { $0.connect("wlan0", .wifi) }
        let order = Recorder<Int>()
        let tokens = (0..<20).map { number in scene.manager.observe { _ in order.record(number) } }
        await scene.start()
        #expect(order.elements == Array(0..<20))
        withExtendedLifetime(tokens) {}
    }

    @Test func anObserverThatAnotherOneCancelsIsNotToldAnyMore() async {
        let scene = Scene { $0.connect("wlan0", .wifi) }
        let told = Recorder<String>()
        let victim = Recorder<ReachabilityObservation>()
        let first = scene.manager.observe { _ in
            told.record("first")
            victim.elements.first?.cancel()
        }
        victim.record(scene.manager.observe { _ in told.record("second") })
        await scene.start()
        #expect(told.elements == ["first"])
        withExtendedLifetime(first) {}
    }

    @Test func r24_aStopEndsTheTokensTooAndSaysWhoStopped() async throws {
        let target = ReachabilityTarget.address(try SocketAddress("198.51.100.24"))
        let hints = Hints.recorder(of: target)
        let scene = Scene(target: target) { $0.connect("wlan0", .wifi) }
        await scene.start()
        for _ in 0..<3 {
            scene.manager.stopMonitoring(); scene.manager.stopMonitoring(); scene.manager.startMonitoring()
        }
        scene.manager.stopMonitoring(fileID: "SomebodyElse/Teardown.swift", line: 7)
        scene.network.disconnect("wlan0")
        await scene.quiet()
        #expect(scene.changes.elements.last?.new == .viaWiFi)
        let callers = hints.elements.map { hint in
            if case .stoppedWhileObserved(target, 1, let caller) = hint { caller } else { "" }
        }
        try #require(callers.count == 2, "a caller is named once however often it stops: \(callers)")
        #expect(callers[0].hasPrefix("ReachabilityTests/ListenerTests.swift:"))
        #expect(callers[1] == "SomebodyElse/Teardown.swift:7")
        // A start brings the tokens back.
        let before = scene.changes.elements.count
        await scene.start()
        #expect(scene.changes.elements.count == before + 1)
    }

    @Test func r24_aStopThatNobodyMindsIsNoHint() async throws {
        let target = ReachabilityTarget.address(try SocketAddress("198.51.100.124"))
        let hints = Hints.recorder(of: target)
        let network = ScriptedNetwork()
        let manager = network.manager(target: target, queue: DispatchQueue(label: "unobserved"))
        manager.startMonitoring()
        manager.stopMonitoring()
        await manager.quiet()
        #expect(hints.elements.isEmpty)
    }

    @Test func r28_anotherPathWithAnEqualStatusIsToldToObserversAndChangesAlone() async {
        let scene = Scene { network in
            network.connect("wlan0", .wifi, metric: 600)
            network.connect("eth0", .wiredEthernet, metric: 100)
        }
        await scene.start()
        let seen = Recorder<ReachabilityChange>()
        let manager = scene.manager
        let reader = Task { for await change in manager.changes { seen.record(change) } }
        await seen.first(1)
        scene.network.disconnect("eth0")
        await scene.changes.first(2)
        // Another gateway on the same link is another path, too.
        scene.network.batch { batch in
            batch.removeRoutes(.defaultIPv4)
            batch.addRoute(.defaultIPv4, .leaving(by: "wlan0", gateway: "192.0.2.254"))
        }
        await scene.changes.first(3)
        await seen.first(3)
        await scene.quiet()
        #expect(scene.statuses.elements == [.viaWiFi] && scene.notes.elements.count == 1)
        for changes in [scene.changes.elements, seen.elements] {
            #expect(changes.map(\.path.availableInterfaces.first?.name) == ["eth0", "wlan0", "wlan0"])
            #expect(changes.map { $0.path.gateways.map(\.description) } == [[], [], ["192.0.2.254"]])
            #expect(changes.map(\.isStatusChange) == [true, false, false])
            #expect(zip(changes, changes.dropFirst()).allSatisfy { $0.path.generation < $1.path.generation })
        }
        reader.cancel()
    }

    @Test func r29_whatHappenedWhileMessagesWereLostIsCorrected() async {
        let scene = Scene { $0.connect("wlan0", .wifi) }
        await scene.start()
        scene.network.overrun { $0.disconnect("wlan0") }
        #expect(await scene.statuses.first(2) == [.viaWiFi, .notReachable])
        #expect(await scene.changes.first(2).last?.path.causes == ["overrun"])
    }

    @Test func r65_aSwitchOverTheStatusIsExhaustiveAndItsValuesTravelBetweenThreads() async {
        let scene = Scene { $0.connect("wwan0", .cellular) }
        await scene.start()
        let words = scene.statuses.elements.map { status in
            switch status {
            case .unknown: "unknown"
            case .notReachable: "no"
            case .viaWWAN: "cellular"
            case .viaWiFi: "wifi"
            }
        }
        #expect(words == ["cellular"])
        func requireSendable(_: (some Sendable).Type) {}
        requireSendable(ReachabilityStatus.self)
        requireSendable(ReachabilityChange.self)
        requireSendable(ReachabilityManager.self)
    }
}
