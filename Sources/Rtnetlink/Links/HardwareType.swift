/// A link's hardware type (ifi_type, linux/if_arp.h ARPHRD_…).
package struct HardwareType: RawRepresentable, Hashable, Sendable {
    package let rawValue: UInt16

    package init(rawValue: UInt16) { self.rawValue = rawValue }

    package static let ethernet = HardwareType(rawValue: 1)
    package static let ppp = HardwareType(rawValue: 512)
    package static let rawIP = HardwareType(rawValue: 519)
    package static let tunnel = HardwareType(rawValue: 768)
    package static let tunnel6 = HardwareType(rawValue: 769)
    package static let loopback = HardwareType(rawValue: 772)
    package static let sit = HardwareType(rawValue: 776)
    /// A wireless monitor, such as mac80211_hwsim's hwsim0: never a path.
    package static let wirelessMonitor = HardwareType(rawValue: 803)
    package static let none = HardwareType(rawValue: 0xfffe)
}
