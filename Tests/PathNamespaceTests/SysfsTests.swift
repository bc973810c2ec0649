import PathEvents
import Testing

@Suite(
    "Where sysfs is missing or lies", .enabled(if: Laboratory.isPossible, Laboratory.requirement),
    .timeLimit(.minutes(2)))
struct SysfsTests {
    let laboratory: Laboratory

    init() throws {
        laboratory = try Laboratory()
        try laboratory.veth("wlan0")
        try laboratory.connectIPv4("wlan0")
    }

    /// Puts a folder of the script's making in the place of sysfs; it starts out empty. `$index` and `$address` are
    /// what the kernel says of the link.
    private func interfaces(withSysfs script: String) throws -> [String] {
        try laboratory.sh(
            """
            index=$(cat /sys/class/net/wlan0/ifindex); address=$(cat /sys/class/net/wlan0/address)
            mount -t tmpfs tmpfs /sys
            mkdir -p /sys/class/net/wlan0; cd /sys/class/net/wlan0
            \(script)
            """)
        return try #require(try laboratory.probe().expectPath()).interfaces
    }

    @Test func withoutSysfsNamesAreGoneBy() throws {
        #expect(try interfaces(withSysfs: "cd /; rm -r /sys/class") == ["wlan0:wifi"])
    }

    @Test func anotherNamespacesLinkIsNotBelieved() throws {
        let found = try interfaces(
            withSysfs: "echo 999 > ifindex; echo $address > address; echo DEVTYPE=wwan > uevent")
        #expect(found == ["wlan0:wifi"])
    }

    @Test func aLinkWithAnotherAddressIsNotBelieved() throws {
        let found = try interfaces(
            withSysfs: "echo $index > ifindex; echo 02:00:00:00:00:99 > address; echo DEVTYPE=wwan > uevent")
        #expect(found == ["wlan0:wifi"])
    }

    @Test func nonsenseWhereTheLinkIsBelievedSaysNothing() throws {
        let found = try interfaces(
            withSysfs: "echo $index > ifindex; echo $address > address; head -c 100000 /dev/urandom > uevent")
        #expect(found == ["wlan0:wiredEthernet"], "it exists, and nothing says that it is wireless")
    }

    @Test func foldersInThePlaceOfFilesSayNothing() throws {
        #expect(try interfaces(withSysfs: "mkdir ifindex address uevent") == ["wlan0:wifi"])
    }

    @Test func aPipeInThePlaceOfAFileBlocksNobody() throws {
        let found = try interfaces(withSysfs: "echo $index > ifindex; echo $address > address; mkfifo uevent")
        #expect(found == ["wlan0:wiredEthernet"])
    }
}
