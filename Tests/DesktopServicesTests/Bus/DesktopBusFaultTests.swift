import Foundation
import Glibc
import Testing
import Timing

@testable import DesktopServices

@Suite("A bus that cannot be used")
struct DesktopBusFaultTests {
    @Test("without the library it is said once, nothing is watched, and nothing is tried again")
    func libraryMissing() throws {
        let server = try SilentServer()
        let listener = Listener(address: server.address, library: "libnot-there.so.0")
        guard case .libraryUnusable(let name, let reason) = listener.bus.fault else {
            Issue.record("fault is \(String(describing: listener.bus.fault))")
            return
        }
        #expect(name == "libnot-there.so.0")
        #expect(reason.contains("libnot-there.so.0"))
        #expect(listener.bus.deadline == nil)
        #expect(listener.pollSet.entries.isEmpty)
        #expect(listener.bus.nudge(now: listener.now) == nil)
        #expect(listener.bus.process(now: listener.now + .seconds(100)) == nil)
        #expect(listener.bus.deadline == nil)
        #expect(listener.facts == DesktopFacts())
    }

    @Test("a library without the functions is told by the first that is missing")
    func wrongLibrary() throws {
        let server = try SilentServer()
        let listener = Listener(address: server.address, library: "libc.so.6")
        #expect(
            listener.bus.fault == .libraryUnusable(name: "libc.so.6", reason: "it has no sd_bus_new"))
    }

    @Test("where there is no bus, no library is opened")
    func noBus() {
        let listener = Listener(address: "unix:path=/nowhere/bus", library: "libnot-there.so.0")
        #expect(listener.bus.fault == .noBus)
        #expect(listener.bus.deadline == nil)
        #expect(listener.pollSet.entries.isEmpty)
        #expect(listener.bus.process(now: listener.now) == nil)
    }

    @Test("an address that names no local socket is refused", arguments: ["", "tcp:host=127.0.0.1,port=1", "rubbish"])
    func address(text: String) {
        let listener = Listener(address: text)
        #expect(listener.bus.fault == .addressUnusable(text))
        #expect(listener.bus.deadline == nil)
    }

    @Test("a socket nobody listens on is tried again with back-off, and then left alone")
    func refused() throws {
        let server = try SilentServer()
        server.close()
        let listener = Listener(address: server.address)
        var tries = 0
        while let deadline = listener.bus.deadline, tries < 100 {
            #expect(listener.bus.fault == .connectionFailed(errno: ECONNREFUSED))
            #expect(listener.bus.process(now: deadline) == nil)
            tries += 1
        }
        #expect(tries == 7)
    }

    @Test("a server that accepts and never speaks holds nobody up")
    func silent() throws {
        let server = try SilentServer()
        let listener = Listener(address: server.address)
        #expect(listener.bus.fault == nil)
        #expect(!listener.bus.isConnected)
        let start = Instant.now
        for _ in 0..<100 { listener.process() }
        #expect(Instant.now - start < .seconds(1))
        // The library gives up on its own some time.
        #expect(listener.bus.deadline.map { $0 > listener.now + .seconds(10) } == true)
    }

    @Test("a server that talks nonsense or hangs up is left, and tried again", arguments: ["HTTP/1.1 400\r\n\r\n", ""])
    func nonsense(text: String) throws {
        let server = try SilentServer()
        let listener = Listener(address: server.address)
        try server.answer(text)
        #expect(listener.wait { $0.fault != nil })
        #expect(!listener.bus.isConnected)
        #expect(listener.bus.deadline != nil)
    }

    @Test("faults say what is wrong")
    func descriptions() {
        #expect(
            DesktopBusFault.libraryUnusable(name: "libx.so", reason: "not found").description
                == "libx.so cannot be used: not found")
        #expect(DesktopBusFault.addressUnusable("x").description.contains("“x”"))
        #expect(
            DesktopBusFault.connectionFailed(errno: ECONNREFUSED).description
                == "bus connection: Connection refused (errno 111)")
        #expect(DesktopBusFault.connectionFailed(errno: .max).description.hasSuffix("(errno 2147483647)"))
        #expect(DesktopBusFault.libraryUnusable(name: "", reason: "").isFinal)
        #expect(!DesktopBusFault.noBus.isFinal)
    }
}
