internal import CRtnetlink
internal import Glibc
internal import InternetProtocol
internal import Synchronization

/// The socket that asks. Any thread may ask; questions are taken one after the other.
///
/// It joins no group and has no filter, since a filter would drop answers as well, and it stays open, since a socket
/// made for one question would cost three times the question.
package final class RequestSocket: Sendable {
    private let socket: NetlinkSocket
    private let state = Mutex(State())

    fileprivate struct State: ~Copyable {
        var writer = RequestWriter()
        // The kernel fills at most this much at a time (net/netlink/af_netlink.c, netlink_dump), unless one link alone is larger
        // (net/core/rtnetlink.c, rtnl_calcit): then this grows.
        var buffer = [UInt8](repeating: 0, count: 32 * 1024)
        var sequence: UInt32 = 0
    }

    package init() throws(SystemCallError) {
        socket = try NetlinkSocket()
    }

    /// Asks for a route. Costs one send and one receive; never waits for anything but the kernel's own work.
    package func route(_ question: RouteQuestion) -> RouteAnswer {
        state.withLock { state in
            state.write(question)
            if let failure = state.send(on: socket) { return .failure(failure) }
            return state.answer(to: state.sequence, from: socket)
        }
    }

    /// Asks two questions in one go, which is a system call less than one by one.
    package func routes(_ first: RouteQuestion, _ second: RouteQuestion) -> (RouteAnswer, RouteAnswer) {
        state.withLock { state in
            state.write(first)
            state.write(second, isFirst: false)
            if let failure = state.send(on: socket) { return (.failure(failure), .failure(failure)) }
            // The kernel takes the requests one by one, and answers so.
            let answer = state.answerOfSeveral(to: state.sequence &- 1, from: socket)
            return (answer, state.answerOfSeveral(to: state.sequence, from: socket))
        }
    }

    /// The flags of a link at this moment; nil if no link has the name. Waits for nobody else's question.
    package func flags(ofLinkNamed name: String) -> LinkFlags? { socket.flags(ofLinkNamed: name) }

    /// The description of one link; nil if there is none with this index.
    package func link(_ index: InterfaceIndex) -> LinkMessage? {
        state.withLock { state in
            var body = ifinfomsg()
            body.ifi_index = Int32(truncatingIfNeeded: index.rawValue)
            var link: LinkMessage?
            // Once more where the answer was too long for the buffer, which has grown by then.
            for _ in 0..<2 {
                state.sequence &+= 1
                state.writer.begin(MessageHeader(type: .getLink, flags: .request, sequence: state.sequence), body)
                state.writer.add(Self.linkDetail.type, Self.linkDetail.value)
                let (isTorn, _) = state.exchange(with: socket) { type, payload in
                    if type == .newLink { link = LinkMessage(payload) }
                }
                if !isTorn { break }
            }
            return link
        }
    }

    /// IFLA_EXT_MASK with RTEXT_FILTER_SKIP_STATS (linux/if_link.h, linux/rtnetlink.h): counters, half of a description, are left
    /// out. Without any mask the kernel makes no room for large descriptions and leaves those links out of the list, without
    /// a word (net/core/rtnetlink.c, rtnl_calcit).
    private static let linkDetail: (type: UInt16, value: UInt32) = (29, 1 << 3)

    /// Waits until a change that is under way in the kernel has been carried out in full.
    package func waitForChangesUnderWay() { socket.waitForChangesUnderWay() }

    /// Every link of the namespace.
    package func links() throws(SystemCallError) -> [LinkMessage] {
        try dump(.getLink, ifinfomsg(), with: Self.linkDetail) { type, payload in
            type == .newLink ? LinkMessage(payload) : nil
        }
    }

    /// Every address of the namespace's interfaces.
    package func addresses() throws(SystemCallError) -> [InterfaceAddress] {
        try dump(.getAddress, ifaddrmsg()) { type, payload in
            type == .newAddress ? InterfaceAddress(payload) : nil
        }
    }

    private func dump<Body: BitwiseCopyable, Element: Sendable>(
        _ type: MessageType, _ body: Body, with attribute: (type: UInt16, value: UInt32)? = nil,
        _ decode: (MessageType, RawSpan) -> Element?
    ) throws(SystemCallError) -> [Element] {
        // A dump that a change has torn is repeated; a host that changes without pause gets the last try, since the
        // changes themselves are told by the event socket.
        var elements: [Element] = []
        for _ in 0..<8 {
            elements.removeAll(keepingCapacity: true)
            let (isTorn, failure) = state.withLock { state in
                state.sequence &+= 1
                state.writer.begin(
                    MessageHeader(type: type, flags: [.request, .dump], sequence: state.sequence), body)
                if let attribute { state.writer.add(attribute.type, attribute.value) }
                return state.exchange(with: socket) { type, payload in
                    if let element = decode(type, payload) { elements.append(element) }
                }
            }
            // A torn one may have lost its end, which is no failure yet.
            if isTorn { continue }
            if let failure { throw SystemCallError("netlink dump", code: failure) }
            break
        }
        return elements
    }
}

extension RequestSocket.State {
    /// Writes a question, in the place of what was written before or after it.
    fileprivate mutating func write(_ question: RouteQuestion, isFirst: Bool = true) {
        var body = rtmsg()
        body.rtm_family = question.destination.family.rawValue
        body.rtm_dst_len = UInt8(question.destination.family.bitWidth)
        if question.source != nil { body.rtm_src_len = body.rtm_dst_len }
        if question.match == .entry { body.rtm_flags = 0x2000 }  // RTM_F_FIB_MATCH, linux/rtnetlink.h
        sequence &+= 1
        writer.begin(
            MessageHeader(type: .getRoute, flags: .request, sequence: sequence), body, isFirst: isFirst)
        writer.add(1, question.destination)  // RTA_DST
        if let source = question.source { writer.add(2, source) }  // RTA_SRC
        if let interface = question.interface { writer.add(4, interface.rawValue) }  // RTA_OIF
    }

    /// Sends what was written; why that failed, or nil.
    fileprivate func send(on socket: borrowing NetlinkSocket) -> RouteFailure? {
        do { try socket.send(writer) } catch { return .notAnswered(error.code) }
        return nil
    }

    /// Reads the one answer to a question that was sent, which is one message in one datagram.
    ///
    /// The same as `exchange` where nothing else can come; apart because every live read and every evaluation ends here.
    @inline(__always)
    fileprivate mutating func answer(to sequence: UInt32, from socket: borrowing NetlinkSocket) -> RouteAnswer {
        while true {
            let count: Int
            switch socket.receiveAnswer(into: &buffer) {
            case .datagram(let bytes): count = bytes
            case .discarded, .cut, .overrun: continue
            case .empty: return .failure(.notAnswered(EAGAIN))
            case .failed(let error): return .failure(.notAnswered(error.code))
            }
            // Sound: bytes have no padding to leave unset.
            let whole = unsafe buffer.span.bytes
            let datagram = whole.extracting(whole.clamp(0, count))
            // The rest of an answer that was given up earlier is passed over.
            guard let header = datagram.load(nlmsghdr.self), header.nlmsg_seq == sequence else { continue }
            let payload = datagram.extracting(datagram.clamp(MessageHeader.byteCount, Int(header.nlmsg_len)))
            switch MessageType(rawValue: header.nlmsg_type) {
            case .newRoute: return Route(payload)?.answer ?? .failure(.notAnswered(EBADMSG))
            case .error: return .failure(RouteFailure(errno: 0 &- (payload.load(Int32.self) ?? -EBADMSG)))
            default: return .failure(.notAnswered(EBADMSG))
            }
        }
    }

    /// The same once for all, where the reading stands twice: what is seldom run should be little.
    @inline(never)
    fileprivate mutating func answerOfSeveral(
        to sequence: UInt32, from socket: borrowing NetlinkSocket
    ) -> RouteAnswer { answer(to: sequence, from: socket) }

    /// Sends the request that the writer holds and hands each message of the answer to `body`.
    ///
    /// Returns whether a dump was torn by a change, and the errno if the kernel answered with an error or the socket
    /// failed.
    fileprivate mutating func exchange(
        with socket: borrowing NetlinkSocket, _ body: (MessageType, RawSpan) -> Void
    ) -> (isTorn: Bool, failure: Int32?) {
        do { try socket.send(writer) } catch { return (false, Self.socketFailure(error.code)) }
        var isTorn = false
        while true {
            let count: Int
            switch socket.receiveAnswer(into: &buffer) {
            case .datagram(let bytes): count = bytes
            case .cut(let length):
                buffer = [UInt8](repeating: 0, count: length)
                isTorn = true
                continue
            case .discarded, .overrun:
                // A part of a dump is missing.
                isTorn = true
                continue
            case .empty: return (isTorn, Self.socketFailure(EAGAIN))
            case .failed(let error): return (isTorn, Self.socketFailure(error.code))
            }
            var isFinished = false
            var failure: Int32?
            let sequence = sequence
            let datagram = unsafe buffer.span.bytes  // sound: bytes have no padding to leave unset
            forEachMessage(in: datagram.extracting(datagram.clamp(0, count))) { header, payload in
                // The rest of an answer that was given up earlier is passed over.
                guard header.sequence == sequence else { return }
                if header.flags.contains(.dumpInterrupted) { isTorn = true }
                switch header.type {
                case .error:
                    isFinished = true
                    failure = 0 &- (payload.load(Int32.self) ?? -EBADMSG)
                case .done:
                    isFinished = true
                    // A dump that the kernel gave up ends with why (net/netlink/af_netlink.c, netlink_dump_done).
                    failure = 0 &- (payload.load(Int32.self) ?? 0)
                default:
                    body(header.type, payload)
                    if !header.flags.contains(.multipart) { isFinished = true }
                }
            }
            if isFinished { return (isTorn, failure == 0 ? nil : failure) }
        }
    }

    /// The socket's own errno as one that `RouteFailure` takes for "not answered", never for a kind of route.
    private static func socketFailure(_ code: Int32) -> Int32 {
        if case .notAnswered = RouteFailure(errno: code) { code } else { EIO }
    }
}
