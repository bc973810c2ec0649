internal import AANetworkMonitor
internal import CoreTelephony
internal import Foundation
internal import Glibc
internal import PathEvents
internal import Reachability

/// Stands in a namespace of a test: prints what monitors tell, or holds a device open.
///
///     PathProbe                    prints events until it is killed
///     PathProbe tun NAME TYPE      makes a tun device of an ARPHRD type, and holds it until its input ends
@main
enum PathProbe {
    static func main() {
        let words = CommandLine.arguments
        if words.count == 4, words[1] == "tun", let type = UInt16(words[3]) { exit(TunDevice.hold(words[2], type)) }
        let events = EventPrinter()
        events.start()
        withExtendedLifetime(events) { dispatchMain() }
    }
}

/// Prints events, all from the main queue.
final class EventPrinter: Sendable {
    private let monitor = NetworkPathMonitor()
    private let telephony = CTTelephonyNetworkInfo()

    func start() {
        AANetworkMonitor.setup()
        let center = NotificationCenter.default
        _ = center.addObserver(forName: .AANetworkTypeDidChangedNotification, object: nil, queue: nil) {
            [self] change in
            let values = ["oldValue", "newValue"].map { change.userInfo?[$0] as? String ?? "missing" }
            show(.type(old: values[0], new: values[1]))
        }
        _ = center.addObserver(forName: .CTServiceRadioAccessTechnologyDidChange, object: nil, queue: nil) { [self] _ in
            show(
                .radios(
                    technologies: telephony.serviceCurrentRadioAccessTechnology ?? [:],
                    dataService: telephony.dataServiceIdentifier))
        }
        monitor.pathUpdateHandler = { [self] path in show(.path(PathEvent.Path(path))) }
        monitor.start(queue: .main)
    }

    private func show(_ event: PathEvent) {
        guard var line = try? JSONEncoder().encode(event) else { return }
        line.append(UInt8(ascii: "\n"))
        try? FileHandle.standardOutput.write(contentsOf: line)
    }
}

extension PathEvent.Path {
    init(_ path: NetworkPath) {
        func text(_ interface: NetworkInterface) -> String { "\(interface.name):\(interface.type.rawValue)" }
        self.init(
            status: path.status.rawValue, interfaces: path.availableInterfaces.map(text),
            underlying: path.underlyingInterface.map(text), gateways: path.gateways.map(\.description),
            addresses: path.localAddresses.map(\.description), dnsServers: path.dnsServers.map(\.description),
            supportsIPv4: path.supportsIPv4, supportsIPv6: path.supportsIPv6, isExpensive: path.isExpensive,
            uses: NetworkInterface.InterfaceType.allCases.filter { path.usesInterfaceType($0) }.map(\.rawValue)
                .sorted(),
            networkType: AANetworkMonitor.currentNetworkType().rawValue, reason: path.reason?.rawValue,
            generation: path.generation)
    }
}
