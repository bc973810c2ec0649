import DesktopMocks
import PathEvents
import Testing

@Suite(
    "Noise, and links that go away", .enabled(if: Laboratory.isPossible, Laboratory.requirement),
    .timeLimit(.minutes(2)))
struct NoiseTests {
    let laboratory: Laboratory

    init() throws {
        laboratory = try Laboratory()
        try laboratory.veth("eth0")
        try laboratory.connectIPv4("eth0")
    }

    @Test func containersComingAndGoingGiveNoUpdate() throws {
        let probe = try laboratory.probe()
        let first = try #require(probe.expectPath())
        try laboratory.sh(
            """
            ip link add docker0 type bridge; ip addr add 172.17.0.1/16 dev docker0; ip link set docker0 up
            for i in $(seq 20); do
                ip link add veth$i type veth peer name vp$i
                ip link set veth$i master docker0; ip link set veth$i up; ip link set vp$i up
            done
            for i in $(seq 20); do ip link del veth$i; done
            ip link del docker0
            """)
        // What does change the path comes next, and is the very next thing that was found out.
        try laboratory.sh("ip addr add 198.51.100.7/24 dev eth0")
        let second = try #require(probe.expectPath())
        #expect(second.addresses == ["10.1.0.2", "198.51.100.7"])
        #expect(second.generation == first.generation + 1)
        #expect(probe.events.count == 2)
    }

    @Test func linkLocalAddressesGiveNoUpdate() throws {
        let probe = try laboratory.probe()
        let first = try #require(probe.expectPath())
        try laboratory.sh(
            """
            ip -6 addr add fe80::77/64 dev eth0 nodad; ip addr add 169.254.7.7/16 dev eth0
            ip -6 addr del fe80::77/64 dev eth0
            ip addr add 198.51.100.7/24 dev eth0
            """)
        let second = try #require(probe.expectPath())
        #expect(second.addresses == ["10.1.0.2", "198.51.100.7"])
        #expect(second.generation == first.generation + 1)
    }

    @Test func aLinkThatGoesWhileItIsReadLeavesNoStaleClaim() throws {
        try laboratory.sh("ip link del eth0")
        let probe = try laboratory.probe()
        probe.expectPath { $0.status == "unsatisfied" }
        // Each link lives about as long as an evaluation of it takes.
        try laboratory.sh(
            """
            for i in $(seq 100); do
                ip -batch - <<X
            link add wlan$i type veth peer name p$i
            link set p$i up
            link set wlan$i up
            addr add 10.2.0.2/24 dev wlan$i
            route add default via 10.2.0.1 dev wlan$i
            link del wlan$i
            X
            done
            """)
        try laboratory.veth("eth1")
        try laboratory.connectIPv4("eth1", network: 3)
        #expect(probe.expectPath { $0.addresses == ["10.3.0.2"] }?.interfaces == ["eth1:wiredEthernet"])
        try laboratory.sh("ip link del eth1")
        let last = probe.expectPath { $0.status == "unsatisfied" }
        #expect(last?.reason == "noRoute" && last?.interfaces == [])
    }

    @Test func aRenamedLinkIsToldUnderItsNewName() throws {
        let probe = try laboratory.probe()
        probe.expectPath()
        try laboratory.sh(
            """
            ip link set eth0 down; ip link set eth0 name lan7; ip link set lan7 up
            ip route replace default via 10.1.0.1 dev lan7
            """)
        probe.expectPath { $0.interfaces == ["lan7:wiredEthernet"] }
    }

    @Test func nameServersFollowTheResolversFile() throws {
        let probe = try laboratory.probe()
        #expect(probe.expectPath()?.dnsServers == ["192.0.2.53"])
        try laboratory.sh("printf 'nameserver 192.0.2.54\\nnameserver 2001:db8::53\\n' > /etc/resolv.conf")
        probe.expectPath { $0.dnsServers == ["192.0.2.54", "2001:db8::53"] }
    }
}
