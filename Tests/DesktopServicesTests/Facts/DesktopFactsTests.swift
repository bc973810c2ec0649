import DesktopServices
import Testing

@Suite("Desktop facts")
struct DesktopFactsTests {
    @Test("yes and guess-yes are metered, no and guess-no are not, and anything else is neither")
    func metered() {
        for (value, isMetered, isUnmetered) in [
            (Metered.yes, true, false), (.guessYes, true, false), (.no, false, true), (.guessNo, false, true),
            (.unknown, false, false), (Metered(rawValue: 77), false, false),
        ] {
            #expect(value.isMetered == isMetered && value.isUnmetered == isUnmetered, "\(value)")
        }
    }

    @Test("what the check of NetworkManager found is told in its words, a value without one as unknown")
    func connectivity() {
        let words = (UInt32(0)...5).map { "\(Connectivity(rawValue: $0))" }
        #expect(words == ["unknown", "none", "portal", "limited", "full", "unknown"])
    }
}
