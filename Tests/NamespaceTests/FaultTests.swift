import CNamespace
import Dispatch
import Glibc
import Reachability
import Testing

extension Namespaces {
    /// Where the kernel cannot be asked, nothing is known, and that is what is told; it passes by itself.
    @Suite struct FaultTests {
        private func wired() throws -> NetworkNamespace {
            let net = try NetworkNamespace()
            try net.addLink("eth0", "10.0.0.2/24", gateway: "10.0.0.1")
            return net
        }

        private static let refusals: [(Int32, ReachabilityReason)] = [
            (EPERM, .notPermitted), (EACCES, .notPermitted), (EMFILE, .kernelUnavailable),
            (EAFNOSUPPORT, .kernelUnavailable),
            (ENOMEM, .kernelUnavailable),
        ]

        @Test(arguments: refusals)
        func refusedNetlinkMeansUnknownForItsReason(code: Int32, reason: ReachabilityReason) throws {
            let net = try wired()
            let refusal = try net.run { namespace_refuse_netlink(code) }
            try #require(refusal == 0, "no seccomp filter can be set")
            let watches = try ["default", "192.0.2.1", "127.0.0.1", "10.0.0.2,192.0.2.1"].map { try net.watch($0) }
            for watch in watches {
                #expect(watch.last?.status == .unknown)
                #expect(watch.last?.reason == reason)
                #expect(watch.last?.flags == [])
            }
            let engine = net.engine
            #expect(throws: ReachabilityError.self) {
                try net.run { try ReachabilityManager(target: .default, queue: .main, engine: engine).currentFlags() }
            }
        }

        @Test(.withProgram) func theProgramSaysThatNothingIsKnown() throws {
            let net = try wired()
            let refusal = try net.run { namespace_refuse_netlink(EPERM) }
            try #require(refusal == 0, "no seccomp filter can be set")
            let (status, text) = try ChildProcess.output(#require(WatchProgram.path), ["status", "--json"], in: net)
            #expect(status == 1)
            #expect(text.contains(#""status":"unknown""#))
            #expect(text.contains(#""reason":"notPermitted""#))
            #expect(text.contains("nothing is known of default"), "the sentence on standard error")
        }

        /// Three for standard input, output and error; what is above is all that is left for the rest.
        @Test(.withProgram, arguments: [4, 5, 6, 7, 8, 9, 10])
        func exhaustedDescriptorsAreRecoveredFrom(count: Int) throws {
            let net = try wired()
            let program = try WatchProgram(in: net, descriptors: count)
            #expect(program.wait { _ in true })
            if program.last?.status != "viaWiFi" {
                #expect(program.last?.status == "unknown")
                #expect(program.last?.reason == "kernelUnavailable")
            } else {
                #expect(count > 4, "there is nothing to sleep on")
            }
            #expect(namespace_limit_descriptors(program.process.id, 256) == 0)
            #expect(program.wait { $0.status == "viaWiFi" })
            let usual = try WatchProgram(in: net)
            #expect(usual.wait { $0.status == "viaWiFi" })
            #expect(
                try program.process.descriptorCount() <= usual.process.descriptorCount(),
                "failed tries leave nothing open")
            try net.ip("route del default")
            #expect(program.wait { $0.status == "notReachable" })
            program.process.signal(SIGTERM)
            #expect([0, 128 + SIGTERM].contains(program.process.wait()))
        }

        /// None at all forbids even to sleep on several; three are those that every program has.
        @Test(.withProgram, arguments: [0, 3]) func aWatchThatRunsNeedsNoMoreDescriptors(limit: Int) throws {
            let net = try wired()
            let program = try WatchProgram(in: net)
            #expect(program.wait { $0.status == "viaWiFi" })
            #expect(namespace_limit_descriptors(program.process.id, UInt(limit)) == 0)
            try net.addLink("eth1", "10.1.0.2/24")
            try net.ip("route replace default via 10.1.0.1 dev eth1")
            #expect(program.wait { $0.interface == "eth1" })
            try net.ip("link del eth1")
            #expect(program.wait { $0.reason == "noRoute" })
            // A sanitizer that looks for leaks at the end opens files.
            if Sanitizer.isOn { #expect(namespace_limit_descriptors(program.process.id, 256) == 0) }
            program.process.signal(SIGTERM)
            #expect(program.process.wait() == 0)
        }
    }
}
