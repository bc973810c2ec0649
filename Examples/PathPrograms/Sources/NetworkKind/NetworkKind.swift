import CoreTelephony
import Network

/// The kinds of network that a player chooses its bit rate by.
enum NetworkKind: String {
    case offline, wifi, wired, slowCellular, fastCellular, unknown

    init(_ path: NWPath, _ telephony: CTTelephonyNetworkInfo) {
        guard path.status == .satisfied else {
            self = .offline
            return
        }
        if path.usesInterfaceType(.wifi) {
            self = .wifi
        } else if path.usesInterfaceType(.wiredEthernet) {
            self = .wired
        } else if path.usesInterfaceType(.cellular) {
            self = NetworkKind.cellular(telephony)
        } else {
            self = .unknown
        }
    }

    private static func cellular(_ telephony: CTTelephonyNetworkInfo) -> NetworkKind {
        guard let service = telephony.dataServiceIdentifier,
            let technology = telephony.serviceCurrentRadioAccessTechnology?[service]
        else { return .slowCellular }
        switch technology {
        case CTRadioAccessTechnologyGPRS, CTRadioAccessTechnologyEdge, CTRadioAccessTechnologyCDMA1x:
            return .slowCellular
        case CTRadioAccessTechnologyWCDMA, CTRadioAccessTechnologyHSDPA, CTRadioAccessTechnologyHSUPA,
            CTRadioAccessTechnologyCDMAEVDORev0, CTRadioAccessTechnologyCDMAEVDORevA,
            CTRadioAccessTechnologyCDMAEVDORevB, CTRadioAccessTechnologyeHRPD:
            return .slowCellular
        case CTRadioAccessTechnologyLTE, CTRadioAccessTechnologyNRNSA, CTRadioAccessTechnologyNR:
            return .fastCellular
        default:
            return .fastCellular
        }
    }
}
