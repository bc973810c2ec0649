import DesktopServices
import Testing

@Suite("Bus values")
struct BusValueTests {
    @Test("an accessor gives the value through any number of variants")
    func variants() {
        #expect(BusValue.variant(.variant(.uint32(7))).uint32 == 7)
        #expect(BusValue.variant(.string("x")).string == "x")
        #expect(BusValue.objectPath("/x").objectPath == "/x")
    }

    @Test("an accessor gives nothing for another type, however alike")
    func otherTypes() {
        #expect(BusValue.int32(7).uint32 == nil)
        #expect(BusValue.uint64(7).uint32 == nil)
        #expect(BusValue.byte(7).uint32 == nil)
        #expect(BusValue.string("/x").objectPath == nil)
        #expect(BusValue.objectPath("/x").string == nil)
        #expect(BusValue.signature("s").string == nil)
        #expect(BusValue.structure([]).array == nil)
        #expect(BusValue.array([]).structure == nil)
        #expect(BusValue.array([]).dictionary == nil)
        #expect(BusValue.unread.string == nil)
    }

    @Test("a list with one element of another type is no list")
    func lists() {
        #expect(BusValue.array([.objectPath("/a"), .objectPath("/b")]).objectPaths == ["/a", "/b"])
        #expect(BusValue.array([.objectPath("/a"), .string("/b")]).objectPaths == nil)
        #expect(BusValue.array([]).strings == [])
        #expect(BusValue.uint32(0).strings == nil)
    }

    @Test("only what the kernel takes is the name of an interface")
    func interfaceNames() {
        for name in ["eth0", "wwan0", "a", "123456789012345", "wg.0", "köln"] {
            #expect(BusValue.string(name).interfaceName == name)
        }
        for name in ["", ".", "..", "1234567890123456", "a/b", "a b", "a:1", "a\tb", "a\nb"] {
            #expect(BusValue.string(name).interfaceName == nil)
        }
        #expect(BusValue.objectPath("/").interfaceName == nil)
    }
}
