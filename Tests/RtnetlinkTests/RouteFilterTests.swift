import InternetProtocol
import TestSupport
import Testing

@testable import Rtnetlink

@Suite struct RouteFilterTests {
    /// A message about a route to the prefix, as the kernel would send it: no destination where all is meant.
    private func message(_ prefix: AddressPrefix, _ type: MessageType = .newRoute) -> [UInt8] {
        let destination = MessageBuilder.Attribute.bytes(1, prefix.address.bytes)
        return MessageBuilder.route(
            type: type, family: prefix.address.family.rawValue, destinationLength: UInt8(prefix.length),
            [.number(15, 254)] + (prefix.length == 0 ? [] : [destination]) + [.number(4, 3)]
        ).message
    }

    private func prefix(_ text: String, _ length: Int) throws -> AddressPrefix {
        AddressPrefix(try #require(IPAddress(text)), length: length)
    }

    /// Addresses close to each other, so that prefixes of every length hold some and not others.
    private func randomAddress(_ family: IPAddress.Family, _ random: inout SeededGenerator) -> IPAddress {
        let width = family.bitWidth
        let spread = [1, 4, 8, 16, width].randomElement(using: &random) ?? width
        let base: UInt128 = family == .v4 ? 0x0a00_0000 : 0x2001_0db8 << 96
        let noise = UInt128.random(in: 0...UInt128.max, using: &random) >> UInt128(128 - spread)
        // Noise in the leading 32 bits, which are looked at, and beyond.
        let shift = Int.random(in: 0...width - spread, using: &random)
        return IPAddress(family: family, bits: base ^ noise << UInt128(shift))
    }

    @Test(arguments: IPAddress.Family.allCases)
    func whatConcernsAnAddressPassesAndTheFilterAndItsProgramAgree(family: IPAddress.Family) throws {
        var random = SeededGenerator(seed: UInt64(family.rawValue))
        var passed = 0
        var dropped = 0
        for _ in 0..<150 {
            let destinations = (0..<Int.random(in: 0...12, using: &random)).map { _ in
                let other: IPAddress.Family = family == .v4 ? .v6 : .v4
                return randomAddress(Int.random(in: 0...4, using: &random) == 0 ? other : family, &random)
            }
            let filter = RouteFilter(destinations: destinations)
            let interpreter = FilterInterpreter(program: filter.program)
            for _ in 0..<60 {
                let length = Int.random(in: 0...family.bitWidth, using: &random)
                let prefix = AddressPrefix(randomAddress(family, &random), length: length)
                let concerns = destinations.contains { prefix.contains($0) }
                let accepts = filter.accepts(prefix)
                if concerns { #expect(accepts, "\(prefix) for \(destinations)") }
                #expect(try interpreter.accepts(message(prefix)) == accepts, "\(prefix) for \(destinations)")
                // Of so few destinations the leading 32 bits are compared in full: nothing else passes.
                let cut = AddressPrefix(prefix.address, length: min(length, 32))
                let wanted = length == 0 || destinations.contains { cut.contains($0) }
                #expect(accepts == wanted, "\(prefix) for \(destinations)")
                if accepts { passed += 1 } else { dropped += 1 }
            }
        }
        #expect(passed > 500 && dropped > 500)
    }

    @Test(arguments: [128, 129, 1000, 10_000])
    func manyDestinationsFitIntoAProgram(count: Int) throws {
        var random = SeededGenerator(seed: UInt64(count))
        let destinations = (0..<count).flatMap { _ in
            [IPAddress(v4: .random(in: 0 ... .max, using: &random)), randomAddress(.v6, &random)]
        }
        let filter = RouteFilter(destinations: destinations)
        let program = filter.program
        #expect(program.count <= 4096)  // BPF_MAXINSNS
        let interpreter = FilterInterpreter(program: program)
        for destination in destinations.prefix(300) {
            let length = Int.random(in: 1...destination.family.bitWidth, using: &random)
            let prefix = AddressPrefix(destination, length: length)
            #expect(filter.accepts(prefix))
            #expect(try interpreter.accepts(message(prefix)), "\(prefix)")
        }
        for _ in 0..<300 {
            let prefix = AddressPrefix(IPAddress(v4: .random(in: 0 ... .max, using: &random)), length: 32)
            #expect(try interpreter.accepts(message(prefix)) == filter.accepts(prefix), "\(prefix)")
        }
    }

    @Test func destinationsFarApartInAllOfIPv6StillFit() throws {
        var random = SeededGenerator(seed: 6)
        let destinations = (0..<10_000).map { _ in
            IPAddress(family: .v6, bits: .random(in: 0...UInt128.max, using: &random))
        }
        let filter = RouteFilter(destinations: destinations)
        #expect(filter.program.count <= 4096)
        let interpreter = FilterInterpreter(program: filter.program)
        for destination in destinations.prefix(300) {
            #expect(try interpreter.accepts(message(AddressPrefix(destination, length: 128))))
        }
    }

    @Test func nothingAskedAboutIsNothingWantedButDefaults() throws {
        let filter = RouteFilter(destinations: [IPAddress]())
        let interpreter = FilterInterpreter(program: filter.program)
        for family in IPAddress.Family.allCases {
            let all = AddressPrefix(.unspecified(family), length: 0)
            let one = AddressPrefix(.unspecified(family), length: 1)
            #expect(filter.accepts(all) && !filter.accepts(one))
            #expect(try interpreter.accepts(message(all)) && !interpreter.accepts(message(one)))
        }
    }

    @Test(arguments: [MessageType.newRoute, .deleteRoute]) func bothRouteMessagesAreTested(type: MessageType) throws {
        let filter = RouteFilter(destinations: [try #require(IPAddress("192.0.2.9"))])
        let interpreter = FilterInterpreter(program: filter.program)
        #expect(try interpreter.accepts(message(prefix("192.0.2.0", 24), type)))
        #expect(try !interpreter.accepts(message(prefix("198.51.100.0", 24), type)))
    }

    @Test func everyOtherMessagePasses() throws {
        let interpreter = FilterInterpreter(program: RouteFilter(destinations: [IPAddress]()).program)
        for hex in [
            KernelMessages.linkChanged, KernelMessages.linkRemoved, KernelMessages.addressAdded,
            KernelMessages.addressRemoved, KernelMessages.ruleAdded, KernelMessages.netconfChanged,
            KernelMessages.nextHopAdded,
        ] { #expect(try interpreter.accepts(bytes(hex: hex))) }
        // Routes of MPLS and the like come too, and are passed over by their reader.
        #expect(try interpreter.accepts(MessageBuilder.route(family: 28, destinationLength: 20).message))
    }

    @Test func theKernelsOwnRouteMessagesAreTold() throws {
        let wanted = FilterInterpreter(
            program: RouteFilter(destinations: [try #require(IPAddress("2001:db8:1::7"))]).program)
        let unrelated = FilterInterpreter(
            program: RouteFilter(destinations: [try #require(IPAddress("2a00::7"))]).program)
        for hex in [KernelMessages.routeV6Added, KernelMessages.routeRemoved] {
            #expect(try wanted.accepts(bytes(hex: hex)))
            #expect(try !unrelated.accepts(bytes(hex: hex)))
        }
        #expect(try unrelated.accepts(bytes(hex: KernelMessages.routeAdded)), "a default")
    }

    @Test func aRouteMessageWithoutItsDestinationPasses() throws {
        let interpreter = FilterInterpreter(program: RouteFilter(destinations: [IPAddress]()).program)
        #expect(try interpreter.accepts(MessageBuilder.route(destinationLength: 24, [.number(4, 3)]).message))
    }
}
