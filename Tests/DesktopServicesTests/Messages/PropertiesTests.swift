import DesktopServices
import Testing

@Suite("Properties and managed objects")
struct PropertiesTests {
    @Test("properties are read by name, and the last of two counts")
    func properties() throws {
        let value = BusValue.dictionary([
            .init(.string("A"), .variant(.uint32(1))), .init(.string("A"), .variant(.uint32(2))),
        ])
        let properties = try #require(Properties(value))
        #expect(properties["A"]?.uint32 == 2)
        #expect(properties["B"] == nil)
    }

    @Test("what is not a dictionary with string keys is no set of properties")
    func noProperties() {
        #expect(Properties(nil) == nil)
        #expect(Properties(.array([])) == nil)
        #expect(Properties(.uint32(1)) == nil)
        #expect(Properties(.dictionary([.init(.uint32(1), .uint32(2))])) == nil)
    }

    @Test("a change has an interface, values and invalidated names")
    func change() throws {
        let body: [BusValue] = [.string("i"), .properties(["A": .uint32(1)]), .array([.string("B")])]
        let change = try #require(PropertiesChanged(body))
        #expect(change.interface == "i")
        #expect(change.changed["A"]?.uint32 == 1)
        #expect(change.invalidated == ["B"])
    }

    @Test("a change of another shape is none")
    func noChange() {
        let properties = BusValue.properties([:])
        #expect(PropertiesChanged(nil) == nil)
        #expect(PropertiesChanged([]) == nil)
        #expect(PropertiesChanged([.string("i"), properties]) == nil)
        #expect(PropertiesChanged([.uint32(1), properties, .array([])]) == nil)
        #expect(PropertiesChanged([.string("i"), .array([]), .array([])]) == nil)
        #expect(PropertiesChanged([.string("i"), properties, .array([.uint32(1)])]) == nil)
        #expect(PropertiesChanged([.string("i"), properties, .array([]), .array([])]) == nil)
    }

    @Test("the answer of an object manager is a tree of paths, interfaces and properties")
    func tree() throws {
        let body = [BusValue.objects(["/a": ["i": ["P": .bool(true)]], "/b": [:]])]
        let tree = try #require(ManagedObjects.tree(body))
        #expect(tree.keys.sorted() == ["/a", "/b"])
        #expect(tree["/a"]?["i"]?["P"] == .variant(.bool(true)))
        #expect(ManagedObjects.tree([.dictionary([])])?.isEmpty == true)
    }

    @Test("an object manager that answers anything else has said nothing")
    func noTree() {
        #expect(ManagedObjects.tree(nil) == nil)
        #expect(ManagedObjects.tree([]) == nil)
        #expect(ManagedObjects.tree([.dictionary([]), .dictionary([])]) == nil)
        #expect(ManagedObjects.tree([.array([.objectPath("/a")])]) == nil)
        #expect(ManagedObjects.tree([.dictionary([.init(.string("/a"), .dictionary([]))])]) == nil)
        #expect(ManagedObjects.tree([.dictionary([.init(.objectPath("/a"), .uint32(1))])]) == nil)
        #expect(ManagedObjects.added([.objectPath("/a")]) == nil)
        #expect(ManagedObjects.added([.string("/a"), .dictionary([])]) == nil)
        #expect(ManagedObjects.removed([.objectPath("/a"), .array([.uint32(1)])]) == nil)
    }
}
