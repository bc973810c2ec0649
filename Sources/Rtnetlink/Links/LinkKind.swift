/// What a link is to reachability: Rules.md, "Kinds of link", as one pure rule.
package enum LinkKind: Hashable, Sendable {
    case wifi
    case cellular
    case wired
    case loopback
    /// A tunnel, or PPP that no modem is known to carry.
    case tunnel
    /// A wireless monitor: never a way for packets.
    case monitor
    case other

    /// Whether the flags of a target reached over the link say `transientConnection`.
    package var isTransient: Bool { self == .tunnel || self == .cellular }
}

extension LinkKind {
    /// The kind of a link by itself, and what says so.
    ///
    /// Order matters: a modem's link may look like a tunnel or like Ethernet, so what says "cellular" comes first.
    package static func find(_ link: Link, isModem: Bool = false) -> LinkKindFinding {
        let isTransparent = link.driver.map { DriverKind.transparent.contains($0) } ?? false
        func found(_ kind: LinkKind, _ evidence: String) -> LinkKindFinding {
            LinkKindFinding(kind: kind, evidence: evidence, dependsOnLinkBelow: isTransparent)
        }
        if link.flags.contains(.loopback) { return found(.loopback, "loopback flag") }
        if link.hardwareType == .wirelessMonitor { return found(.monitor, "hardware type 803") }
        if isModem { return found(.cellular, "claimed by ModemManager") }
        if let evidence = cellularEvidence(link) { return found(.cellular, evidence) }
        if let evidence = wifiEvidence(link) { return found(.wifi, evidence) }
        if let evidence = tunnelEvidence(link) { return found(.tunnel, evidence) }
        if link.hardwareType == .ethernet { return found(.wired, "hardware type Ethernet") }
        return found(.other, "hardware type \(link.hardwareType.rawValue)")
    }

    private static func cellularEvidence(_ link: Link) -> String? {
        if link.device.deviceType == "wwan" { return "DEVTYPE=wwan" }
        if link.driver == .wwan || link.driver == .rmnet { return "link kind \(link.driver?.rawValue ?? "")" }
        if link.hardwareType == .rawIP { return "hardware type RAWIP" }
        return ["wwan", "rmnet"].first { link.name.hasPrefix($0) }.map { "name \($0)*" }
    }

    private static func wifiEvidence(_ link: Link) -> String? {
        if link.device.deviceType == "wlan" { return "DEVTYPE=wlan" }
        if link.device.isWireless { return "phy80211" }
        // A name is only a hint, for where sysfs cannot be asked.
        let isNamedSo = !link.device.isKnown && link.hardwareType == .ethernet && link.name.hasPrefix("wl")
        return isNamedSo ? "name wl*" : nil
    }

    private static func tunnelEvidence(_ link: Link) -> String? {
        if let driver = link.driver, DriverKind.tunnels.contains(driver) {
            // A tap device is made by the tun driver too, and is an Ethernet link.
            return driver == .tun && link.hardwareType == .ethernet ? nil : "link kind \(driver.rawValue)"
        }
        let bare: [HardwareType] = [.none, .ppp, .tunnel, .tunnel6, .sit]
        let isBare = bare.contains(link.hardwareType) && link.flags.contains(.pointToPoint)
        return isBare ? "point-to-point, hardware type \(link.hardwareType.rawValue)" : nil
    }
}
