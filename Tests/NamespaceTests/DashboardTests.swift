import Glibc
import Testing

extension Namespaces {
    /// The program's full screen, on a terminal of the test's own.
    @Suite(.withProgram) struct DashboardTests {
        private func wired() throws -> NetworkNamespace {
            let net = try NetworkNamespace()
            try net.addLink("eth0", "10.0.0.2/24", gateway: "10.0.0.1")
            return net
        }

        @Test func whatChangesIsSeenAndTheTerminalIsLeftAsItWas() throws {
            let net = try wired()
            let program = try TerminalProgram(["dashboard", "default", "10.0.0.9"], in: net)
            #expect(program.wait { $0.page.contains("Wired") && $0.page.contains("10.0.0.9") })
            #expect(program.isRaw)
            try net.ip("route del default")
            #expect(program.wait { $0.page.contains("Offline") && $0.page.contains("no route leads there") })
            // The newest mark stands in the last column, where what erases the rest of a line would take it away.
            #expect(program.wait { $0.page.contains("▁") })
            #expect(!program.page.contains("▁\u{1b}[K"))
            program.press("q")
            #expect(program.wait { $0.written.hasSuffix("\u{1b}[?1049l") })
            #expect(program.process.wait() == 0)
            #expect(!program.isRaw)
        }

        @Test func aKeyEndsAndBeginsTheMonitoring() throws {
            let net = try wired()
            let program = try TerminalProgram(["dashboard"], in: net)
            #expect(program.wait { $0.page.contains("Wired") })
            program.press("m")
            #expect(program.wait { $0.page.contains("m starts monitoring") })
            try net.ip("route del default")
            let pages = program.pages
            program.setSize(columns: 90, rows: 30)
            #expect(program.wait { $0.pages > pages })
            #expect(program.page.contains("not monitored") && !program.page.contains("Offline"))
            program.press("m")
            #expect(program.wait { $0.page.contains("Offline") && $0.page.contains("m stops monitoring") })
        }

        @Test(arguments: [SIGINT, SIGTERM, SIGQUIT])
        func aSignalLeavesTheTerminalAsItWas(signal: Int32) throws {
            let program = try TerminalProgram(["dashboard"], in: wired())
            #expect(program.wait { $0.page.contains("Wired") })
            program.process.signal(signal)
            #expect(program.process.wait() == 0)
            #expect(!program.isRaw)
        }

        @Test func anotherSizeIsDrawnFor() throws {
            let program = try TerminalProgram(["dashboard"], rows: 30, in: wired())
            #expect(program.wait { $0.page.contains("Interfaces") })
            program.setSize(columns: 30, rows: 5)
            #expect(program.wait { !$0.page.contains("Interfaces") && $0.page.contains("q quits") })
        }

        @Test func whoStopsItGetsTheTerminalBackMeanwhile() throws {
            let program = try TerminalProgram(["dashboard"], in: wired())
            #expect(program.wait { $0.page.contains("Wired") })
            program.process.signal(SIGTSTP)
            #expect(program.wait { $0.written.hasSuffix("\u{1b}[?1049l") })
            // Continued before it has stopped, it would stop after that.
            #expect(program.process.waitForStop())
            #expect(!program.isRaw)
            program.process.signal(SIGCONT)
            #expect(program.wait { $0.page.contains("Wired") && !$0.page.contains("\u{1b}[?1049l") })
            #expect(program.isRaw)
        }

        /// A key such as F2 is told as an escape and letters, one of which is Q.
        @Test func aKeyOfSeveralBytesIsNoLetter() throws {
            let program = try TerminalProgram(["dashboard"], in: wired())
            #expect(program.wait { $0.page.contains("Wired") })
            program.press("\u{1b}OQ")
            let pages = program.pages
            #expect(program.wait { $0.pages > pages + 1 })
            program.press("q")
            #expect(program.process.wait() == 0)
        }

        @Test func theTimeEndsIt() throws {
            let program = try TerminalProgram(["dashboard", "--timeout", "0.1"], in: wired())
            #expect(program.wait { $0.written.hasSuffix("\u{1b}[?1049l") })
            #expect(program.process.wait() == 0)
        }

        @Test func aDemonstrationIsGoneThroughWithKeys() throws {
            let program = try TerminalProgram(["demo"], in: NetworkNamespace())
            #expect(program.wait { $0.page.contains("1 of ") && $0.page.contains("Offline") })
            program.press(" ")
            #expect(program.wait { $0.page.contains("2 of ") && $0.page.contains("● Wi-Fi") })
            program.press("q")
            #expect(program.process.wait() == 0)
            #expect(!program.isRaw)
        }

        @Test func withoutATerminalItSaysWhatDoesWithout() throws {
            let sentence = "ReachabilityExample: the dashboard needs a terminal; \"watch\" prints lines\n"
            let path = try #require(WatchProgram.path)
            let plain = try ChildProcess.output(path, ["dashboard"], in: wired())
            #expect(plain == (2, sentence))
            let dumb = try TerminalProgram(["dashboard"], type: "dumb", in: wired())
            #expect(dumb.wait { $0.written.contains("needs a terminal") })
            #expect(dumb.process.wait() == 2)
            let lines = try TerminalProgram(["demo"], type: "dumb", in: wired())
            #expect(lines.wait { $0.written.contains("1 of ") && $0.written.contains("Not Reachable") })
        }
    }
}
