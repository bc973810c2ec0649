/// What the demonstration does to its network, step by step.
///
/// Sysfs shows the host's links, not these, so that names decide what they are (`LinkKind`): `wl*` Wi-Fi, `wwan*` cellular. Each has
/// an end outside that stands for the access point and the modem's cell. Addresses are of RFC 5737, for documentation.
enum DemoScript {
    /// What is said, and what is then done: the words for `ip`, one command a line.
    struct Step {
        let caption: String
        let commands: [String]
        /// It takes a tunnel that not every host lets be made.
        var needsTunnel = false
    }

    static let tunnel = "vpn0"

    /// What is there before the first step: nothing is connected.
    static let setUp = [
        "link set lo up",
        "link add wlan0 type veth peer name access-point",
        "link add wwan0 type veth peer name cell-tower",
        "link set access-point up",
        "link set cell-tower up",
    ]

    static let steps = [
        Step(caption: "A host with a Wi-Fi adapter and a modem, neither of them connected.", commands: []),
        Step(
            caption: "Wi-Fi connects.",
            commands: [
                "link set wlan0 up", "address add 192.0.2.10/24 dev wlan0",
                "route add default via 192.0.2.1 dev wlan0 metric 600",
            ]),
        Step(
            caption: "The modem connects too. Wi-Fi stays preferred, so nothing changes.",
            commands: [
                "link set wwan0 up", "address add 198.51.100.20/24 dev wwan0",
                "route add default via 198.51.100.1 dev wwan0 metric 700",
            ]),
        Step(
            caption: "Out of reach of Wi-Fi. Its route is still there, and leads nowhere.",
            commands: ["link set access-point down"]),
        Step(
            caption: "The network's manager takes the route away: cellular, and it costs money.",
            commands: ["route delete default dev wlan0"]),
        Step(caption: "Into a tunnel of concrete: offline.", commands: ["link set wwan0 down"]),
        Step(
            caption: "Home again: Wi-Fi.",
            commands: ["link set access-point up", "route add default via 192.0.2.1 dev wlan0 metric 600"]),
        Step(
            caption: "A VPN takes the default route. Under it is still Wi-Fi.",
            commands: [
                "link set \(tunnel) up", "address add 203.0.113.2/32 dev \(tunnel)",
                "route add default dev \(tunnel) metric 50",
            ], needsTunnel: true),
        Step(
            caption: "Wi-Fi goes and cellular comes, under the same VPN: the route is the same, the cost is not.",
            commands: [
                "link set wwan0 up", "route add default via 198.51.100.1 dev wwan0 metric 700",
                "route delete default dev wlan0",
            ], needsTunnel: true),
    ]
}
