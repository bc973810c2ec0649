import CRtnetlink
import InternetProtocol
import Testing

@testable import Rtnetlink

@Suite struct RequestWriterTests {
    private func request(_ writer: RequestWriter) -> [UInt8] { (0..<writer.count).map { writer.bytes[$0] } }

    private func routeRequest(_ writer: inout RequestWriter, _ address: String) throws {
        var body = rtmsg()
        body.rtm_family = 2
        body.rtm_dst_len = 32
        writer.begin(MessageHeader(type: .getRoute, flags: .request, sequence: 5), body)
        writer.add(1, try #require(IPAddress(address)))
        writer.add(4, UInt32(3))
    }

    @Test func aRequestIsHeaderStructAndAttributes() throws {
        var writer = RequestWriter()
        try routeRequest(&writer, "192.0.2.9")
        let wanted =
            littleEndian(UInt32(44)) + littleEndian(UInt16(26)) + littleEndian(UInt16(1)) + littleEndian(UInt32(5))
            + littleEndian(UInt32(0)) + [2, 32, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] + [8, 0, 1, 0, 192, 0, 2, 9]
            + [8, 0, 4, 0, 3, 0, 0, 0]
        #expect(request(writer) == wanted)
    }

    @Test func ourOwnReaderReadsIt() throws {
        var writer = RequestWriter()
        try routeRequest(&writer, "192.0.2.9")
        let (found, isWhole) = messages(in: request(writer))
        #expect(isWhole && found.map(\.header) == [MessageHeader(type: .getRoute, flags: .request, sequence: 5)])
        let route = try #require(decoded(found[0].payload) { Route($0) })
        #expect(route.destination.description == "192.0.2.9/32" && route.egress == InterfaceIndex(3))
    }

    @Test func theBufferIsUsedAgain() throws {
        var writer = RequestWriter()
        try routeRequest(&writer, "192.0.2.9")
        let first = request(writer)
        writer.begin(MessageHeader(type: .getLink), ifinfomsg())
        #expect(writer.count == 32)
        try routeRequest(&writer, "192.0.2.9")
        #expect(request(writer) == first)
    }

    @Test func anIPv6AddressIsInNetworkOrder() throws {
        var writer = RequestWriter()
        writer.begin(MessageHeader(type: .getRoute), rtmsg())
        let address = try #require(IPAddress("2001:db8::ff"))
        writer.add(1, address)
        #expect(request(writer).suffix(20) == [20, 0, 1, 0] + address.bytes)
    }

    @Test func whatDoesNotFitIsLeftOutAndNeverWrittenBeyondTheBuffer() throws {
        var writer = RequestWriter()
        writer.begin(MessageHeader(type: .getRoute), rtmsg())
        for _ in 0..<50 { writer.add(1, IPAddress.unspecified(.v6)) }
        #expect(writer.count <= writer.bytes.count && writer.bytes.count == 256)
    }

    @Test func twoRequestsAreSentInOneGoEachWithItsOwnLength() throws {
        var writer = RequestWriter()
        try routeRequest(&writer, "192.0.2.9")
        let first = request(writer)
        writer.begin(MessageHeader(type: .getRoute, flags: .request, sequence: 6), rtmsg(), isFirst: false)
        writer.add(1, try #require(IPAddress("2001:db8::ff")))
        let (found, isWhole) = messages(in: request(writer))
        #expect(isWhole && found.map(\.header.sequence) == [5, 6])
        #expect(Array(request(writer).prefix(first.count)) == first)
        #expect(writer.count == first.count + 16 + 12 + 20)
    }

    @Test func theTwoLongestRequestsThereAreFit() {
        var writer = RequestWriter()
        for isFirst in [true, false] {
            writer.begin(MessageHeader(type: .getRoute), rtmsg(), isFirst: isFirst)
            writer.add(1, IPAddress.unspecified(.v6))
            writer.add(2, IPAddress.unspecified(.v6))
            writer.add(4, UInt32(3))
        }
        #expect(writer.count == 2 * (16 + 12 + 20 + 20 + 8))
    }
}
