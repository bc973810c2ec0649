internal import Glibc
package import InternetProtocol

/// A server that answers questions about names.
package struct Nameserver: Hashable, Sendable {
    /// As the configuration names it: `192.0.2.53`, `fe80::1%eth0`.
    package let text: String
    /// Where to ask. The zero address, which means this host, is loopback here.
    package let address: IPAddress
    /// The link of a link-local address: its name or its number; nil if there is none.
    package let scope: String?
    /// 53; another one only in tests.
    package let port: UInt16

    /// A server from the word of a `nameserver` line: an address in any form inet_aton(3) or inet_pton(3) takes, and
    /// a scope; nil if it is none.
    package init?(_ text: String, port: UInt16 = 53) {
        let parts = text.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first,
            let address = IPAddress(String(first)) ?? IPAddress(classicIPv4: String(first))
        else { return nil }
        if parts.count == 2 {
            // A scope goes into c-ares' server list, where commas and brackets have a meaning: no interface has them.
            guard address.family == .v6, !parts[1].isEmpty, parts[1].utf8.count < Int(IF_NAMESIZE),
                !parts[1].contains(where: { ",[]".contains($0) })
            else { return nil }
        }
        self.text = text
        self.scope = parts.count == 2 ? String(parts[1]) : nil
        self.port = port
        // The kernel takes the zero address for loopback, and then the answer comes from another address than was asked.
        self.address = address.isUnspecified ? IPAddress.loopback(address.family) : address
    }
}

// MARK: - Links

extension Nameserver {
    /// False for a link-local server whose link does not exist now, or is not named.
    var isAddressable: Bool { !(address.family == .v6 && address.isLinkLocal) || interfaceIndex != 0 }

    /// The number of the link that the scope names now; 0 if there is none.
    var interfaceIndex: UInt32 {
        guard let scope else { return 0 }
        if let number = UInt32(scope) { return number }
        return unsafe if_nametoindex(scope)
    }

    /// The server in c-ares' list of servers: `192.0.2.53:53`, `[fe80::1]:53%eth0`.
    func listEntry(withScope: Bool) -> String {
        guard address.family == .v6 else { return "\(address):\(port)" }
        guard withScope, address.isLinkLocal, let name = interfaceName else { return "[\(address)]:\(port)" }
        return "[\(address)]:\(port)%\(name)"
    }

    private var interfaceName: String? {
        // Sound: if_indextoname writes IF_NAMESIZE bytes at most, with a NUL at the end.
        unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(IF_NAMESIZE)) { buffer in
            guard let base = buffer.baseAddress, unsafe if_indextoname(interfaceIndex, base) != nil else { return nil }
            return unsafe String(cString: base)
        }
    }
}
