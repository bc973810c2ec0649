import DesktopServices
import Testing

@Suite("Bus addresses")
struct BusAddressTests {
    @Test("a socket's file is known with its escapes resolved")
    func path() {
        let list = BusAddress.list("unix:path=/run/dbus/system%20bus,guid=0123")
        #expect(list.map(\.socketPath) == ["/run/dbus/system bus"])
        #expect(list.map(\.text) == ["unix:path=/run/dbus/system%20bus,guid=0123"])
    }

    @Test("an abstract socket has no file")
    func abstract() {
        let list = BusAddress.list("unix:abstract=/tmp/x")
        #expect(list.count == 1)
        #expect(list.first?.socketPath == nil)
    }

    @Test("of a list the local sockets are kept in their order")
    func list() {
        let text = "tcp:host=10.0.0.1,port=1;unix:path=/a;unixexec:path=/bin/true;unix:path=/b;autolaunch:"
        #expect(BusAddress.list(text).map(\.socketPath) == ["/a", "/b"])
    }

    @Test(
        "what names no local socket is left out",
        arguments: [
            "", ";", "unix:", "unix:path=", "unix:path", "unix:path=/a%2", "unix:path=/a%zz", "unix:path=/a%00",
            "unix:path=/%ff", "unix:tmpdir=/tmp", "unix:path=/a,abstract=b", "nonsense", "UNIX:path=/a",
        ])
    func refused(text: String) {
        #expect(BusAddress.list(text).isEmpty)
    }

    @Test("the system bus has an address")
    func system() {
        #expect(BusAddress.list(BusAddress.system).map(\.socketPath) == ["/run/dbus/system_bus_socket"])
    }
}
