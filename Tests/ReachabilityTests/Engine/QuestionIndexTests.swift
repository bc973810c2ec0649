import InternetProtocol
import Reachability
import TestSupport
import Testing

@Suite struct QuestionIndexTests {
    @Test func targetsAreFoundByPrefix() {
        let questions: [(id: String, destinations: Set<IPAddress>)] = [
            ("a", [ip("10.0.0.1"), ip("2001:db8::1")]), ("b", [ip("10.0.1.0")]), ("c", []),
        ]
        let index = QuestionIndex(questions)
        func found(_ text: String, _ length: Int) -> Set<String> {
            Set(index.targets(within: [AddressPrefix(ip(text), length: length)]))
        }
        #expect(found("10.0.0.0", 24) == ["a"])
        #expect(found("10.0.0.0", 23) == ["a", "b"])
        #expect(found("10.0.1.0", 32) == ["b"])
        #expect(found("0.0.0.0", 0) == ["a", "b"] && found("::", 0) == ["a"])
        #expect(found("10.0.2.0", 24) == [])
        #expect(index.targets(within: []) == [])
        #expect(QuestionIndex<String>().targets(within: [AddressPrefix(ip("0.0.0.0"), length: 0)]) == [])
    }

    @Test func itFindsWhatLookingAtEachWouldFind() {
        var random = SeededGenerator(seed: 7)
        func address() -> IPAddress {
            Bool.random(using: &random)
                ? IPAddress(v4: 0x0a00_0000 | .random(in: 0...0xffff, using: &random))
                : IPAddress(family: .v6, bits: UInt128.random(in: 0...0xffff, using: &random) << 112)
        }
        for _ in 0..<200 {
            let questions = (0..<Int.random(in: 0...30, using: &random)).map { id in
                (id: id, destinations: Set((0..<Int.random(in: 0...4, using: &random)).map { _ in address() }))
            }
            let index = QuestionIndex(questions)
            for _ in 0..<10 {
                let prefixes = (0..<Int.random(in: 1...3, using: &random)).map { _ in
                    let base = address()
                    return AddressPrefix(base, length: .random(in: 0...base.family.bitWidth, using: &random))
                }
                let wanted = questions.filter { question in
                    prefixes.contains { prefix in question.destinations.contains { prefix.contains($0) } }
                }
                let found = index.targets(within: prefixes)
                #expect(Set(found) == Set(wanted.map(\.id)), "\(prefixes)")
                #expect(Set(found).count == found.count, "each once")
            }
        }
    }
}
