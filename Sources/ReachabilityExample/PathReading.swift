internal import DesktopServices
internal import Reachability

extension NetworkPath {
    /// What packets can leave for, in words.
    var supported: [String] {
        [(supportsIPv4, "IPv4"), (supportsIPv6, "IPv6"), (supportsDNS, "DNS")].filter(\.0).map(\.1)
    }
}

/// What was read of the path.
struct PathReading {
    let path: NetworkPath
    let type: NetworkType
    /// What NetworkManager's own check found, for information; nil where it is not there or does not check.
    let connectivity: String?

    init(_ report: Report) {
        path = NetworkPath(report)
        type = NetworkType(report)
        connectivity = report.path.flatMap { $0.connectivity == .unknown ? nil : "\($0.connectivity)" }
    }
}
