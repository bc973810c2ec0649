import Dispatch
import ReachabilityTesting
import Testing

@testable import Reachability

@Suite("NetStatus", .timeLimit(.minutes(1)))
struct NetStatusTests {
    let scene = PathScene()
    let status: NetStatus

    init() { status = NetStatus(queue: scene.queue, engine: scene.engine) }

    @Test func stoppedItKnowsNothing() {
        scene.network.connect("wwan0", .cellular)
        #expect(!status.isMonitoring)
        #expect(!status.isConnected && !status.isExpensive)
        #expect(status.interfaceType == nil)
        #expect(status.availableInterfacesTypes == nil)
    }

    @Test func startedItSaysWhatConnectsTheHost() {
        scene.network.connect("wlan0", .wifi, metric: 600)
        scene.network.connect("wwan0", .cellular, metric: 700)
        status.startMonitoring()
        #expect(status.isMonitoring)
        scene.settle()
        #expect(status.isConnected && !status.isExpensive)
        #expect(status.interfaceType == .wifi)
        #expect(status.availableInterfacesTypes == [.wifi, .cellular])
        scene.network.disconnect("wlan0")
        scene.settle()
        #expect(status.isConnected && status.isExpensive)
        #expect(status.interfaceType == .cellular)
        scene.network.disconnect("wwan0")
        scene.settle()
        #expect(status.isMonitoring && !status.isConnected && !status.isExpensive)
        #expect(status.interfaceType == nil)
        #expect(status.availableInterfacesTypes == [])
    }

    @Test func stoppedAgainItForgets() {
        scene.network.connect("wlan0", .wifi)
        status.startMonitoring()
        scene.settle()
        status.stopMonitoring()
        #expect(!status.isMonitoring && !status.isConnected)
        #expect(status.interfaceType == nil && status.availableInterfacesTypes == nil)
        status.startMonitoring()
        scene.settle()
        #expect(status.interfaceType == .wifi, "it can be started again")
    }

    @Test func aVPNIsOfTheTypeOfTheLinkUnderIt() {
        scene.network.connect("wlan0", .wifi, metric: 600)
        scene.network.connect("tun0", .other)
        status.startMonitoring()
        scene.settle()
        #expect(status.interfaceType == .wifi)
        #expect(status.availableInterfacesTypes == [.other, .wifi])
    }

    @Test func handlersAreCalledOncePerStartStopAndChange() {
        let log = HeardEvents<String>()
        status.didStartMonitoringHandler = { log.add("start") }
        status.didStopMonitoringHandler = { log.add("stop") }
        status.netStatusChangeHandler = { [scene, weak status] in
            dispatchPrecondition(condition: .onQueue(scene.queue))
            log.add(status?.isConnected == true ? "connected" : "not connected")
        }
        status.stopMonitoring()
        #expect(log.all.isEmpty, "it was not started")
        status.startMonitoring()
        scene.settle()
        status.startMonitoring()
        scene.network.connect("wlan0", .wifi)
        scene.settle()
        status.stopMonitoring()
        status.stopMonitoring()
        scene.network.disconnect("wlan0")
        scene.settle()
        #expect(log.all == ["start", "not connected", "connected", "stop"])
    }

    @Test func aHandlerCanBeReadBackAndTakenAway() {
        let log = HeardEvents<Int>()
        #expect(status.netStatusChangeHandler == nil)
        status.netStatusChangeHandler = { log.add(1) }
        status.netStatusChangeHandler?()
        #expect(log.all == [1])
        status.netStatusChangeHandler = nil
        status.startMonitoring()
        scene.settle()
        #expect(log.all == [1])
    }

    @Test func aHandlerMayStopAndStart() {
        let log = HeardEvents<Bool>()
        status.netStatusChangeHandler = { [weak status] in
            log.add(true)
            guard log.all.count == 1 else { return }
            status?.stopMonitoring()
            status?.startMonitoring()
        }
        status.startMonitoring()
        #expect(log.wait(count: 2) != nil, "the second start tells the state anew")
        #expect(status.isMonitoring)
    }

    @Test func theStartHandlerMayStopItAgain() {
        let log = HeardEvents<String>()
        status.netStatusChangeHandler = { log.add("change") }
        status.didStartMonitoringHandler = { [weak status] in status?.stopMonitoring() }
        status.startMonitoring()
        scene.settle()
        #expect(!status.isMonitoring && log.all.isEmpty)
    }

    @Test func lettingItGoStopsIt() {
        let log = HeardEvents<Int>()
        weak var released: NetStatus?
        do {
            let status = NetStatus(queue: scene.queue, engine: scene.engine)
            status.netStatusChangeHandler = { log.add(1) }
            status.startMonitoring()
            scene.settle()
            released = status
        }
        #expect(released == nil)
        scene.network.connect("wlan0", .wifi)
        scene.settle()
        #expect(log.all == [1])
    }

    @Test func itCanBeUsedFromSeveralThreads() {
        scene.network.connect("wlan0", .wifi)
        status.netStatusChangeHandler = { [weak status] in _ = status?.isConnected }
        DispatchQueue.concurrentPerform(iterations: 4) { [status] thread in
            for round in 0..<200 {
                switch (thread + round) % 4 {
                case 0: status.startMonitoring()
                case 1: _ = (status.interfaceType, status.availableInterfacesTypes, status.isExpensive)
                case 2: status.stopMonitoring()
                default: status.didStartMonitoringHandler = round % 2 == 0 ? nil : {}
                }
            }
        }
        status.startMonitoring()
        scene.settle()
        #expect(status.isConnected && status.interfaceType == .wifi)
        status.stopMonitoring()
        #expect(!status.isConnected)
    }

    @Test func theSharedOneIsOne() {
        #expect(NetStatus.shared === NetStatus.shared)
        #expect(!NetStatus.shared.isMonitoring)
    }
}
