import Dispatch
import Foundation
import Reachability
import Synchronization
import Testing

/// The SCNetworkReachability object on the real kernel (Rules.md, "NetworkReachability").
@Suite(.inNamespace, .serialized) struct NetworkReachabilityKernelTests {
    /// A host with two links to gateways of their own, and the default route by the first. Its engine has others woken for what
    /// is to be told: that is on the queue once the engine has come round.
    private func host() throws -> NetworkNamespace {
        let net = try NetworkNamespace(engine: Engine(bringsItself: false))
        try net.addLink("eth0", "10.0.0.2/24", "2001:db8::2/64", gateway: "10.0.0.1")
        try net.addLink("eth1", "10.0.1.2/24")
        return net
    }

    /// A target that is scheduled, and what it was told.
    private struct Scheduled {
        let net: NetworkNamespace
        let target: NetworkReachability
        let queue = DispatchQueue(label: "scheduled")
        let told = ReadyFlags()

        init(_ net: NetworkNamespace, _ options: NetworkReachability.Options) throws {
            self.net = net
            let (queue, told) = (queue, told)
            target = try net.run { [engine = net.engine] in
                let target = try NetworkReachability(options: options, engine: engine)
                target.setCallback { _, flags in told.add(flags) }
                try target.setDispatchQueue(queue)
                return target
            }
            try settle()
        }

        /// What was told until now; all messages of the kernel have been dealt with.
        func flagsTold() throws -> [UInt32] {
            try settle()
            return told.values
        }

        private func settle() throws {
            try net.settle()
            queue.sync {}
            queue.sync {}
        }

        func end() throws { try target.setDispatchQueue(nil) }
    }

    private final class ReadyFlags: Sendable {
        private let flags = Mutex<[UInt32]>([])
        private let came = DispatchSemaphore(value: 0)

        var values: [UInt32] { flags.withLock { $0 } }

        func add(_ new: ReachabilityFlags) {
            flags.withLock { $0.append(new.rawValue) }
            came.signal()
        }

        func awaitOne() -> Bool { came.wait(timeout: .now() + 10) == .success }
    }

    private func flags(_ net: NetworkNamespace, _ options: NetworkReachability.Options) throws -> UInt32 {
        try net.run { [engine = net.engine] in
            try NetworkReachability(options: options, engine: engine).flags().rawValue
        }
    }

    /// What the tests of Xamarin and PyObjC ask for.
    @Test func xamarinsAndPyObjCsTargets() throws {
        let net = try host()
        let (loopback, anywhere) = (try SocketAddress("127.0.0.1"), try SocketAddress("198.51.100.1"))
        #expect(try flags(net, .init(name: "apple.com")) == 0x2)
        #expect(try flags(net, .init(name: "127.0.0.1")) == 0x30002)
        #expect(try flags(net, .init(name: "10.99.99.99")) == 0x2)
        #expect(try flags(net, .init(name: "::1")) == 0x30002)
        #expect(try flags(net, .init(name: "2001:4860:4860::8844")) == 0)
        #expect(try flags(net, .init(localAddress: loopback, remoteAddress: anywhere)) == 0x2)
        #expect(try flags(net, .init(remoteAddress: anywhere)) == 0x2)
        #expect(try flags(net, .init(localAddress: loopback)) == 0)
        let zero = try SocketAddress("0.0.0.0:20990")
        #expect(try flags(net, .init(localAddress: zero, remoteAddress: anywhere)) == 0x2)
    }

    /// "Local Wi-Fi" is reachable and direct.
    @Test func theLocalWiFiIdiom() throws {
        let net = try host()
        #expect(try flags(net, .init(name: "169.254.0.0")) == 0x20002)
        #expect(try flags(net, .init(name: "0.0.0.0")) == 0x2)
        #expect(try flags(net, .init(name: "localhost")) == 0x30002)
    }

    @Test func aDefaultRouteThatMovesIsToldAndAnotherGatewayIsNot() throws {
        let net = try host()
        let scheduled = try Scheduled(net, .init(name: "198.51.100.1"))
        #expect(try scheduled.flagsTold() == [])
        try net.ip("route replace default via 10.0.0.9 dev eth0")
        #expect(try scheduled.flagsTold() == [])
        let before = try scheduled.target.interfaceIndex()
        try net.ip("route replace default via 10.0.1.1 dev eth1")
        #expect(try scheduled.flagsTold() == [0x2])
        #expect(try scheduled.target.interfaceIndex() != before)
        try net.ip("route del default")
        #expect(try scheduled.flagsTold() == [0x2, 0])
        try scheduled.end()
    }

    /// Carrier takes the kernel up to a second.
    @Test func aLostCarrierIsToldOnceAndSoIsItsReturn() throws {
        let net = try host()
        let scheduled = try Scheduled(net, .init(name: "10.0.0.9"))
        #expect(try scheduled.target.flags().rawValue == 0x20002)
        try net.setCarrier("eth0", false)
        #expect(scheduled.told.awaitOne())
        #expect(try scheduled.flagsTold() == [0])
        try net.setCarrier("eth0", true)
        #expect(scheduled.told.awaitOne())
        #expect(try scheduled.flagsTold() == [0, 0x20002])
        try scheduled.end()
    }

    @Test func routeFlapsWhileTheQueueIsBusyAreOneCallback() throws {
        let net = try host()
        let scheduled = try Scheduled(net, .init(name: "198.51.100.1"))
        scheduled.queue.suspend()
        for _ in 0..<25 { try net.ip("route del default", "route add default via 10.0.0.1 dev eth0") }
        try net.ip("route del default")
        try net.settle()
        scheduled.queue.resume()
        #expect(try scheduled.flagsTold() == [0])
        try scheduled.end()
    }

    @Test func aRequiredInterfaceIsAsked() throws {
        let net = try host()
        #expect(try flags(net, .init(name: "198.51.100.1", requiredInterface: "eth0")) == 0x2)
        #expect(try flags(net, .init(name: "198.51.100.1", requiredInterface: "eth1")) == 0)
        #expect(try flags(net, .init(name: "apple.com", requiredInterface: "eth1")) == 0)
        #expect(throws: NetworkReachabilityError.noSuchInterface("eth7")) {
            try net.run { [engine = net.engine] in
                _ = try NetworkReachability(options: .init(name: "::1", requiredInterface: "eth7"), engine: engine)
            }
        }
    }
}
