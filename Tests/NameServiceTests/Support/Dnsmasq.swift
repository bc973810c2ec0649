import ScriptedServers

extension Dnsmasq {
    /// At port 53 of a private host's 127.0.0.1.
    convenience init(on host: PrivateHost, _ zone: [String]) throws {
        try self.init(zone, port: 53) { try host.start($0, readsErrors: true) }
    }
}
