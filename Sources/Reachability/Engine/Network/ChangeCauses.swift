/// What kinds of event led to a report.
package struct ChangeCauses: OptionSet, Hashable, Sendable {
    package let rawValue: UInt16

    package init(rawValue: UInt16) { self.rawValue = rawValue }

    /// Somebody asked for the first time.
    package static let initial = ChangeCauses(rawValue: 1 << 0)
    package static let link = ChangeCauses(rawValue: 1 << 1)
    package static let address = ChangeCauses(rawValue: 1 << 2)
    package static let route = ChangeCauses(rawValue: 1 << 3)
    /// A rule, a next-hop object or a setting of the IP stack.
    package static let routing = ChangeCauses(rawValue: 1 << 4)
    /// A route ran out.
    package static let expiry = ChangeCauses(rawValue: 1 << 5)
    /// A name was looked up, or the resolver's configuration changed.
    package static let names = ChangeCauses(rawValue: 1 << 6)
    /// Messages were lost, and everything was read anew.
    package static let overrun = ChangeCauses(rawValue: 1 << 7)
    /// The host slept and woke up.
    package static let wake = ChangeCauses(rawValue: 1 << 8)
    /// The kernel could be asked again, or no longer.
    package static let availability = ChangeCauses(rawValue: 1 << 9)
    /// A desktop service told of a modem or of a metered connection.
    package static let services = ChangeCauses(rawValue: 1 << 10)

    /// The names of the causes, for logs.
    package var names: [String] {
        let all: [(ChangeCauses, String)] = [
            (.initial, "initial"), (.link, "link"), (.address, "address"), (.route, "route"), (.routing, "routing"),
            (.expiry, "expiry"), (.names, "names"), (.overrun, "overrun"), (.wake, "wake"),
            (.availability, "availability"), (.services, "services"),
        ]
        return all.filter { contains($0.0) }.map(\.1)
    }
}
