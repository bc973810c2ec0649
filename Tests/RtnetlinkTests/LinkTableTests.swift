import Rtnetlink
import TestSupport
import Testing

@Suite struct LinkTableTests {
    private func link(_ index: UInt32, _ name: String) -> Link { Link(index: InterfaceIndex(index), name: name) }

    @Test func linksAreFoundByIndexAndByName() {
        let table = LinkTable([link(9, "wlan0"), link(1, "lo"), link(3, "eth0")])
        #expect(table.all.map(\.name) == ["lo", "eth0", "wlan0"])
        for index in [1, 3, 9] as [UInt32] { #expect(table[InterfaceIndex(index)]?.index.rawValue == index) }
        for index in [0, 2, 4, 10, .max] as [UInt32] { #expect(table[InterfaceIndex(index)] == nil) }
        #expect(table[name: "eth0"]?.index == InterfaceIndex(3) && table[name: "eth1"] == nil)
    }

    @Test func aLinkIsReplacedWithItsKind() {
        var table = LinkTable([link(3, "eth0")])
        #expect(table.entry(InterfaceIndex(3))?.finding.kind == .wired)
        table[InterfaceIndex(3)] = link(3, "wwan0")
        #expect(table.all.map(\.name) == ["wwan0"] && table.entry(InterfaceIndex(3))?.finding.kind == .cellular)
        table[InterfaceIndex(3)] = nil
        table[InterfaceIndex(4)] = nil
        #expect(table.all.isEmpty && table.entry(InterfaceIndex(3)) == nil)
    }

    @Test func itHoldsWhatADictionaryHolds() {
        var random = SeededGenerator(seed: 3)
        var table = LinkTable()
        var reference: [UInt32: String] = [:]
        for round in 0..<2000 {
            let index = UInt32.random(in: 1...40, using: &random)
            let isThere = Bool.random(using: &random)
            table[InterfaceIndex(index)] = isThere ? link(index, "l\(round)") : nil
            reference[index] = isThere ? "l\(round)" : nil
            #expect(table.all.map(\.name) == reference.sorted { $0.key < $1.key }.map(\.value))
        }
    }

    @Test func tablesAreEqualIfTheirLinksAre() {
        var changed = link(3, "eth0")
        changed.flags = []
        #expect(LinkTable([link(3, "eth0")]) == LinkTable([link(3, "eth0")]))
        #expect(LinkTable([link(3, "eth0")]) != LinkTable([changed]))
    }
}
