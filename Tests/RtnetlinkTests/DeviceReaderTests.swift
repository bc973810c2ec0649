import Foundation
import Rtnetlink
import TestSupport
import Testing

/// sysfs is believed only where it shows the link that netlink told of.
@Suite final class DeviceReaderTests {
    private let root: URL
    private let link: Link

    init() throws {
        root = FileManager.default.temporaryDirectory.appending(path: "devices-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
        var link = Link(index: InterfaceIndex(7), name: "wlan0")
        link.hardwareAddress = [0x02, 0, 0, 0xab, 0, 0x0f]
        self.link = link
    }

    deinit { try? FileManager.default.removeItem(at: root) }

    /// Writes a link's folder; nil leaves a file out.
    private func write(
        _ name: String = "wlan0", ifindex: String? = "7\n", address: String? = "02:00:00:ab:00:0f\n",
        uevent: Data? = Data("DEVTYPE=wlan\nINTERFACE=wlan0\nIFINDEX=7\n".utf8)
    ) throws {
        let folder = root.appending(path: name)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try ifindex.map { try Data($0.utf8).write(to: folder.appending(path: "ifindex")) }
        try address.map { try Data($0.utf8).write(to: folder.appending(path: "address")) }
        try uevent.map { try $0.write(to: folder.appending(path: "uevent")) }
    }

    private func facts(_ link: Link? = nil) -> Link.DeviceFacts {
        DeviceReader(root: root.path).facts(of: link ?? self.link)
    }

    @Test func theDeviceTypeIsRead() throws {
        try write()
        #expect(facts() == Link.DeviceFacts(deviceType: "wlan", isWireless: false))
    }

    @Test func aWirelessPhysicalLayerIsSeen() throws {
        try write(uevent: Data("INTERFACE=wlan0\n".utf8))
        try FileManager.default.createSymbolicLink(
            at: root.appending(path: "wlan0/phy80211"), withDestinationURL: root)
        #expect(facts() == Link.DeviceFacts(deviceType: nil, isWireless: true))
    }

    @Test func aDeviceWithoutTypeIsKnownToHaveNone() throws {
        try write(uevent: Data("INTERFACE=wlan0\n".utf8))
        #expect(facts() == Link.DeviceFacts(deviceType: nil, isWireless: false, isKnown: true))
        try write(uevent: Data())
        #expect(facts().isKnown)
    }

    @Test func aLinkWithoutHardwareAddressHasAnEmptyFile() throws {
        try write(address: "\n", uevent: Data("DEVTYPE=wwan\n".utf8))
        var bare = link
        bare.hardwareAddress = []
        #expect(facts(bare).deviceType == "wwan")
    }

    @Test func withoutSysfsNothingIsKnown() {
        #expect(facts() == .unknown)
        #expect(DeviceReader(root: "/nonexistent/net").facts(of: link) == .unknown)
    }

    @Test(arguments: ["ifindex", "address", "uevent"]) func aMissingFileMeansUnknown(file: String) throws {
        try write(
            ifindex: file == "ifindex" ? nil : "7\n", address: file == "address" ? nil : "02:00:00:ab:00:0f\n",
            uevent: file == "uevent" ? nil : Data("DEVTYPE=wlan\n".utf8))
        #expect(facts() == .unknown)
    }

    @Test(arguments: ["8\n", "", "07", "7 8", "seven", "7\n\n"])
    func anotherIndexIsAnotherLink(ifindex: String) throws {
        try write(ifindex: ifindex)
        #expect(facts() == .unknown)
    }

    @Test(arguments: ["02:00:00:ab:00:0e\n", "\n", "02:00:00:ab:00", "02-00-00-ab-00-0f"])
    func anotherAddressIsAnotherLink(address: String) throws {
        try write(address: address)
        #expect(facts() == .unknown)
    }

    @Test func nonsenseIsNoType() throws {
        try write(uevent: Data([0xff, 0, 0x0a] + Array("XDEVTYPE=wlan\nDEVTYP".utf8) + [0xc3]))
        #expect(facts() == Link.DeviceFacts(deviceType: nil, isWireless: false))
        var random = SeededGenerator(seed: 4)
        for _ in 0..<50 {
            try write(uevent: Data(random.bytes(Int.random(in: 0...9000, using: &random))))
            #expect(!facts().isWireless)
        }
    }

    @Test func aFolderInPlaceOfAFileMeansUnknown() throws {
        try write(ifindex: nil)
        try FileManager.default.createDirectory(
            at: root.appending(path: "wlan0/ifindex"), withIntermediateDirectories: true)
        #expect(facts() == .unknown)
    }

    @Test(arguments: ["..", ".", "../wlan0", "a/../wlan0", "wlan0/"])
    func aNameLeadsNowhereElse(name: String) throws {
        try write()
        var other = link
        other.name = name
        #expect(facts(other) == .unknown)
    }
}
