import CoreTelephony
import DesktopServices
import Dispatch
import Synchronization
import Testing

@testable import AANetworkMonitor
@testable import Network
@testable import Reachability
@testable import ReachabilityTesting

@Suite("The drop-in modules say what the library says", .timeLimit(.minutes(1)))
struct DropInTests {
    let scene = PathScene()

    /// A handler that is wrapped once more with each read would overrun the stack when it is called.
    @Test func aHandlerIsReadBackAsItWasSetHoweverOftenItIsRead() throws {
        let calls = Atomic(0)
        let monitor = NWPathMonitor()
        monitor.pathUpdateHandler = { _ in calls.add(1, ordering: .relaxed) }
        for _ in 0..<200_000 { _ = monitor.pathUpdateHandler }
        monitor.pathUpdateHandler?(NWPath(try scene.path()))
        #expect(calls.load(ordering: .relaxed) == 1)
    }

    @Test func aPathHasApplesAttributes() throws {
        scene.network.batch { network in
            network.addLink("eth0", .wiredEthernet)
            network.addRoute(.defaultIPv4, .leaving(by: "eth0", gateway: "192.0.2.1"))
            network.addRoute(.defaultIPv6, .leaving(by: "eth0", gateway: "2001:db8::1"))
            network.setMetered("eth0", true)
        }
        let path = NWPath(try scene.path())
        #expect(path.status == .satisfied && path.unsatisfiedReason == .notAvailable)
        #expect(path.availableInterfaces.map(\.name) == ["eth0"])
        #expect(path.availableInterfaces.map(\.index) == [2])
        #expect(path.availableInterfaces.map(\.type) == [.wiredEthernet])
        #expect(path.availableInterfaces.map(\.debugDescription) == ["eth0"])
        #expect(path.usesInterfaceType(.wiredEthernet) && !path.usesInterfaceType(.wifi))
        #expect(path.isExpensive && !path.isConstrained)
        #expect(path.supportsIPv4 && path.supportsIPv6 && path.supportsDNS)
        #expect(path.localEndpoint == nil && path.remoteEndpoint == nil)
        #expect(
            path.debugDescription
                == "satisfied (Path is satisfied), interface: eth0, ipv4, ipv6, dns, expensive, uses wired")
    }

    @Test func gatewaysAreEndpointsWithPortZero() throws {
        scene.network.batch { network in
            network.addLink("eth0", .wiredEthernet)
            network.addRoute(.defaultIPv4, .leaving(by: "eth0", gateway: "192.0.2.1"))
            network.addRoute(.defaultIPv6, .leaving(by: "eth0", gateway: "2001:db8::1"))
        }
        let gateways = NWPath(try scene.path()).gateways
        let v4 = try #require(IPv4Address("192.0.2.1"))
        let v6 = try #require(IPv6Address("2001:db8::1"))
        #expect(gateways == [.hostPort(host: .ipv4(v4), port: 0), .hostPort(host: .ipv6(v6), port: .any)])
        #expect(gateways.map(\.debugDescription) == ["192.0.2.1:0", "2001:db8::1.0"])
    }

    @Test func textIsAnAddressOrAName() {
        #expect(IPv4Address("192.0.2.1") != nil && IPv6Address("fe80::1") != nil)
        for text in ["", "192.0.2.256", "::1", "example.com", "192.0.2.1:80"] {
            #expect(IPv4Address(text) == nil, "\(text)")
        }
        for text in ["", ":::", "192.0.2.1", "[::1]:80", "example.com"] { #expect(IPv6Address(text) == nil, "\(text)") }
        #expect(NWEndpoint.Host("example.com") == .name("example.com", nil))
        #expect(NWEndpoint.Host("2001:db8::1").debugDescription == "2001:db8::1")
    }

    @Test func typesHaveApplesNames() {
        #expect(
            NWInterface.InterfaceType.allCases.map { "\($0)" }
                == ["other", "wifi", "cellular", "wiredEthernet", "loopback"])
        let types = NWInterface.InterfaceType.allCases
        #expect(types.map { NWInterface.InterfaceType($0.native) } == types)
        #expect(AANetworkType.allCases.map(\.rawValue) == NetworkType.allCases.map(\.rawValue))
        #expect(NetworkType.allCases.map { AANetworkType($0).rawValue } == NetworkType.allCases.map(\.rawValue))
    }

    @Test func aMonitorThatHasNotStartedHasNothing() {
        let monitor = NWPathMonitor(prohibitedInterfaceTypes: [.cellular])
        #expect(monitor.queue == nil && monitor.pathUpdateHandler == nil)
        #expect(monitor.currentPath.status == .unsatisfied && monitor.currentPath.availableInterfaces.isEmpty)
        monitor.pathUpdateHandler = { _ in }
        #expect(monitor.pathUpdateHandler != nil)
        monitor.pathUpdateHandler = nil
        #expect(monitor.pathUpdateHandler == nil)
        monitor.cancel()
    }

    @Test func constantsOfTechnologiesAreTheirOwnNames() {
        for technology in ScriptedTechnology.allCases {
            let suffix = technology.technologies.radioAccessTechnologySuffix ?? ""
            #expect(Self.constants.contains("CTRadioAccessTechnology" + suffix), "\(technology)")
        }
        #expect(Set(Self.constants).count == 13)
        #expect(CTRadioAccessTechnologyeHRPD == "CTRadioAccessTechnologyeHRPD")
    }

    private static let constants = [
        CTRadioAccessTechnologyGPRS, CTRadioAccessTechnologyEdge, CTRadioAccessTechnologyWCDMA,
        CTRadioAccessTechnologyHSDPA, CTRadioAccessTechnologyHSUPA, CTRadioAccessTechnologyCDMA1x,
        CTRadioAccessTechnologyCDMAEVDORev0, CTRadioAccessTechnologyCDMAEVDORevA, CTRadioAccessTechnologyCDMAEVDORevB,
        CTRadioAccessTechnologyeHRPD, CTRadioAccessTechnologyLTE, CTRadioAccessTechnologyNRNSA,
        CTRadioAccessTechnologyNR,
    ]
}
