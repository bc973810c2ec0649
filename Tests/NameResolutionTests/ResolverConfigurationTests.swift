import Glibc
import InternetProtocol
import TestSupport
import Testing

@testable import NameResolution

@Suite struct ResolverConfigurationTests {
    @Test func aFileOfEverydayIsRead() {
        let configuration = ResolverConfiguration(
            """
            # made by something
            ; and something else
            nameserver 192.0.2.53
            nameserver\t2001:db8::53   # with a remark
            nameserver fe80::1%eth0
            nameserver 192.0.2.54
            search example.com corp.example.
            options timeout:1 attempts:3 ndots:2 edns0 rotate use-vc trust-ad
            """)
        #expect(configuration.nameservers.map(\.text) == ["192.0.2.53", "2001:db8::53", "fe80::1%eth0"])
        #expect(configuration.nameservers.map(\.address.description) == ["192.0.2.53", "2001:db8::53", "fe80::1"])
        #expect(configuration.nameservers.map(\.scope) == [nil, nil, "eth0"])
        #expect(configuration.nameservers.allSatisfy { $0.port == 53 })
        #expect(configuration.timeout == .seconds(1))
        #expect(configuration.attempts == 3)
        #expect(configuration.minimumDots == 2)
        #expect(configuration.searchDomains == ["example.com", "corp.example"])
        #expect(configuration.rotatesServers && configuration.usesTCP)
    }

    @Test func anEmptyFileHasNoServerAndTheUsualTimes() {
        let configuration = ResolverConfiguration("")
        #expect(configuration == ResolverConfiguration())
        #expect(configuration.nameservers.isEmpty)
        #expect(configuration.timeout == .seconds(2) && configuration.attempts == 2 && configuration.minimumDots == 1)
        #expect(!configuration.rotatesServers && !configuration.usesTCP)
    }

    /// resolv.conf(5): timeout up to 30 s, attempts up to 5; a timeout of 0 waits a second, and no attempt is one.
    @Test(arguments: [
        ("timeout:0 attempts:0", 1, 1), ("timeout:99 attempts:99", 30, 5), ("timeout:30 attempts:5", 30, 5),
        ("timeout:-1 attempts:-1", 2, 2), ("timeout: attempts:x", 2, 2), ("timeout:99999999999999999999", 2, 2),
        ("timeout:3 timeout:4", 4, 2), ("Timeout:9", 2, 2), ("timeout", 2, 2),
    ])
    func timesAreKeptWithinTheirLimits(options: String, seconds: Int, attempts: Int) {
        let configuration = ResolverConfiguration("options \(options)\n")
        #expect(configuration.timeout == .seconds(seconds))
        #expect(configuration.attempts == attempts)
    }

    @Test(arguments: [
        " nameserver 192.0.2.1", "#nameserver 192.0.2.1", ";nameserver 192.0.2.1", "nameserver", "nameserver ",
        "nameservers 192.0.2.1", "nameserver192.0.2.1", "nameserver dns.example", "nameserver 192.0.2.1:53",
        "nameserver fe80::1%", "nameserver 192.0.2.1%eth0", "nameserver fe80::1%eth0,192.0.2.1", "Nameserver 192.0.2.1",
        "nameserver fe80::1%a-very-long-interface-name", "nameserver [::1]",
    ])
    func aLineThatMakesNoSenseIsSkipped(line: String) {
        #expect(ResolverConfiguration(line + "\noptions timeout:7\n").nameservers.isEmpty)
        #expect(ResolverConfiguration(line + "\noptions timeout:7\n").timeout == .seconds(7))
    }

    @Test(arguments: [
        ("0.0.0.0", "127.0.0.1"), ("0", "127.0.0.1"), ("::", "::1"), ("127.1", "127.0.0.1"),
        ("127.0.0.53", "127.0.0.53"),
    ])
    func aServerOnThisHostIsAskedAtLoopback(text: String, address: String) {
        #expect(ResolverConfiguration("nameserver \(text)").nameservers.first?.address.description == address)
    }

    @Test func ofDomainAndSearchTheLastOneHolds() {
        #expect(ResolverConfiguration("domain a.test\nsearch b.test c.test").searchDomains == ["b.test", "c.test"])
        #expect(ResolverConfiguration("search b.test c.test\ndomain a.test more").searchDomains == ["a.test"])
        #expect(ResolverConfiguration("search a.test\nsearch").searchDomains == [])
        #expect(ResolverConfiguration("search . a..b b.test").searchDomains == ["b.test"])
        let many = (0..<100).map { "d\($0).test" }.joined(separator: " ")
        #expect(ResolverConfiguration("search \(many)").searchDomains.count == 32)
    }

    @Test func theHostsOwnDomainIsSearchedIfTheFileNamesNone() {
        #expect(ResolverConfiguration("", hostName: "pc.corp.test").searchDomains == ["corp.test"])
        #expect(ResolverConfiguration("search a.test", hostName: "pc.corp.test").searchDomains == ["a.test"])
        #expect(ResolverConfiguration("search .", hostName: "pc.corp.test").searchDomains == [])
        #expect(ResolverConfiguration("", hostName: "pc").searchDomains == [])
    }

    @Test func aNameWithEnoughDotsIsAskedForAsItIsFirst() throws {
        let plain = ResolverConfiguration("search a.test b.test")
        #expect(try plain.candidates(for: HostName("pc")) == ["pc.a.test.", "pc.b.test.", "pc."])
        #expect(try plain.candidates(for: HostName("pc.c")) == ["pc.c.", "pc.c.a.test.", "pc.c.b.test."])
        #expect(try ResolverConfiguration("").candidates(for: HostName("api.example.com")) == ["api.example.com."])
        let cluster = ResolverConfiguration("search ns.svc.cluster.local\noptions ndots:5")
        #expect(
            try cluster.candidates(for: HostName("db.ns")) == ["db.ns.ns.svc.cluster.local.", "db.ns."])
        let long = try HostName((0..<4).map { _ in String(repeating: "x", count: 61) }.joined(separator: "."))
        #expect(plain.candidates(for: long) == [long.text + "."])
    }

    @Test(arguments: [("printer.", "printer."), ("PC.c.", "pc.c."), ("a.b.c.", "a.b.c.")])
    func anAbsoluteNameIsAskedForAsItIsAlone(text: String, name: String) throws {
        for options in ["ndots:0", "ndots:1", "ndots:5"] {
            let configuration = ResolverConfiguration("search example.com b.test\noptions \(options)")
            #expect(try configuration.candidates(for: HostName(text)) == [name])
        }
    }

    @Test func filesAndEnvironmentAreReadTogether() throws {
        let folder = try TemporaryFolder()
        try folder.write("nameserver 192.0.2.53\nsearch a.test\noptions timeout:9\n", to: "resolv.conf")
        try folder.write("hosts: dns\n", to: "nsswitch.conf")
        let configuration = ResolverConfiguration.read(
            path: folder.path("resolv.conf"), servicesPath: folder.path("nsswitch.conf"),
            environment: ["LOCALDOMAIN": "b.test c.test", "RES_OPTIONS": "timeout:3 rotate"])
        #expect(configuration.nameservers.map(\.text) == ["192.0.2.53"])
        #expect(configuration.searchDomains == ["b.test", "c.test"])
        #expect(configuration.timeout == .seconds(3) && configuration.rotatesServers)
        #expect(configuration.services == .servers)
    }

    @Test func withoutFilesThereIsNoServer() throws {
        let folder = try TemporaryFolder()
        let configuration = ResolverConfiguration.read(path: folder.path("none"), servicesPath: folder.path("none"))
        #expect(configuration.nameservers.isEmpty)
        #expect(configuration.services == .default)
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func anyTextIsAConfiguration(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let pieces = [
            "nameserver", "nameserver 192.0.2.1", "search", "domain", "options", " ", "\t", "\n", "\r\n", "192.0.2.1",
            "fe80::1", "%", "eth0", "timeout:",
            "attempts:", "ndots:", "-", "9", "99999999999999999999", "a.test", ".", "\u{0}", "ü", "#", ";", "\u{2028}",
            "rotate",
        ]
        var servers = 0
        for _ in 0..<3000 {
            let text = (0..<Int.random(in: 0...30, using: &random)).map { _ in
                pieces.randomElement(using: &random) ?? ""
            }.joined()
            let configuration = ResolverConfiguration(text, hostName: text)
            servers += configuration.nameservers.count
            #expect((1...5).contains(configuration.attempts) && (0...15).contains(configuration.minimumDots))
            #expect(configuration.timeout >= .seconds(1) && configuration.timeout <= .seconds(30))
            #expect(configuration.nameservers.count <= 3)
            _ = NameServices(text)
        }
        #expect(servers > 10)
    }
}

@Suite struct NameServicesTests {
    @Test(arguments: [
        ("hosts: files dns", NameServices.default),
        ("hosts:\t\tfiles mdns4_minimal [NOTFOUND=return] dns # remark", .default),
        ("passwd: files\nhosts: mymachines resolve [!UNAVAIL=return] files myhostname dns\n", .default),
        ("hosts: files", .hostsFile),
        ("hosts: dns", .servers),
        ("hosts: resolve", .servers),
        ("  hosts : files", .hostsFile),
        ("hosts: nis", .default),
        ("#hosts: files", .default),
        ("hosts:", .default),
        ("", .default),
        ("passwd: dns", .default),
    ])
    func theHostsLineSaysWhereNamesAreLookedFor(text: String, services: NameServices) {
        #expect(NameServices(text) == services)
    }

    @Test func aShortageOfDescriptorsIsNotAnEmptyFile() throws {
        let folder = try TemporaryFolder()
        try folder.write("nameserver 192.0.2.53\n", to: "resolv.conf")
        let path = folder.path("resolv.conf")
        let short = withoutDescriptors { ResolverConfiguration.read(path: path, servicesPath: path) }
        #expect(short.nameservers.isEmpty)
        #expect(short.shortage == FileError(path: path, problem: .system(EMFILE)))
        #expect(ResolverConfiguration.read(path: path, servicesPath: path).shortage == nil)
        #expect(
            ResolverConfiguration.read(path: folder.path("none")).shortage == nil, "that there is none says something")
    }
}
