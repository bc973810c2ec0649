import Foundation
import Reachability
import ReachabilityTesting
import Testing

/// What a manager makes of families and kinds of links.
@Suite struct FamilyAndKindTests {
    @Test(
        arguments: [
            ([.defaultIPv6], .viaWiFi), ([.defaultIPv4], .viaWiFi), ([.defaultIPv4, .defaultIPv6], .viaWiFi),
            ([], .notReachable),
        ] as [([ScriptedPrefix], ReachabilityStatus)])
    func r45_oneFamilyIsEnoughForTheDefaultRoute(prefixes: [ScriptedPrefix], status: ReachabilityStatus) async {
        let scene = Scene { network in
            network.batch { batch in
                batch.addLink("wlan0", .wifi)
                for prefix in prefixes { batch.addRoute(prefix, .leaving(by: "wlan0")) }
            }
        }
        await scene.start()
        #expect(scene.statuses.elements == [status])
    }

    /// A VPN with the default route, above a link that has one of its own.
    private func tunnel(over type: NetworkInterface.InterfaceType?) -> (ScriptedNetwork) -> Void {
        { network in
            network.batch { batch in
                batch.connect("tun0", .other, metric: 50)
                if let type { batch.connect("below0", type, metric: 600) }
            }
        }
    }

    @Test func r47_aDefaultRouteThroughATunnelIsReachable() async {
        let scene = Scene(tunnel(over: .wifi))
        await scene.start()
        #expect(scene.statuses.elements == [.viaWiFi])
        #expect(scene.changes.elements.map(\.flags) == [[.reachable, .transientConnection]])
        #expect(scene.changes.elements.first?.path.availableInterfaces.map(\.name) == ["tun0"])
        #expect(scene.changes.elements.first?.path.underlyingInterface?.name == "below0")
    }

    @Test(arguments: [(false, ReachabilityStatus.viaWiFi), (true, .notReachable)])
    func r48_aTunnelWithNothingBelowItCountsOnlyWhereNoPathBelowIsRequired(
        requires: Bool, status: ReachabilityStatus
    ) async throws {
        let scene = Scene(requiresUnderlyingPath: requires, tunnel(over: .wifi))
        await scene.start()
        #expect(scene.statuses.elements == [.viaWiFi])
        scene.network.setCarrier("below0", false)
        await scene.quiet()
        #expect(scene.manager.status == status)
        let live = try #require(try scene.manager.currentFlags())
        #expect(ReachabilityStatus(live) == status, "the live read says the same")
        scene.network.setCarrier("below0", true)
        await scene.quiet()
        #expect(scene.manager.status == .viaWiFi)
    }

    @Test(
        arguments: [
            (.wifi, .viaWiFi), (.wiredEthernet, .viaWiFi), (.cellular, .viaWWAN), (nil, .viaWiFi),
        ] as [(NetworkInterface.InterfaceType?, ReachabilityStatus)])
    func r49_aTunnelIsOfTheKindOfWhatIsBelow(type: NetworkInterface.InterfaceType?, status: ReachabilityStatus) async {
        let scene = Scene(tunnel(over: type))
        await scene.start()
        #expect(scene.statuses.elements == [status])
        #expect(scene.changes.elements.first?.path.isExpensive == (type == .cellular))
    }

    @Test func r51_wiredIsViaWiFiAndThePathTellsThemApart() async {
        for (name, type) in [("eth0", NetworkInterface.InterfaceType.wiredEthernet), ("wlan0", .wifi)] {
            let scene = Scene { $0.connect(name, type) }
            await scene.start()
            #expect(scene.statuses.elements == [.viaWiFi])
            let path = scene.changes.elements.first?.path
            #expect(path?.availableInterfaces.map(\.type) == [type])
            #expect(path?.usesInterfaceType(.wiredEthernet) == (type == .wiredEthernet))
            #expect(path?.usesInterfaceType(.wifi) == (type == .wifi))
        }
    }

    @Test(
        arguments: [
            (.wifi, .viaWiFi), (.cellular, .viaWWAN), (.wiredEthernet, .viaWiFi), (.other, .viaWiFi),
            // A default route through lo is none.
            (.loopback, .notReachable),
        ] as [(NetworkInterface.InterfaceType, ReachabilityStatus)])
    func r52_everyKindOfLinkHasItsStatus(type: NetworkInterface.InterfaceType, status: ReachabilityStatus) async {
        let scene = Scene { $0.connect("link0", type) }
        await scene.start()
        #expect(scene.statuses.elements == [status])
        #expect(scene.manager.isReachableViaWWAN == (status == .viaWWAN))
        #expect(scene.manager.isReachableViaWiFi == (status == .viaWiFi))
        #expect(scene.manager.localizedStatusString == status.description)
    }

    @Test func r53_aModemWithoutABearerIsNotReachable() async {
        let scene = Scene { $0.batch { $0.addLink("wwan0", .cellular) } }
        await scene.start()
        #expect(scene.statuses.elements == [.notReachable], "no route")
        scene.network.connect("wwan0", .cellular)
        await scene.statuses.first(2)
        scene.network.setCarrier("wwan0", false)
        #expect(await scene.statuses.first(3) == [.notReachable, .viaWWAN, .notReachable], "a route, and no bearer")
        await scene.quiet()
        #expect(scene.changes.elements.last?.reason == .linkDown)
    }

    /// All combinations of the six bits that could matter, by the rule in words.
    @Test func r56_r57_theStatusFollowsTheTruthTableInFull() {
        let bits: [ReachabilityFlags] = [
            .reachable, .connectionRequired, .connectionOnTraffic, .connectionOnDemand, .interventionRequired, .isWWAN,
        ]
        for number in 0..<(1 << bits.count) {
            let flags = bits.indices.filter { number >> $0 & 1 == 1 }.reduce(into: ReachabilityFlags()) {
                $0.insert(bits[$1])
            }
            let connectsByItself =
                !flags.isDisjoint(with: [.connectionOnTraffic, .connectionOnDemand])
                && !flags.contains(.interventionRequired)
            let isUsable = flags.contains(.reachable) && (!flags.contains(.connectionRequired) || connectsByItself)
            let expected: ReachabilityStatus = isUsable ? flags.contains(.isWWAN) ? .viaWWAN : .viaWiFi : .notReachable
            #expect(ReachabilityStatus(flags) == expected, "\(flags)")
        }
    }

    @Test(arguments: [ReachabilityReason.prohibited, .blackhole, .unreachableRoute])
    func r58_whatAPolicyForbidsIsNotReachableAndSaysWhy(reason: ReachabilityReason) async throws {
        let target = ReachabilityTarget.address(try SocketAddress("198.51.100.7"))
        let scene = Scene(target: target) { network in
            network.connect("wlan0", .wifi)
            network.addRoute("198.51.100.0/24", .rejecting(reason))
        }
        await scene.start()
        #expect(scene.statuses.elements == [.notReachable])
        #expect(scene.changes.elements.map(\.reason) == [reason])
    }

    @Test func r59_virtualLinksWithoutADefaultRouteDoNotMatter() async {
        let scene = Scene { network in
            network.batch { batch in
                for name in ["docker0", "veth1", "virbr0", "dummy0"] { batch.addLink(name, .wiredEthernet) }
                batch.addRoute("172.17.0.0/16", .leaving(by: "docker0"))
            }
        }
        await scene.start()
        #expect(scene.statuses.elements == [.notReachable], "they never make it reachable")
        scene.network.connect("wlan0", .wifi)
        await scene.statuses.first(2)
        scene.network.setCarrier("docker0", false)
        scene.network.disconnect("veth1")
        await scene.quiet()
        #expect(scene.statuses.elements == [.notReachable, .viaWiFi], "nor unreachable")
        #expect(scene.changes.elements.count == 2)
    }

    @Test func r60_aLinkWithoutARouteIsNotReachable() async {
        let scene = Scene { $0.batch { $0.addLink("eth0", .wiredEthernet) } }
        await scene.start()
        #expect(scene.statuses.elements == [.notReachable])
    }

    @Test func r61_aRouteWithoutACarrierIsNotReachable() async {
        let scene = Scene { $0.connect("eth0", .wiredEthernet) }
        await scene.start()
        scene.network.setCarrier("eth0", false)
        #expect(await scene.statuses.first(2) == [.viaWiFi, .notReachable])
        #expect(await scene.changes.first(2).last?.reason == .linkDown)
        scene.network.setCarrier("eth0", true)
        #expect(await scene.statuses.first(3).last == .viaWiFi)
    }

    @Test func r84_noCaseIsCalledNone() {
        let cases: [Any] =
            ReachabilityStatus.allCases + ReachabilityReason.allCases + NetworkPath.Status.allCases
            + NetworkInterface.InterfaceType.allCases + ReachabilityTarget.Kind.allCases
        #expect(cases.count > 20)
        for value in cases { #expect(String(reflecting: value).split(separator: ".").last != "none") }
    }
}
