import Reachability

/// Uses the whole of the manager's API from the main actor, in the Swift 6 language mode. That it compiles without a
/// warning is what it is for; run, it shows this host's state.
@main
@MainActor
struct MainActorUse {
    static func main() async throws {
        ReachabilityDiagnostics.handler = { hint in print("hint: \(hint)") }
        let model = ConnectionModel(try ReachabilityManager(domain: "localhost"))
        model.whenBack = { print("back again") }
        model.start()
        print(await model.firstStatus().map(\.description) ?? "gone")
        print(await model.waitForConnection())
        print(model.flagsNow().map(\.description) ?? "not known")
        print(model.describe())
        model.stop()
        for manager in try Targets.managers() { print("\(manager.target): \(try manager.currentFlags() ?? [])") }
        print(Targets.complaint(about: "https://example.com/"))
        print(ReachabilityStatus.allCases.map(\.description), ReachabilityReason.allCases.filter(\.isFault))
    }
}
