import DesktopMocks
import DesktopServices
import Glibc
import Testing
import Timing

@Suite(
    "Messages read from a real bus", .serialized,
    .enabled(if: PrivateBus.hasMocks, "needs dbus-daemon, gdbus (libglib2.0-bin) and python3-dbusmock"))
struct MessageReaderTests {
    static let name = "org.example.Types"

    let bus: PrivateBus
    let connection: BusConnection

    init() throws {
        bus = try PrivateBus()
        try bus.start()
        try bus.run([PrivateBus.python, "-m", "dbusmock", "--system", Self.name, "/", Self.name], name: Self.name)
        let address = try #require(BusAddress.list(bus.address).first)
        connection = try BusConnection(library: SystemdLibrary(name: "libsystemd.so.0"), address: address)
    }

    /// Calls a method that returns what the Python expression makes, and gives the answer.
    func answer(signature: String, _ expression: String, serial: UInt32 = 7) throws -> BusMessage? {
        try bus.call(
            Self.name, "/", "org.freedesktop.DBus.Mock.AddMethod", Self.name, "Get\(serial)", "''", "'\(signature)'",
            "\"ret = \(expression)\"")
        try connection.send(
            BusCall(
                serial: serial, destination: Self.name,
                method: BusMethod(path: "/", interface: Self.name, member: "Get\(serial)")))
        let limit = Instant.now + .seconds(20)
        while Instant.now < limit {
            switch try connection.next(from: { _ in true }) {
            case .message(.reply(serial, let sender, let body)): return .reply(to: serial, sender: sender, body: body)
            case .message(.refusal(serial, let sender)): return .refusal(of: serial, sender: sender)
            case .message, .progress: continue
            case .idle:
                let events = connection.events
                var entry = pollfd(
                    fd: connection.descriptor ?? -1,
                    events: Int16((events.readable ? POLLIN : 0) | (events.writable ? POLLOUT : 0)), revents: 0)
                _ = unsafe poll(&entry, 1, 20_000)
            }
        }
        return nil
    }

    /// The body of the answer; nil if there is none or it cannot be read.
    func body(signature: String, _ expression: String, serial: UInt32 = 7) throws -> [BusValue]? {
        guard case .reply(_, _, let body)? = try answer(signature: signature, expression, serial: serial) else {
            Issue.record("no answer to \(expression)")
            return nil
        }
        return body
    }

    @Test("every basic type is read as what it is, at its limits")
    func basicTypes() throws {
        let body = try body(
            signature: "ybnqiuxtdsog",
            """
            (255, True, -32768, 65535, -2147483648, 4294967295, -9223372036854775808, 18446744073709551615, -1.5, \
            'köln', '/a/b', 'a{sv}')
            """)
        #expect(
            body == [
                .byte(255), .bool(true), .int16(.min), .uint16(.max), .int32(.min), .uint32(.max), .int64(.min),
                .uint64(.max), .double(-1.5), .string("köln"), .objectPath("/a/b"), .signature("a{sv}"),
            ])
    }

    @Test("containers are read with what is in them, empty ones too")
    func containers() throws {
        let body = try body(
            signature: "a(su)a{ov}asa{sv}v(i(s))",
            """
            ([('wwan0', 2), ('x', 6)], {'/a': dbus.UInt32(1)}, [], {}, dbus.Array([1], signature='i', variant_level=2), \
            (1, ('y',)))
            """)
        #expect(
            body == [
                .ports(["wwan0": 2, "x": 6]), .dictionary([.init(.objectPath("/a"), .variant(.uint32(1)))]),
                .array([]), .dictionary([]), .variant(.variant(.array([.int32(1)]))),
                .structure([.int32(1), .structure([.string("y")])]),
            ])
    }

    @Test("no arguments are an empty body, and an error is a refusal")
    func emptyAndError() throws {
        #expect(try body(signature: "", "None") == [])
        let answer = try answer(signature: "s", "1 / 0", serial: 8)
        guard case .refusal(of: 8, _)? = answer else {
            Issue.record("answer is \(String(describing: answer))")
            return
        }
    }

    @Test("text too long is left unread, and what follows is read")
    func longText() throws {
        let body = try body(signature: "ssu", "('x' * 4096, 'x' * 4097, 3)")
        #expect(body == [.string(String(repeating: "x", count: 4096)), .unread, .uint32(3)])
    }

    @Test("what nests too deep or is too large cannot be read, and the next message can")
    func limits() throws {
        #expect(try body(signature: "v", "dbus.Int32(1, variant_level=15)") != nil)
        #expect(try body(signature: "v", "dbus.Int32(1, variant_level=20)", serial: 8) == nil)
        #expect(try body(signature: "ay", "[1] * 60000", serial: 9)?.count == 1)
        #expect(try body(signature: "ay", "[1] * 70000", serial: 10) == nil)
        #expect(try body(signature: "u", "5", serial: 11) == [.uint32(5)])
    }
}
