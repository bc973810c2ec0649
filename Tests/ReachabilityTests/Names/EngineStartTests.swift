import Reachability
import ReachabilityTesting
import Testing

/// The first moments of the engine's thread.
@Suite struct EngineStartTests {
    /// The thread takes what is there, makes itself a bell, and sleeps: what comes in between has none to ring.
    @Test func whoeverStartsWhileTheThreadComesUpIsTold() throws {
        for _ in 0..<100 {
            let lab = NameLab()
            let managers = (0..<50).map { _ in WatchedManager(lab.manager(.default)) }
            for watched in managers { watched.manager.startMonitoring() }
            lab.settle()
            try #require(managers.allSatisfy { $0.statuses == [.viaWiFi] })
        }
    }
}
