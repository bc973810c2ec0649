import InternetProtocol
import Testing
import Timing

@testable import NameResolution

/// What is known of a name without a server, for lookups and live reads.
@Suite struct LocalNamesTests {
    private static let file = HostsFile("10.0.0.1 db.localhost api.test")

    @Test(
        arguments: [
            ("api.test", .default, ["10.0.0.1"]), ("api.test", .hostsFile, ["10.0.0.1"]), ("api.test", .servers, nil),
            ("other.test", .default, nil), ("other.test", .servers, nil), ("other.test", .hostsFile, []),
            ("db.localhost", .default, ["10.0.0.1"]), ("db.localhost", .servers, ["127.0.0.1", "::1"]),
            ("localhost", .default, ["127.0.0.1", "::1"]), ("localhost", .hostsFile, ["127.0.0.1", "::1"]),
        ] as [(String, NameServices, [String]?)])
    func theHostsFileComesFirstThenLocalhostThenServers(
        name: String, services: NameServices, addresses: [String]?
    ) throws {
        let names = LocalNames(hosts: Self.file, services: services)
        #expect(names.addresses(of: try HostName(name))?.map(\.description) == addresses)
        #expect(names.addresses(of: try HostName(name + "."))?.map(\.description) == addresses)
    }

    @Test func theHostsFileIsReadFromDiskWhereTheHostsLineNamesIt() throws {
        let folder = try TemporaryFolder()
        try folder.write("10.0.0.1 api.test\n", to: "hosts")
        for (line, addresses) in [("files dns", ["10.0.0.1"]), ("dns", nil), ("files", ["10.0.0.1"])] {
            try folder.write("hosts: \(line)\n", to: "nsswitch.conf")
            let names = LocalNames.read(
                hostsPath: folder.path("hosts"), servicesPath: folder.path("nsswitch.conf"))
            #expect(names.addresses(of: try HostName("api.test"))?.map(\.description) == addresses, "\(line)")
        }
    }

    @Test func withoutFilesThereAreServersAndLocalhost() throws {
        let folder = try TemporaryFolder()
        let names = LocalNames.read(hostsPath: folder.path("none"), servicesPath: folder.path("none"))
        #expect(names == LocalNames())
        #expect(names.addresses(of: try HostName("api.test")) == nil)
        #expect(names.addresses(of: try HostName("localhost"))?.count == 2)
    }

    /// A live read and a lookup say the same of every name that needs no server.
    @Test(arguments: ["files dns", "dns", "files"])
    func aLookupEndsAsALiveReadSays(line: String) throws {
        for text in ["api.test", "localhost", "other.test"] {
            let name = try HostName(text)
            let services = NameServices("hosts: \(line)")
            var configuration = ResolverConfiguration()
            configuration.services = services
            let channel = try NameChannel(configuration, hosts: Self.file) { _, _, _ in }
            var outcome: LookupOutcome?
            channel.lookUp(name) { outcome = $0 }
            channel.processTimeouts(now: .now)
            switch LocalNames(hosts: Self.file, services: services).addresses(of: name) {
            case nil: #expect(outcome == .noResolver)
            case []?: #expect(outcome == .notFound)
            case let addresses?: #expect(outcome == .addresses(addresses, timeToLive: nil))
            }
        }
    }
}
