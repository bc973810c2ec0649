import DesktopMocks
import DesktopServices
import Testing

@Suite("Access technologies")
struct AccessTechnologiesTests {
    /// ModemManager's numbers written out, so that a bit off by one in the source cannot hide.
    static let bits: [(UInt32, AccessTechnologies, CellularGeneration?, String?)] = [
        (0x1, .pots, nil, nil),
        (0x2, .gsm, .second, "GPRS"),
        (0x4, .gsmCompact, .second, "GPRS"),
        (0x8, .gprs, .second, "GPRS"),
        (0x10, .edge, .second, "Edge"),
        (0x20, .umts, .third, "WCDMA"),
        (0x40, .hsdpa, .third, "HSDPA"),
        (0x80, .hsupa, .third, "HSUPA"),
        (0x100, .hspa, .third, "HSUPA"),
        (0x200, .hspaPlus, .third, "HSUPA"),
        (0x400, .cdma1x, .second, "CDMA1x"),
        (0x800, .evdo0, .third, "CDMAEVDORev0"),
        (0x1000, .evdoA, .third, "CDMAEVDORevA"),
        (0x2000, .evdoB, .third, "CDMAEVDORevB"),
        (0x4000, .lte, .fourth, "LTE"),
        (0x8000, .nr, .fifth, "NR"),
        (0x10000, .lteCategoryM, .fourth, "LTE"),
        (0x20000, .lteNarrowBand, .fourth, "LTE"),
    ]

    @Test("each bit has ModemManager's value, a generation and Apple's name", arguments: bits)
    func bit(
        value: UInt32, technologies: AccessTechnologies, generation: CellularGeneration?, suffix: String?
    ) {
        #expect(technologies.rawValue == value)
        #expect(technologies.generation == generation)
        #expect(technologies.radioAccessTechnologySuffix == suffix)
    }

    @Test("the bits of the table are all different and next to each other")
    func bitsAreComplete() {
        #expect(Self.bits.reduce(0) { $0 | $1.0 } == 0x3ffff)
        #expect(Self.bits.count == 18)
    }

    @Test(
        "nothing known, every bit and unnamed bits have no generation", arguments: [0, 0xffff_ffff, 0x40000, 1 << 31])
    func unknown(value: UInt32) {
        #expect(AccessTechnologies(rawValue: value).generation == nil)
        #expect(AccessTechnologies(rawValue: value).radioAccessTechnologySuffix == nil)
    }

    @Test("the best of several bits counts")
    func several() {
        #expect(AccessTechnologies([.lte, .nr]).generation == .fifth)
        #expect(AccessTechnologies([.lte, .nr]).radioAccessTechnologySuffix == "NRNSA")
        #expect(AccessTechnologies([.nr, .gsm]).radioAccessTechnologySuffix == "NR")
        #expect(AccessTechnologies([.umts, .lte, .edge]).generation == .fourth)
        #expect(AccessTechnologies([.umts, .hsdpa, .hsupa]).radioAccessTechnologySuffix == "HSUPA")
        #expect(AccessTechnologies([.hspaPlus, .cdma1x]).generation == .third)
        #expect(AccessTechnologies([.lteNarrowBand, .nr]).generation == .fifth)
        #expect(AccessTechnologies([.gsm, AccessTechnologies(rawValue: 1 << 20)]).generation == .second)
        #expect(AccessTechnologies([.pots, .gprs]).generation == .second)
    }

    @Test("generations are ordered and named")
    func generations() {
        #expect(CellularGeneration.allCases == [.second, .third, .fourth, .fifth])
        #expect(CellularGeneration.second < .fifth)
        #expect(CellularGeneration.allCases.map(\.description) == ["2G", "3G", "4G", "5G"])
    }
}
