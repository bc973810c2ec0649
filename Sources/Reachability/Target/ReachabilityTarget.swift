internal import InternetProtocol
package import NameResolution
internal import Rtnetlink

/// What a manager watches: the default route, an address, a pair of addresses, or a host name.
public struct ReachabilityTarget: Hashable, Sendable {
    /// The kinds of target.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// The default route, both families together.
        case `default`
        /// One address.
        case address
        /// A local and a remote address.
        case pair
        /// A host name.
        case name
    }

    package enum Content: Hashable, Sendable {
        case defaultRoute
        case address(SocketAddress)
        // Few are pairs: the others are half as large for it.
        indirect case pair(local: SocketAddress?, remote: SocketAddress?)
        case name(HostName)
        /// What no packet can ever be sent to, and why: text that is no host name, a pair of two families.
        ///
        /// Made only by functions that cannot fail, as Apple's are; it is watched like any other target.
        indirect case refused(ReachabilityTargetError)
        /// The path that a path monitor watches: the default route with all that is known of its interfaces.
        case path(PathFilter)
    }

    package let content: Content
    /// The only interface that packets may leave by; nil for any. It may appear and vanish while it is watched.
    public let requiredInterface: String?

    package init(_ content: Content, requiredInterface: String? = nil) {
        self.content = content
        self.requiredInterface = requiredInterface
    }

    /// The kind of target.
    public var kind: Kind {
        switch content {
        case .defaultRoute, .path: .default
        case .address: .address
        case .pair: .pair
        case .name: .name
        case .refused(let error): error.kind
        }
    }

    /// The default route: can packets leave this host at all?
    public static let `default` = ReachabilityTarget(.defaultRoute)

    /// The path of packets to anywhere, with all that is known of its interfaces.
    package static let path = ReachabilityTarget(.path(PathFilter()))

    /// One address. `0.0.0.0` and `::` stand for the default route, as on Apple's systems.
    public static func address(_ address: SocketAddress) -> ReachabilityTarget {
        ReachabilityTarget(address.isUnspecified ? .defaultRoute : .address(address))
    }

    /// A pair: can packets from `local` leave for `remote`? Either may be nil, not both.
    ///
    /// - Throws: `ReachabilityTargetError` if both are nil or their families differ.
    public static func pair(
        local: SocketAddress?, remote: SocketAddress?
    ) throws(ReachabilityTargetError) -> ReachabilityTarget {
        if local == nil && remote == nil { throw ReachabilityTargetError(.emptyPair) }
        if let local, let remote, local.ip.unmapped.family != remote.ip.unmapped.family, !local.isUnspecified,
            !remote.isUnspecified
        {
            throw ReachabilityTargetError(.mixedPair(local: local, remote: remote))
        }
        return ReachabilityTarget(.pair(local: local, remote: remote))
    }

    /// A host name: not a URL, and without a port. Text that is an address, in any of its forms, gives that address.
    ///
    /// - Throws: `ReachabilityTargetError` if the text is no host name; it says why.
    public static func domain(_ name: String) throws(ReachabilityTargetError) -> ReachabilityTarget {
        if !SocketAddress.hasPort(name), let address = try? SocketAddress(name) { return .address(address) }
        do { return ReachabilityTarget(.name(try HostName(name))) } catch {
            throw ReachabilityTargetError(.name(name, why: error.description))
        }
    }

    /// The same target, by one interface alone.
    ///
    /// The kernel is asked with that interface (RTA_OIF) and the answer holds only if a route of the interface matches.
    public func requiring(interface name: String?) -> ReachabilityTarget {
        ReachabilityTarget(content, requiredInterface: name)
    }

    /// The target that the program's words mean: `default`, an address, either with `%INTERFACE`, `LOCAL,REMOTE` with
    /// either end left out, or a host name.
    ///
    /// - Throws: `ReachabilityTargetError` or, as the reason within it, what `SocketAddress` says of the text.
    public init(parsing text: String) throws(ReachabilityTargetError) {
        if text == "default" {
            self = .default
        } else if let comma = text.firstIndex(of: ",") {
            let ends = [text[..<comma], text[text.index(after: comma)...]].map(String.init)
            let local = ends[0].isEmpty ? nil : try Self.end(ends[0])
            let remote = ends[1].isEmpty ? nil : try Self.end(ends[1])
            self = try .pair(local: local, remote: remote)
        } else if let percent = text.firstIndex(of: "%"), !text[..<percent].contains(":") {
            let head = String(text[..<percent])
            let target = head == "default" ? .default : try Self(parsing: head)
            let scope = text[text.index(after: percent)...]
            self = target.requiring(interface: try Self.interface(scope, of: text))
        } else if text.contains("%") || text.hasPrefix("[") || text.count(where: { $0 == ":" }) > 1 {
            let address = try Self.end(text)
            guard let percent = text.firstIndex(of: "%") else {
                self = .address(address)
                return
            }
            let scope = text[text.index(after: percent)...].prefix { $0 != "]" }
            if let interface = try? Self.interface(scope, of: text) {
                // A link may come again under its name with another number.
                self = Self.address(SocketAddress(ip: address.ip, port: address.port)).requiring(interface: interface)
            } else if address.ip.isLinkLocal || address.ip.isLinkScopedMulticast {
                // A number that no link has yet.
                self = .address(address)
            } else {
                throw ReachabilityTargetError(.address(SocketAddressError(.scope(String(scope), text: text))))
            }
        } else if let address = try? SocketAddress(text) {
            self = .address(address)
        } else {
            self = try .domain(text)
        }
    }

    /// The interface that the text after `%` means: by a name, which is kept as it was written since the link may get another and
    /// another link this one; or by its number, which gives the name it has now.
    private static func interface(_ scope: Substring, of text: String) throws(ReachabilityTargetError) -> String {
        let scope = String(scope)
        if InterfaceIndex(named: scope) != nil { return scope }
        guard let name = (try? SocketAddress("fe80::%\(scope)"))?.scopeName else {
            throw ReachabilityTargetError(.address(SocketAddressError(.scope(scope, text: text))))
        }
        return name
    }

    private static func end(_ text: String) throws(ReachabilityTargetError) -> SocketAddress {
        do { return try SocketAddress(text) } catch { throw ReachabilityTargetError(.address(error)) }
    }
}

extension ReachabilityTarget: CustomStringConvertible {
    /// The target as `init(parsing:)` reads it. What requires an interface and is a pair, an IPv4 address with a port, or has another
    /// interface as its scope, it does not read.
    public var description: String {
        if case .address(let address) = content, let requiredInterface, !address.isIPv4, address.port != 0 {
            // Inside of the brackets that the port makes needed.
            return "[\(address.ip)%\(requiredInterface)]:\(address.port)"
        }
        let text =
            switch content {
            case .defaultRoute, .path: "default"
            case .address(let address): address.description
            case .pair(let local, let remote): "\(local?.description ?? ""),\(remote?.description ?? "")"
            case .name(let name): name.description
            case .refused(let error): error.input
            }
        return text + (requiredInterface.map { "%" + $0 } ?? "")
    }
}
