import Rtnetlink
import Testing

@Suite struct MessageWalkTests {
    private let first = MessageBuilder.link([.text(3, "eth0")])
    private var second: MessageBuilder {
        var builder = MessageBuilder.link(index: 9)
        builder.flags = [.multipart, .dumpInterrupted]
        builder.sequence = 77
        return builder
    }

    @Test func allMessagesOfADatagramAreSeenInOrder() {
        let (found, isWhole) = messages(in: first.message + second.message)
        #expect(isWhole)
        #expect(
            found.map(\.header) == [
                MessageHeader(type: .newLink),
                MessageHeader(type: .newLink, flags: [.multipart, .dumpInterrupted], sequence: 77),
            ])
        #expect(found.map(\.payload) == [first.payload, second.payload])
    }

    @Test func anEmptyDatagramIsWhole() {
        let (found, isWhole) = messages(in: [])
        #expect(found.isEmpty && isWhole)
    }

    @Test func aMessageWithoutPayloadIsAMessage() {
        let (found, isWhole) = messages(in: MessageBuilder(type: .done, fixed: []).message)
        #expect(found.map(\.header.type) == [.done] && found.map(\.payload) == [[]] && isWhole)
    }

    @Test func theLastMessageNeedsNoPadding() {
        let odd = MessageBuilder(type: .done, fixed: [1, 2, 3, 4, 5]).message
        let (found, isWhole) = messages(in: Array(odd[..<21]))
        #expect(found.map(\.payload) == [[1, 2, 3, 4, 5]] && isWhole)
    }

    @Test func aCutDatagramGivesWhatIsWholeAndSaysThatItIsBroken() {
        let whole = first.message + second.message
        for length in whole.indices.dropFirst(first.message.count + 1) {
            let (found, isWhole) = messages(in: Array(whole[..<length]))
            // Less than a header is passed over as padding would be, but is told.
            #expect(found.count == 1 && !isWhole, "\(length) bytes")
        }
    }

    @Test(arguments: [0, 1, 15, 41, 1 << 20, UInt32.max])
    func aLengthThatCannotBeEndsTheWalk(length: UInt32) {
        var broken = second.message
        broken.replaceSubrange(0..<4, with: littleEndian(length))
        let (found, isWhole) = messages(in: first.message + broken)
        #expect(found.count == 1 && !isWhole)
    }

    @Test func anUnknownTypeIsKept() {
        let (found, _) = messages(in: MessageBuilder(type: MessageType(rawValue: 0xbeef), fixed: []).message)
        #expect(found.map(\.header.type.rawValue) == [0xbeef])
    }
}
