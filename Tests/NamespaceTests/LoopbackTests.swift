import Reachability
import Testing

extension Namespaces {
    /// A host with no network at all.
    @Suite struct LoopbackTests {
        @Test(arguments: ["127.0.0.1", "127.9.9.9", "::1"])
        func loopbackAddressesAreTheHostsOwnWithoutANetwork(target: String) throws {
            #expect(try NetworkNamespace().flags(of: target) == 0x30002)
        }

        @Test(arguments: ["192.0.2.1", "2001:db8::1", "default", "0.0.0.0", "::", "169.254.0.0", "224.0.0.1"])
        func nothingElseIsReachableWithoutANetwork(target: String) throws {
            let report = try NetworkNamespace().report(of: target)
            #expect(report.flags == [])
            #expect(report.status == .notReachable)
            #expect(report.reason == .noRoute)
        }

        @Test func loopbackThatIsDownCarriesNothing() throws {
            let net = try NetworkNamespace(loopback: false)
            #expect(try net.flags(of: "::1") == 0)
            #expect(try net.report(of: "default").reason == .noRoute)
            let watch = try net.watch("127.0.0.1")
            #expect(watch.last?.reason == .noRoute)
            try net.ip("link set lo up")
            #expect(watch.recorder.wait { $0.flags.rawValue == 0x30002 })
        }
    }
}
