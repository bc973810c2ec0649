import InternetProtocol
import Testing

@testable import NameResolution

@Suite struct LookupStateTests {
    private static let four = IPAddress(v4: 1)
    private static let six = IPAddress(family: .v6, bits: 1)
    private static let found4 = FamilyAnswer.addresses([four], timeToLive: .seconds(5))
    private static let found6 = FamilyAnswer.addresses([six], timeToLive: .seconds(3))
    private static let failed = FamilyAnswer.failed(.serverFailure)
    private static let failure = LookupOutcome.failed(code: 3, text: CaresStatus.serverFailure.text)

    static let table: [(FamilyAnswer, FamilyAnswer, LookupOutcome)] = [
        (found4, found6, .addresses([four, six], timeToLive: .seconds(3))),
        (found4, .notFound, .addresses([four], timeToLive: .seconds(5))),
        (.notFound, found6, .addresses([six], timeToLive: .seconds(3))),
        (found4, .timeout, .partial([four], timeToLive: .seconds(5), missing: .v6)),
        (found4, failed, .partial([four], timeToLive: .seconds(5), missing: .v6)),
        (failed, found6, .partial([six], timeToLive: .seconds(3), missing: .v4)),
        (.timeout, found6, .partial([six], timeToLive: .seconds(3), missing: .v4)),
        (.notFound, .notFound, .notFound),
        (.notFound, .timeout, .timeout),
        (.timeout, .notFound, .timeout),
        (.timeout, .timeout, .timeout),
        (failed, .notFound, failure),
        (.notFound, failed, failure),
        (failed, .timeout, failure),
        (.timeout, failed, failure),
        (.noResolver, .noResolver, .noResolver),
        (.noResolver, .notFound, .noResolver),
    ]

    @Test(arguments: table)
    func theOutcomeIsThatOfBothFamilies(v4: FamilyAnswer, v6: FamilyAnswer, outcome: LookupOutcome) {
        for order in [[IPAddress.Family.v4, .v6], [.v6, .v4]] {
            var state = LookupState(candidates: ["a.test."])
            #expect(state.next() == .ask("a.test."))
            let steps = order.map { state.take($0 == .v4 ? v4 : v6, for: $0) }
            #expect(steps.last == .end(outcome))
            switch order[0] == .v4 ? v4 : v6 {
            case .addresses(let addresses, _): #expect(steps.first == .half(addresses))
            default: #expect(steps.first == .some(nil))
            }
        }
    }

    @Test func onlyNotFoundGoesOnToTheNextName() {
        var state = LookupState(candidates: ["a.", "b."])
        #expect(state.next() == .ask("a."))
        #expect(state.take(.notFound, for: .v6) == nil)
        #expect(state.take(.notFound, for: .v4) == .ask("b."))
        #expect(state.take(.notFound, for: .v4) == nil)  // nothing of the first name is left
        #expect(state.take(.notFound, for: .v6) == .end(.notFound))
    }

    @Test func statusesOfTheLibraryAreAnswers() {
        for code: Int32 in [1, 4, 8, 19] { #expect(FamilyAnswer(CaresStatus(rawValue: code)) == .notFound) }
        #expect(FamilyAnswer(CaresStatus(rawValue: 12)) == .timeout)
        #expect(FamilyAnswer(CaresStatus(rawValue: 26)) == .noResolver)
        for code: Int32 in [16, 24] { #expect(FamilyAnswer(CaresStatus(rawValue: code)) == .cancelled) }
        for code: Int32 in [2, 3, 5, 6, 10, 11, 15, 99, -1] {
            #expect(FamilyAnswer(CaresStatus(rawValue: code)) == .failed(CaresStatus(rawValue: code)))
            #expect(!CaresStatus(rawValue: code).text.isEmpty)
        }
    }

    @Test func addressesAreTakenOnceAndUpToTheLimit() {
        let many = (0..<200).flatMap { [IPAddress(v4: $0), IPAddress(v4: $0)] }
        guard case .addresses(let kept, let time) = FamilyAnswer(addresses: many, secondsToLive: 9) else {
            Issue.record("no addresses")
            return
        }
        #expect(kept == (0..<64).map { IPAddress(v4: $0) } && time == .seconds(9))
        #expect(FamilyAnswer(addresses: [], secondsToLive: 9) == .notFound)
    }

    @Test func theRunningVersionIsKnown() {
        #expect(CaresVersion.running >= CaresVersion(number: 0x011201), "1.18.1 is the oldest that is supported")
        #expect(CaresVersion(number: 0x012209).description == "1.34.9")
        #expect(CaresVersion.scopedServers < .queryCache)
    }
}
