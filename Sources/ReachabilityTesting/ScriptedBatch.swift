internal import InternetProtocol
public import Reachability
internal import Rtnetlink
internal import Synchronization

extension ScriptedNetwork {
    /// Changes to a scripted network that are told as one.
    public struct Batch: ~Copyable {
        private let contents: Mutex<(script: ScriptedState, causes: ChangeCauses)>

        init(_ script: ScriptedState) { contents = Mutex((script, [])) }

        var script: ScriptedState { contents.withLock { $0.script } }
        var causes: ChangeCauses { contents.withLock { $0.causes } }

        borrowing func change(_ cause: ChangeCauses, _ body: (inout ScriptedState) -> Void) {
            contents.withLock { contents in
                body(&contents.script)
                contents.causes.formUnion(cause)
            }
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
            contents.withLock { contents in
                let index = InterfaceIndex(contents.script.nextIndex)
                contents.script.nextIndex += 1
                contents.script.view.links[index] = Link(name, type, index)
                // 192.0.2.0/24 and 2001:db8::/32 are for documentation (RFC 5737, RFC 3849).
                let number = index.rawValue
                let v4 = IPAddress(v4: 0xc000_0200 + number % 256)
                let v6 = IPAddress(family: .v6, bits: 0x2001_0db8 << 96 + UInt128(number))
                contents.script.view.addresses.insert(InterfaceAddress(interface: index, address: v4, prefixLength: 24))
                contents.script.view.addresses.insert(InterfaceAddress(interface: index, address: v6, prefixLength: 64))
                contents.causes.formUnion([.link, .address])
            }
        }

        /// See `ScriptedNetwork.disconnect`.
        public borrowing func disconnect(_ name: String) {
            contents.withLock { contents in
                guard let link = contents.script.view.links[name: name] else { return }
                contents.script.view.links[link.index] = nil
                contents.script.view.addresses.removeAll(of: link.index)
                contents.script.routes.removeAll { entry in
                    if case .leaving(name, _, _, _) = entry.route { true } else { false }
                }
                contents.causes.insert(.link)
            }
        }

        /// See `ScriptedNetwork.setCarrier`.
        public borrowing func setCarrier(_ name: String, _ isOn: Bool) {
            contents.withLock { contents in
                guard var link = contents.script.view.links[name: name] else { return }
                if isOn { link.flags.insert(.running) } else { link.flags.remove(.running) }
                contents.script.view.links[link.index] = link
                contents.causes.insert(.link)
            }
        }

        /// See `ScriptedNetwork.addRoute`.
        public borrowing func addRoute(_ prefix: ScriptedPrefix, _ route: ScriptedRoute) {
            contents.withLock { contents in
                let entry = ScriptedState.Entry(prefix: prefix.prefix, route: route)
                if !contents.script.routes.contains(entry) { contents.script.routes.append(entry) }
                contents.causes.insert(.route)
            }
        }

        /// See `ScriptedNetwork.removeRoutes`.
        public borrowing func removeRoutes(_ prefix: ScriptedPrefix) {
            contents.withLock { contents in
                contents.script.routes.removeAll { $0.prefix == prefix.prefix }
                contents.causes.insert(.route)
            }
        }
    }
}

extension ScriptedState {
    /// Carries changes out, and says of what kinds they were.
    mutating func apply(_ changes: (borrowing ScriptedNetwork.Batch) -> Void) -> ChangeCauses {
        let batch = ScriptedNetwork.Batch(self)
        changes(batch)
        self = batch.script
        return batch.causes
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
