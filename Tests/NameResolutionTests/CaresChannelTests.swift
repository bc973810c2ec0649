import InternetProtocol
import ScriptedServers
import Testing

@testable import NameResolution

/// What is handed to C comes back.
@Suite struct CaresChannelTests {
    @Test func everyQuestionIsLetGoWhenItIsAnswered() throws {
        let counter = Counter()
        let channel = try CaresChannel(.to([]), onDescriptor: { _, _, _ in })
        for number in 0..<50 {
            let token = Token(counter)
            channel.ask("n\(number).onion.", .v4) { _ in token.use() }  // never asked for (RFC 7686)
        }
        #expect(counter.used == 50 && counter.gone == 50)
    }

    @Test func everyQuestionIsLetGoWhenTheChannelIsClosed() throws {
        let server = try ScriptedServer { _ in .silence }
        let counter = Counter()
        var descriptors: Set<CInt> = []
        let channel = try CaresChannel(.to([server.port])) { descriptor, readable, writable in
            if readable || writable { descriptors.insert(descriptor) } else { descriptors.remove(descriptor) }
        }
        for number in 0..<50 {
            let token = Token(counter)
            channel.ask("n\(number).test.", number % 2 == 0 ? .v4 : .v6) { _ in token.use() }
        }
        #expect(!descriptors.isEmpty && channel.timeout != nil && counter.gone == 0)
        channel.close()
        #expect(descriptors.isEmpty && channel.timeout == nil && counter.gone == 50 && counter.used == 0)
        channel.ask("late.test.", .v4) { _ in counter.used += 1 }
        channel.processTimeouts()
        #expect(counter.used == 0)
    }

    @Test func aChannelThatIsLetGoIsClosed() throws {
        let server = try ScriptedServer { _ in .silence }
        let counter = Counter()
        do {
            let channel = try CaresChannel(.to([server.port]), onDescriptor: { _, _, _ in })
            let token = Token(counter)
            channel.ask("a.test.", .v4) { _ in token.use() }
        }
        #expect(counter.gone == 1 && counter.used == 0)
    }

    @Test func errorsAreSentences() {
        #expect(
            NameChannelError.channel(code: 15, text: CaresStatus.outOfMemory.text).description
                == "c-ares opens no channel: Out of memory (15)")
        #expect(
            NameChannelError.servers("x", code: 17, text: "t").description
                == "c-ares does not take the servers x: t (17)")
        #expect(NameChannelError.library(code: 1, text: "t").description == "c-ares does not start: t (1)")
    }
}
