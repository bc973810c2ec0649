import NameResolution
import TestSupport
import Testing
import Timing

@testable import Reachability

/// Where descriptors run out while the resolver's configuration is read.
@Suite struct ResolverShortageTests {
    private let now = Instant.now

    @Test func theConfigurationIsReadAgainOnceItCanBe() throws {
        let lookups = withoutDescriptors { ResolverLookups { _, _, _ in } }
        defer { lookups.close() }
        let due = try #require(lookups.deadline(now: now))
        #expect(due > now)
        #expect(!withoutDescriptors { lookups.timePassed(now: due) }, "not yet")
        let again = try #require(lookups.deadline(now: due))
        #expect(again > due)
        #expect(lookups.timePassed(now: again), "it is another configuration than none")
        #expect(lookups.nameservers == ResolverConfiguration.read().nameservers)
        #expect(lookups.deadline(now: again) == nil)
    }

    @Test func aLookupFailsAndDoesNotFindThatThereIsNoServer() throws {
        let lookups = withoutDescriptors { ResolverLookups { _, _, _ in } }
        defer { lookups.close() }
        var outcome: LookupOutcome?
        let name = try HostName("api.test")
        withoutDescriptors { _ = lookups.lookUp(name, early: { _ in }, completion: { outcome = $0 }) }
        _ = lookups.timePassed(now: now)
        guard case .failed(_, let text)? = outcome else {
            Issue.record("\(String(describing: outcome))")
            return
        }
        #expect(text.contains("Too many open files"))
    }
}
