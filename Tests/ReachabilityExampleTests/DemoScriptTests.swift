import Testing

@testable import ReachabilityExample

/// The demonstration's steps.
@Suite struct DemoScriptTests {
    /// What the host does by itself may not be undone by names or addresses that are somebody's.
    @Test func onlyAddressesForDocumentationAreUsed() {
        let words = (DemoScript.setUp + DemoScript.steps.flatMap(\.commands)).flatMap { $0.split(separator: " ") }
        let addresses = words.filter { $0.contains(".") }
        #expect(!addresses.isEmpty)
        let documentation = ["192.0.2.", "198.51.100.", "203.0.113."]  // RFC 5737
        #expect(addresses.allSatisfy { address in documentation.contains { address.hasPrefix($0) } })
    }

    @Test func withoutATunnelNoStepIsMissedByTheOthers() {
        // What a tunnel is needed for comes last.
        let needs = DemoScript.steps.map(\.needsTunnel)
        #expect(needs == needs.filter { !$0 } + needs.filter { $0 })
        let others = DemoScript.setUp + DemoScript.steps.filter { !$0.needsTunnel }.flatMap(\.commands)
        #expect(!others.contains { $0.contains(DemoScript.tunnel) })
    }
}
