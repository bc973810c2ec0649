import Foundation
import Testing

extension Namespaces {
    /// The program's demonstration, which makes a network of its own.
    @Suite(.withProgram) struct DemoTests {
        private func run(_ words: String..., in net: NetworkNamespace) throws -> (status: Int32, text: String) {
            try ChildProcess.output(#require(WatchProgram.path), words, in: net)
        }

        @Test func itGoesFromWiFiOverCellularAndOfflineToAVPN() throws {
            let (status, text) = try run("demo", "--json", in: NetworkNamespace())
            #expect(status == 0)
            let rows = text.split(separator: "\n").compactMap {
                try? JSONDecoder().decode(WatchProgram.Row.self, from: Data($0.utf8))
            }
            let states = rows.map { "\($0.status) \($0.interface ?? "-")" }
            let withoutVPN = [
                "notReachable -", "viaWiFi wlan0", "notReachable wlan0", "viaWWAN wwan0", "notReachable -",
                "viaWiFi wlan0",
            ]
            let hasTunnels = FileManager.default.fileExists(atPath: "/dev/net/tun")
            #expect(states == withoutVPN + (hasTunnels ? ["viaWiFi vpn0", "viaWWAN vpn0"] : []))
        }

        @Test func itSaysWhatItDoesAndLeavesTheHostsNetworkAlone() throws {
            let net = try NetworkNamespace()
            try net.addLink("wlan0", "10.0.0.2/24", gateway: "10.0.0.1")
            func state() throws -> String {
                try ChildProcess.output("/bin/sh", ["-c", "ip addr; ip route"], in: net).text
            }
            let before = try state()
            let (status, text) = try run("demo", in: net)
            #expect(status == 0)
            #expect(text.hasPrefix("1 of "))
            #expect(text.contains("Wi-Fi connects.\n  ip link set wlan0 up\n"))
            #expect(text.contains("default  Reachable via WiFi  Reachable  wlan0 (wifi)  via 192.0.2.1"))
            #expect(try state() == before)
        }

        @Test func withoutIprouteItSaysWhatIsMissing() throws {
            let program = try #require(WatchProgram.path)
            let output = try ChildProcess.output(
                "/usr/bin/env", ["PATH=/nowhere", program, "demo"], in: NetworkNamespace())
            #expect(output == (1, "ReachabilityExample: the demonstration needs the program ip (package iproute2)\n"))
        }

        @Test(.enabled(if: FileManager.default.fileExists(atPath: "/usr/bin/setpriv"), "needs setpriv"))
        func whereUsersMayMakeNoNetworksItSaysSo() throws {
            let program = try #require(WatchProgram.path)
            let script = """
                echo 0 >/proc/sys/user/max_user_namespaces
                exec setpriv --bounding-set=-all --inh-caps=-all "$0" demo
                """
            let (status, text) = try ChildProcess.output(
                "/usr/bin/env", ["unshare", "-rn", "sh", "-c", script, program], in: NetworkNamespace())
            #expect(status == 1)
            #expect(
                text.hasPrefix(
                    "ReachabilityExample: no private network can be made: unshare: No space left on device ("))
        }

        @Test(arguments: [
            ("demo default", "\"demo\" takes no target, and \"default\" is one too many"),
            ("demo --timeout 1", "\"demo\" takes no --timeout"), ("demo --count 1", "\"demo\" takes no --count"),
            ("dashboard --json", "\"dashboard\" takes no --json; \"watch\" does"),
        ])
        func wordsThatMeanNothingAreRefused(words: String, sentence: String) throws {
            let output = try ChildProcess.output(
                #require(WatchProgram.path), words.split(separator: " ").map(String.init), in: NetworkNamespace())
            #expect(output == (2, "ReachabilityExample: \(sentence)\n"))
        }
    }
}
