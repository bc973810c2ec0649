internal import InternetProtocol
public import Reachability
internal import Rtnetlink
internal import Synchronization

extension ScriptedNetwork {
    /// Changes to a scripted network that are told as one.
    public struct Batch: ~Copyable {
        private let changes = Mutex<[Change]>([])

        struct Change {
            let causes: ChangeCauses
            let carryOut: @Sendable (inout ScriptedState) -> Void
        }

        private init() {}

        /// What `body` wants changed, in order.
        static func changes(_ body: (borrowing Batch) -> Void) -> [Change] {
            let batch = Batch()
            body(batch)
            return batch.changes.withLock { $0 }
        }

        borrowing func change(_ causes: ChangeCauses, _ body: @escaping @Sendable (inout ScriptedState) -> Void) {
            changes.withLock { $0.append(Change(causes: causes, carryOut: body)) }
        }

        /// See `ScriptedNetwork.connect`.
        public borrowing func connect(_ name: String, _ type: NetworkInterface.InterfaceType, metric: Int = 0) {
            addLink(name, type)
            addRoute(.defaultIPv4, .leaving(by: name, gateway: nil, metric: metric))
            addRoute(.defaultIPv6, .leaving(by: name, gateway: nil, metric: metric))
        }

        /// An interface of the kind, up and running, with an IPv4 and an IPv6 address. One of the name is replaced.
        public borrowing func addLink(_ name: String, _ type: NetworkInterface.InterfaceType) {
            disconnect(name)
            change([.link, .address]) { script in
                let index = InterfaceIndex(script.nextIndex)
                script.nextIndex += 1
                script.view.links[index] = Link(name, type, index)
                // 192.0.2.0/24 and 2001:db8::/32 are for documentation (RFC 5737, RFC 3849).
                let number = index.rawValue
                let v4 = IPAddress(v4: 0xc000_0200 + number % 256)
                let v6 = IPAddress(family: .v6, bits: 0x2001_0db8 << 96 + UInt128(number))
                script.view.addresses.insert(InterfaceAddress(interface: index, address: v4, prefixLength: 24))
                script.view.addresses.insert(InterfaceAddress(interface: index, address: v6, prefixLength: 64))
            }
        }

        /// See `ScriptedNetwork.disconnect`.
        public borrowing func disconnect(_ name: String) {
            change(.link) { script in
                guard let link = script.view.links[name: name] else { return }
                script.view.links[link.index] = nil
                script.view.addresses.removeAll(of: link.index)
                script.routes.removeAll { entry in
                    if case .leaving(name, _, _, _) = entry.route { true } else { false }
                }
            }
        }

        /// See `ScriptedNetwork.setCarrier`.
        public borrowing func setCarrier(_ name: String, _ isOn: Bool) {
            change(.link) { script in
                guard var link = script.view.links[name: name] else { return }
                if isOn { link.flags.insert(.running) } else { link.flags.remove(.running) }
                script.view.links[link.index] = link
            }
        }

        /// See `ScriptedNetwork.addRoute`.
        public borrowing func addRoute(_ prefix: ScriptedPrefix, _ route: ScriptedRoute) {
            change(.route) { script in
                let entry = ScriptedState.Entry(prefix: prefix.prefix, route: route)
                if !script.routes.contains(entry) { script.routes.append(entry) }
            }
        }

        /// See `ScriptedNetwork.removeRoutes`.
        public borrowing func removeRoutes(_ prefix: ScriptedPrefix) {
            change(.route) { script in
                script.routes.removeAll { $0.prefix == prefix.prefix }
            }
        }
    }
}

extension ScriptedState {
    /// Carries changes out, and says of what kinds they were.
    mutating func apply(_ changes: [ScriptedNetwork.Batch.Change]) -> ChangeCauses {
        for change in changes { change.carryOut(&self) }
        return changes.reduce(into: []) { $0.formUnion($1.causes) }
    }
}

extension Link {
    /// A link as the kernel would show one of the kind.
    fileprivate init(_ name: String, _ type: NetworkInterface.InterfaceType, _ index: InterfaceIndex) {
        self.init(index: index, name: name, flags: [.up, .running])
        switch type {
        case .wifi: device = DeviceFacts(deviceType: "wlan", isWireless: true)
        case .cellular: device = DeviceFacts(deviceType: "wwan", isWireless: false)
        case .wiredEthernet: device = DeviceFacts(deviceType: nil, isWireless: false)
        case .loopback:
            flags.insert(.loopback)
            hardwareType = .loopback
        case .other:
            flags.insert(.pointToPoint)
            hardwareType = .none
            driver = .tun
        }
    }
}
