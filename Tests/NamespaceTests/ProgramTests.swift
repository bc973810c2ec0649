import Testing

extension Namespaces {
    /// The program's words, output and exit statuses.
    @Suite(.withProgram) struct ProgramTests {
        private func wired() throws -> NetworkNamespace {
            let net = try NetworkNamespace()
            try net.addLink("eth0", "10.0.0.2/24", gateway: "10.0.0.1")
            return net
        }

        private func run(_ words: String, in net: NetworkNamespace) throws -> (status: Int32, text: String) {
            try ChildProcess.output(
                #require(WatchProgram.path), words.split(separator: " ").map(String.init), in: net)
        }

        @Test func aWaitOfNoTimeIsOneLook() throws {
            let net = try wired()
            #expect(try run("wait --timeout 0 10.0.0.9 default", in: net) == (0, ""))
            let (status, text) = try run("wait --timeout 0 10.0.0.9 2001:db8::9", in: net)
            #expect(status == 1)
            #expect(text.contains("2001:db8::9 is still not reachable: no route leads there"))
            #expect(!text.contains("10.0.0.9"))
            #expect(try run("status --timeout 0 default", in: net).status == 0)
        }

        @Test func aWaitTellsProgramsWhatItCameTo() throws {
            let net = try wired()
            let (status, text) = try run("wait --json --timeout 0 10.0.0.9 2001:db8::9", in: net)
            #expect(status == 1)
            let lines = text.split(separator: "\n").filter { $0.hasPrefix("{") }
            #expect(lines.count == 2)
            #expect(lines.first?.contains(#""status":"viaWiFi""#) == true)
            #expect(lines.last?.contains(#""reason":"noRoute""#) == true)
        }

        @Test(arguments: [
            ("status --count 2", "\"status\" takes no --count"), ("path --timeout 1", "\"path\" takes no --timeout"),
            ("interfaces --timeout 1", "\"interfaces\" takes no --timeout"),
            ("wait --count 1", "\"wait\" takes no --count"),
            ("10.0.0.1", "\"10.0.0.1\" is no command; for a target: status 10.0.0.1"),
            ("help", "\"help\" is no command; try --help"),
            ("sta/tus", "\"sta/tus\" is no command; try --help"),
        ])
        func wordsThatMeanNothingAreRefused(words: String, sentence: String) throws {
            let (status, text) = try run(words, in: NetworkNamespace())
            #expect(status == 2)
            #expect(text == "ReachabilityExample: \(sentence)\n")
        }

        @Test(arguments: [">&-", "| true"])
        func outputThatNobodyReadsChangesNoExitStatus(output: String) throws {
            let net = try wired()
            let program = try #require(WatchProgram.path)
            for (target, wanted) in [("10.0.0.9", 0 as Int32), ("2001:db8::9", 1)] {
                let command = "{ \(program) status \(target); echo $? >&2; } \(output)"
                #expect(try ChildProcess.output("/bin/sh", ["-c", command], in: net).text == "\(wanted)\n")
            }
        }

        /// More than the kernel puts into one answer at a time.
        @Test func aLinkOfHundredsOfNamesIsALink() throws {
            let net = try wired()
            let names = (0..<400).map { String(repeating: "x", count: 100) + "\($0)" }
            try net.ip(names.map { "link property add dev eth0 altname \($0)" })
            try net.addLink("eth1", "10.1.0.2/24")
            #expect(try run("status default 10.0.0.9%eth0 10.1.0.9%eth1", in: net).status == 0)
            let links = try run("interfaces", in: net).text
            #expect(links.contains("eth0 ") && links.contains("eth1 "))
        }

        @Test func theCallThatFailedIsSaid() throws {
            let command = "ulimit -n 6; exec \(try #require(WatchProgram.path)) status --timeout 0"
            let (status, text) = try ChildProcess.output("/bin/sh", ["-c", command], in: wired())
            #expect(status == 1)
            #expect(text.contains("the kernel cannot be asked: ") && text.contains("Too many open files (errno 24)"))
        }

        /// Nothing changes, so that nothing is written that would fail.
        @Test func aWatchEndsWithItsReader() throws {
            let command = "{ \(try #require(WatchProgram.path)) watch; echo ended with $? >&2; } | head -1"
            let (_, text) = try ChildProcess.output("/bin/sh", ["-c", command], in: wired())
            #expect(text.hasSuffix("ended with 0\n"))
        }

        @Test func namesOfAnyLettersAreShownWhole() throws {
            let (_, text) = try run("status --timeout 0 10.0.0.9 🦀🦀🦀.com", in: wired())
            #expect(text.contains("🦀🦀🦀.com   Unknown"))
        }

        @Test(arguments: ["status", "interfaces", "watch --count 1", "--help"])
        func aFullDiskIsSaidAndNoSuccess(words: String) throws {
            let net = try wired()
            let program = try #require(WatchProgram.path)
            let (status, text) = try ChildProcess.output("/bin/sh", ["-c", "\(program) \(words) >/dev/full"], in: net)
            #expect(status == 1)
            #expect(text.contains("standard output cannot be written: No space left on device"))
        }
    }
}
