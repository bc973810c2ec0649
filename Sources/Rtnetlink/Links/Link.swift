package import InternetProtocol

/// A network interface as rtnetlink and sysfs describe it.
package struct Link: Hashable, Sendable {
    package var index: InterfaceIndex
    package var name: String
    /// Further names that mean the link just as well (IFLA_ALT_IFNAME).
    package var alternativeNames: [String] = []
    package var flags: LinkFlags
    package var hardwareType: HardwareType
    package var operationalState: OperationalState = .unknown
    /// The hardware address in bytes; empty where the link has none.
    package var hardwareAddress: [UInt8] = []
    package var driver: DriverKind?
    /// The link below (IFLA_LINK); nil as well where it lies in another network namespace (IFLA_LINK_NETNSID).
    package var lower: InterfaceIndex?
    /// The bridge, bond or VRF the link belongs to (IFLA_MASTER).
    package var master: InterfaceIndex?
    /// The far end that a tunnel sends to, where the kernel tells it.
    package var tunnelRemote: IPAddress?
    /// What sysfs says of the device, where sysfs can be believed.
    package var device: DeviceFacts = .unknown

    package init(
        index: InterfaceIndex, name: String, flags: LinkFlags = [.up, .running],
        hardwareType: HardwareType = .ethernet
    ) {
        self.index = index
        self.name = name
        self.flags = flags
        self.hardwareType = hardwareType
    }

    /// What sysfs says of a link's device.
    package struct DeviceFacts: Hashable, Sendable {
        /// DEVTYPE of the uevent file; nil if it has none.
        package var deviceType: String?
        /// True if the device has a wireless physical layer (the phy80211 link).
        package var isWireless: Bool
        /// False if sysfs is missing or shows another namespace's link: then only the name is left to go by.
        package var isKnown: Bool

        package static let unknown = DeviceFacts(deviceType: nil, isWireless: false, isKnown: false)

        package init(deviceType: String?, isWireless: Bool, isKnown: Bool = true) {
            self.deviceType = deviceType
            self.isWireless = isWireless
            self.isKnown = isKnown
        }
    }
}
