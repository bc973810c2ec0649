import Reachability
import Testing

@testable import ReachabilityExample

/// How long `status` and `wait` wait.
@Suite struct PatienceTests {
    private func patience(_ words: String...) throws -> Patience {
        Patience(try Options(["ReachabilityExample", "wait", "--timeout", "0"] + words))
    }

    private func runOut(_ patience: inout Patience, lookingAgainAt positions: [Int]? = nil) -> Bool {
        positions.map { patience.runOut(lookingAgainAt: $0) } ?? patience.runOut()
    }

    @Test func theKernelIsGivenOneLookEvenWithoutTime() throws {
        var patience = try patience("default", "10.0.0.1", "example.org")
        #expect(!runOut(&patience))
        patience.heard(of: 0)
        #expect(!patience.isOver)
        patience.heard(of: 1)
        #expect(patience.isOver, "names are not waited for")
    }

    @Test func onceItsLookIsOverNothingIsWaitedFor() throws {
        var patience = try patience("default")
        #expect(!runOut(&patience))
        #expect(runOut(&patience))
    }

    /// A process that was stopped knows only what was then.
    @Test func whatWasNotReachableIsLookedAtOnceMore() throws {
        var patience = try patience("default", "10.0.0.1")
        patience.heard(of: 0)
        patience.heard(of: 1)
        #expect(!runOut(&patience, lookingAgainAt: [1]))
        #expect(!patience.isOver)
        patience.heard(of: 1)
        #expect(patience.isOver)
    }

    @Test func whereAllIsReachableThereIsNothingToLookAt() throws {
        var patience = try patience("default")
        patience.heard(of: 0)
        #expect(runOut(&patience, lookingAgainAt: []))
    }
}
