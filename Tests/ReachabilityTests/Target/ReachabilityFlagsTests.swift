import Reachability
import Testing

@Suite struct ReachabilityFlagsTests {
    /// The truth table of AFNetworking: reachable, required, automatic, intervention; nil is any.
    @Test(
        arguments: [
            (false, nil, nil, nil, ReachabilityStatus.notReachable),
            (true, false, nil, nil, .viaWiFi),
            (true, true, false, nil, .notReachable),
            (true, true, true, false, .viaWiFi),
            (true, true, true, true, .notReachable),
        ] as [(Bool?, Bool?, Bool?, Bool?, ReachabilityStatus)])
    func statusFollowsTheTruthTable(
        reachable: Bool?, required: Bool?, automatic: Bool?, intervention: Bool?, status: ReachabilityStatus
    ) {
        let automaticFlags: [ReachabilityFlags] = [.connectionOnDemand, .connectionOnTraffic]
        for r in either(reachable) {
            for c in either(required) {
                for a in either(automatic) {
                    for i in either(intervention) {
                        for automaticFlag in automaticFlags {
                            var flags: ReachabilityFlags = []
                            if r { flags.insert(.reachable) }
                            if c { flags.insert(.connectionRequired) }
                            if a { flags.insert(automaticFlag) }
                            if i { flags.insert(.interventionRequired) }
                            #expect(ReachabilityStatus(flags) == status, "\(flags)")
                        }
                    }
                }
            }
        }
    }

    private func either(_ value: Bool?) -> [Bool] { value.map { [$0] } ?? [false, true] }

    @Test func cellularCountsOnlyWhereItCanBeUsed() {
        #expect(ReachabilityStatus([.reachable, .isWWAN]) == .viaWWAN)
        #expect(ReachabilityStatus([.reachable, .transientConnection, .isWWAN]) == .viaWWAN)
        #expect(ReachabilityStatus([.isWWAN]) == .notReachable)
        #expect(ReachabilityStatus([.reachable, .isWWAN, .connectionRequired]) == .notReachable)
    }

    @Test(
        arguments: [
            (0x0, "Not Reachable"), (0x2, "Reachable"), (0x3, "Reachable,Transient Connection"),
            (0x7, "Reachable,Transient Connection,Connection Required"),
            (0x20002, "Reachable,Directly Reachable Address"),
            (0x30002, "Reachable,Local Address,Directly Reachable Address"), (0x10002, "Reachable,Local Address"),
            (0x40003, "Reachable,Transient Connection,WWAN"), (0x8000_0002, "Reachable,0x80000000"),
        ] as [(UInt32, String)])
    func textIsScutils(value: UInt32, text: String) {
        #expect(ReachabilityFlags(rawValue: value).description == text)
    }

    @Test func numbersAreAppleAndAFNetworkings() {
        #expect(ReachabilityFlags.transientConnection.rawValue == 1)
        #expect(ReachabilityFlags.reachable.rawValue == 2)
        #expect(ReachabilityFlags.connectionRequired.rawValue == 4)
        #expect(ReachabilityFlags.connectionOnTraffic.rawValue == 8)
        #expect(ReachabilityFlags.connectionAutomatic == .connectionOnTraffic)
        #expect(ReachabilityFlags.interventionRequired.rawValue == 16)
        #expect(ReachabilityFlags.connectionOnDemand.rawValue == 32)
        #expect(ReachabilityFlags.isLocalAddress.rawValue == 1 << 16)
        #expect(ReachabilityFlags.isDirect.rawValue == 1 << 17)
        #expect(ReachabilityFlags.isWWAN.rawValue == 1 << 18)
        #expect(ReachabilityStatus.allCases.map(\.rawValue) == [-1, 0, 1, 2])
    }
}
