internal import DesktopServices

/// What connects this host, in one word: Wi-Fi, wired, cellular by generation, or nothing.
public enum NetworkType: String, Hashable, Sendable, CaseIterable {
    /// Connected over a link of a kind that is not known.
    case unknown
    /// Not connected.
    case offline
    /// Over a wireless link (IEEE 802.11).
    case wifi
    /// Over the loopback interface.
    case loopback
    /// Over an Ethernet link, or a virtual one of its shape (veth, bridge).
    case wiredEthernet
    /// Cellular, of a generation that is not known.
    case cellular
    /// GSM, GPRS, EDGE or CDMA 1x.
    case cellular2G
    /// UMTS, HSPA or EV-DO.
    case cellular3G
    /// LTE.
    case cellular4G
    /// New Radio, with LTE beside it or alone.
    case cellular5G

    /// True unless `offline`.
    public var isAvailable: Bool { self != .offline }

    /// The type of a path report.
    ///
    /// Differs from AANetworkMonitor in that a tunnel counts as what lies under it: there a VPN hides the Wi-Fi it runs
    /// over (Rules.md, "Cellular generations").
    package init(_ report: Report) {
        guard report.status.isReachable, let interface = report.interface else {
            self = report.status == .unknown ? .unknown : .offline
            return
        }
        let link = interface.type == .other ? report.underlying ?? interface : interface
        switch link.type {
        case .wifi: self = .wifi
        case .wiredEthernet: self = .wiredEthernet
        case .loopback: self = .loopback
        case .other: self = .unknown
        case .cellular:
            let radio = report.path?.radios.first { $0.interfaces.contains(link.name) }
            self = NetworkType(cellular: radio?.technologies.generation)
        }
    }

    private init(cellular generation: CellularGeneration?) {
        switch generation {
        case .second: self = .cellular2G
        case .third: self = .cellular3G
        case .fourth: self = .cellular4G
        case .fifth: self = .cellular5G
        case nil: self = .cellular
        }
    }
}
