/// The radio technologies a modem is using, as ModemManager tells them: `AccessTechnologies` of
/// `org.freedesktop.ModemManager1.Modem`, D-Bus type `u`, values and names of `MMModemAccessTechnology`
/// (ModemManager-enums.h). Bits without a name here survive.
package struct AccessTechnologies: OptionSet, Hashable, Sendable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// A plain telephone line: no radio.
    package static let pots = AccessTechnologies(rawValue: 1 << 0)
    /// GSM without packet data.
    package static let gsm = AccessTechnologies(rawValue: 1 << 1)
    /// Compact GSM.
    package static let gsmCompact = AccessTechnologies(rawValue: 1 << 2)
    /// GPRS, packet data in GSM.
    package static let gprs = AccessTechnologies(rawValue: 1 << 3)
    /// EDGE, the faster packet data in GSM.
    package static let edge = AccessTechnologies(rawValue: 1 << 4)
    /// UMTS, wideband CDMA.
    package static let umts = AccessTechnologies(rawValue: 1 << 5)
    /// HSDPA, faster downlink in UMTS.
    package static let hsdpa = AccessTechnologies(rawValue: 1 << 6)
    /// HSUPA, faster uplink in UMTS.
    package static let hsupa = AccessTechnologies(rawValue: 1 << 7)
    /// HSPA, both of them.
    package static let hspa = AccessTechnologies(rawValue: 1 << 8)
    /// HSPA+.
    package static let hspaPlus = AccessTechnologies(rawValue: 1 << 9)
    /// 1xRTT, the data service of CDMA2000.
    package static let cdma1x = AccessTechnologies(rawValue: 1 << 10)
    /// EV-DO release 0 of CDMA2000.
    package static let evdo0 = AccessTechnologies(rawValue: 1 << 11)
    /// EV-DO revision A.
    package static let evdoA = AccessTechnologies(rawValue: 1 << 12)
    /// EV-DO revision B.
    package static let evdoB = AccessTechnologies(rawValue: 1 << 13)
    /// LTE.
    package static let lte = AccessTechnologies(rawValue: 1 << 14)
    /// 5G New Radio, since ModemManager 1.14. Beside `lte` it means a 5G cell anchored on LTE.
    package static let nr = AccessTechnologies(rawValue: 1 << 15)
    /// LTE category M, since ModemManager 1.20.
    package static let lteCategoryM = AccessTechnologies(rawValue: 1 << 16)
    /// LTE narrow-band IoT, since ModemManager 1.20.
    package static let lteNarrowBand = AccessTechnologies(rawValue: 1 << 17)

    /// Every bit set: a mask to ask with. No modem is in that state, so it says nothing.
    package static let any = AccessTechnologies(rawValue: .max)
}

extension AccessTechnologies {
    /// What one named bit stands for.
    private struct Meaning {
        let technologies: AccessTechnologies
        let generation: CellularGeneration
        /// What follows `CTRadioAccessTechnology` in Apple's name.
        let suffix: String
    }

    /// The best first: the newest generation, and within it the highest bit (Rules.md, "Cellular generations"). POTS is
    /// no radio.
    private static let meanings = [
        Meaning(technologies: [.nr, .lte], generation: .fifth, suffix: "NRNSA"),
        Meaning(technologies: .nr, generation: .fifth, suffix: "NR"),
        Meaning(technologies: .lteNarrowBand, generation: .fourth, suffix: "LTE"),
        Meaning(technologies: .lteCategoryM, generation: .fourth, suffix: "LTE"),
        Meaning(technologies: .lte, generation: .fourth, suffix: "LTE"),
        Meaning(technologies: .evdoB, generation: .third, suffix: "CDMAEVDORevB"),
        Meaning(technologies: .evdoA, generation: .third, suffix: "CDMAEVDORevA"),
        Meaning(technologies: .evdo0, generation: .third, suffix: "CDMAEVDORev0"),
        // Apple has no name for HSPA and HSPA+; both include HSUPA.
        Meaning(technologies: .hspaPlus, generation: .third, suffix: "HSUPA"),
        Meaning(technologies: .hspa, generation: .third, suffix: "HSUPA"),
        Meaning(technologies: .hsupa, generation: .third, suffix: "HSUPA"),
        Meaning(technologies: .hsdpa, generation: .third, suffix: "HSDPA"),
        Meaning(technologies: .umts, generation: .third, suffix: "WCDMA"),
        Meaning(technologies: .cdma1x, generation: .second, suffix: "CDMA1x"),
        Meaning(technologies: .edge, generation: .second, suffix: "Edge"),
        // Apple has no name for GSM without packet service.
        Meaning(technologies: .gprs, generation: .second, suffix: "GPRS"),
        Meaning(technologies: .gsmCompact, generation: .second, suffix: "GPRS"),
        Meaning(technologies: .gsm, generation: .second, suffix: "GPRS"),
    ]

    private var best: Meaning? {
        self == .any ? nil : Self.meanings.first { contains($0.technologies) }
    }

    /// The generation of the best technology in use; nil when nothing is known, nothing is a radio, or the mask is `any`.
    package var generation: CellularGeneration? { best?.generation }

    /// What follows `CTRadioAccessTechnology` in Apple's name for the best technology in use: `LTE`, `NRNSA`, `Edge`.
    /// Nil exactly when `generation` is. `eHRPD` is never given, for ModemManager has no bit for it.
    package var radioAccessTechnologySuffix: String? { best?.suffix }
}
