internal import CRtnetlink
package import InternetProtocol

/// What one RTM_NEWLINK or RTM_DELLINK says.
///
/// A message may be partial (wireless events carry no more than flags and a name): an attribute that is missing is
/// nil here and says nothing, so a value known before is kept by `apply(to:)`.
package struct LinkMessage: Equatable, Sendable {
    package var index: InterfaceIndex
    package var flags: LinkFlags
    package var hardwareType: HardwareType
    package var name: String?
    package var alternativeNames: [String] = []
    package var operationalState: OperationalState?
    package var hardwareAddress: [UInt8]?
    package var driver: DriverKind?
    package var lower: InterfaceIndex?
    package var lowerIsElsewhere = false
    package var master: InterfaceIndex?
    package var tunnelRemote: IPAddress?
    /// A full description: only such a message may take a master, a lower link or other names away.
    package var isComplete = false
    /// The message is a bridge's word on one of its ports (AF_BRIDGE), not a word on the link itself.
    package var isAboutBridgePort = false

    /// Decodes a payload; nil if even the fixed part is cut.
    package init?(_ payload: RawSpan) {
        guard let header = payload.load(ifinfomsg.self), header.ifi_index > 0 else { return nil }
        index = InterfaceIndex(UInt32(header.ifi_index))
        flags = LinkFlags(rawValue: header.ifi_flags)
        hardwareType = HardwareType(rawValue: header.ifi_type)
        isAboutBridgePort = header.ifi_family == 7  // AF_BRIDGE, linux/socket.h

        var message = self
        forEachAttribute(in: payload, from: aligned(MemoryLayout<ifinfomsg>.size)) { type, value in
            switch type {
            case 1: message.hardwareAddress = value.array()  // IFLA_ADDRESS
            case 3: message.name = value.text()  // IFLA_IFNAME
            case 5: message.lower = value.load(UInt32.self).map { InterfaceIndex($0) }  // IFLA_LINK
            case 10: message.master = value.load(UInt32.self).map { InterfaceIndex($0) }  // IFLA_MASTER
            case 16:  // IFLA_OPERSTATE
                message.operationalState = value.load(UInt8.self).map { OperationalState(rawValue: $0) }
            case 18: message.readInfo(value)  // IFLA_LINKINFO
            case 37: message.lowerIsElsewhere = true  // IFLA_LINK_NETNSID
            case 52: message.readProperties(value)  // IFLA_PROP_LIST
            default: break
            }
        }
        // A full description always has a state and a name (net/core/rtnetlink.c, rtnl_fill_ifinfo); a wireless event
        // has no state (net/wireless/wext-core.c, rtnetlink_ifinfo_prep).
        message.isComplete = message.operationalState != nil && message.name != nil
        self = message
    }

    private mutating func readProperties(_ list: RawSpan) {
        var names: [String] = []
        forEachAttribute(in: list) { type, value in
            if type == 53 { names.append(value.text()) }  // IFLA_ALT_IFNAME
        }
        alternativeNames = names
    }

    private mutating func readInfo(_ info: RawSpan) {
        var driver: DriverKind?
        forEachAttribute(in: info) { type, value in
            if type == 1 { driver = DriverKind(rawValue: value.text()) }  // IFLA_INFO_KIND
        }
        self.driver = driver
        guard let remoteAttribute = driver.flatMap({ Self.remoteAttributes[$0.rawValue] }) else { return }
        var remote: IPAddress?
        forEachAttribute(in: info) { type, data in
            guard type == 2 else { return }  // IFLA_INFO_DATA
            forEachAttribute(in: data) { type, value in
                guard type == remoteAttribute else { return }
                remote = value.byteCount == 4 ? value.address(.v4) : value.address(.v6)
            }
        }
        tunnelRemote = remote.flatMap { $0.isUnspecified ? nil : $0 }
    }

    /// Which attribute of IFLA_INFO_DATA holds the far end (linux/if_tunnel.h, linux/if_link.h).
    private static let remoteAttributes: [String: UInt16] = [
        "gre": 7, "gretap": 7, "ip6gre": 7, "ip6gretap": 7,  // IFLA_GRE_REMOTE
        "ipip": 3, "sit": 3, "ip6tnl": 3,  // IFLA_IPTUN_REMOTE
        "vti": 5, "vti6": 5,  // IFLA_VTI_REMOTE
    ]

    /// The link after this message, given what was known of it before; nil if it has no name yet.
    package func apply(to known: Link?) -> Link? {
        guard let name = name ?? known?.name else { return nil }
        var link = known ?? Link(index: index, name: name)
        link.name = name
        link.flags = flags
        link.hardwareType = hardwareType
        if let operationalState { link.operationalState = operationalState }
        if let hardwareAddress { link.hardwareAddress = hardwareAddress }
        if let driver {
            // Both stand in IFLA_LINKINFO: where there is one without a far end, the tunnel has none any more.
            link.driver = driver
            link.tunnelRemote = tunnelRemote
        }
        if isComplete {
            // A link that is its own lower link has none (IFLA_LINK names itself on some drivers).
            link.lower = lowerIsElsewhere || lower == index ? nil : lower
            link.master = master
            link.alternativeNames = alternativeNames
        }
        return link
    }
}
