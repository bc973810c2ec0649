internal import Glibc

/// Reads from sysfs what kind of device a link is.
///
/// sysfs shows the links of the namespace it was mounted in, which need not be ours: a device is believed only if its
/// index and hardware address are those that netlink told.
package struct DeviceReader: Sendable {
    private let root: String

    /// `root` is the folder with one entry a link.
    package init(root: String = "/sys/class/net") {
        self.root = root
    }

    package func facts(of link: Link) -> Link.DeviceFacts {
        // A name with a slash would lead out of the folder; the kernel allows none, a bad message could.
        guard !link.name.contains("/"), link.name != ".", link.name != ".." else { return .unknown }
        let folder = "\(root)/\(link.name)"
        guard let index = read("\(folder)/ifindex"), index == String(link.index.rawValue),
            let address = read("\(folder)/address"), address == Self.text(link.hardwareAddress),
            let event = read("\(folder)/uevent")
        else { return .unknown }
        let deviceType = event.split(separator: "\n").first { $0.hasPrefix("DEVTYPE=") }?.dropFirst("DEVTYPE=".count)
        let isWireless = unsafe access("\(folder)/phy80211", F_OK) == 0
        return Link.DeviceFacts(deviceType: deviceType.map(String.init), isWireless: isWireless)
    }

    /// The colon-separated form that sysfs writes a hardware address in.
    private static func text(_ address: [UInt8]) -> String {
        address.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(separator: ":")
    }

    /// A small file without its last line break; nil if it cannot be read.
    private func read(_ path: String) -> String? {
        // Not blocking: whatever is mounted there, the engine's thread must not wait for it.
        let descriptor = unsafe open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 4096)  // one page: sysfs never returns more
        // Sound: read writes at most the array's own count.
        let count = unsafe bytes.withUnsafeMutableBytes { unsafe Glibc.read(descriptor, $0.baseAddress, $0.count) }
        guard count >= 0 else { return nil }
        let text = String(decoding: bytes[..<count], as: UTF8.self)
        return text.hasSuffix("\n") ? String(text.dropLast()) : text
    }
}
