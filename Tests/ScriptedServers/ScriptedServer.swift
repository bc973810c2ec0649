import Dispatch
import Foundation
import Glibc
import InternetProtocol
import Synchronization

/// A DNS server on 127.0.0.1, UDP and TCP on one port, that answers as a test says. It ends with its last reference.
package final class ScriptedServer {
    package typealias Question = DNSMessage.Question

    package enum Reply: Sendable {
        case records([DNSMessage.Record])
        /// An empty answer with this response code: 0 no data, 2 SERVFAIL, 3 NXDOMAIN, 5 REFUSED.
        case code(UInt8)
        case silence
        /// Over UDP "ask over TCP", over TCP these records.
        case overTCP([DNSMessage.Record])
        /// These bytes as they are.
        case bytes([UInt8])
        /// Over TCP: the connection is closed.
        case hangUp
        indirect case late(Duration, Reply)
    }

    package let port: UInt16
    private let core: Core

    /// Any free port unless one is given. Opens its sockets in the network namespace of the calling thread.
    package init(port: UInt16 = 0, _ script: @escaping @Sendable (Question) -> Reply) throws {
        core = try Core(port: port, script)
        self.port = core.port
        let core = core
        Thread.detachNewThread { core.run() }
    }

    deinit {
        core.stop()
    }

    /// What was asked so far, as `name A` or `name AAAA`, in order.
    package var questions: [String] { core.questions.withLock { $0 } }

    /// Waits until what was asked so far is as wanted; false after half a minute. One thread at a time.
    package func awaitQuestions(_ isWanted: ([String]) -> Bool) -> Bool {
        let end = DispatchTime.now() + 30
        while !isWanted(questions) {
            if core.asked.wait(timeout: end) == .timedOut { return false }
        }
        return true
    }
}

/// What the server's thread works on. Sendable: all that changes is its own thread's, or in the mutex.
private final class Core: @unchecked Sendable {
    let port: UInt16
    let questions = Mutex<[String]>([])
    /// Rung for each question.
    let asked = DispatchSemaphore(value: 0)
    private let script: @Sendable (ScriptedServer.Question) -> ScriptedServer.Reply
    private let udp: CInt
    private let listener: CInt
    /// Closing the far end wakes the thread for good.
    private let wake: CInt
    private let stopper: CInt
    private let ended = DispatchSemaphore(value: 0)
    private var connections: [CInt: [UInt8]] = [:]
    private var later: [(due: ContinuousClock.Instant, send: () -> Void)] = []

    struct Failure: Error {
        let errno: CInt
    }

    init(
        port wanted: UInt16, _ script: @escaping @Sendable (ScriptedServer.Question) -> ScriptedServer.Reply
    ) throws {
        self.script = script
        var ends: [CInt] = [-1, -1]
        let kind = CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard unsafe socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw Failure(errno: errno) }
        (wake, stopper) = (ends[0], ends[1])
        // A port that is free for both.
        for _ in 0..<50 {
            let udp = socket(AF_INET, CInt(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
            let listener = socket(AF_INET, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
            let port = Self.bind(udp, port: wanted)
            if port != 0, Self.bind(listener, port: port) == port, listen(listener, 8) == 0 {
                self.udp = udp
                self.listener = listener
                self.port = port
                return
            }
            close(udp)
            close(listener)
        }
        throw Failure(errno: errno)
    }

    deinit {
        for descriptor in [udp, listener, wake] + connections.keys { close(descriptor) }
    }

    private static func bind(_ descriptor: CInt, port: UInt16) -> UInt16 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout.size(ofValue: address))
        return unsafe withUnsafeMutablePointer(to: &address) { pointer in
            let generic = unsafe UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: sockaddr.self)
            guard unsafe Glibc.bind(descriptor, generic, length) == 0,
                unsafe getsockname(descriptor, generic, &length) == 0
            else { return 0 }
            return unsafe UInt16(bigEndian: pointer.pointee.sin_port)
        }
    }

    /// Ends the thread and waits until it has ended.
    func stop() {
        close(stopper)
        ended.wait()
    }

    func run() {
        while true {
            let now = ContinuousClock.now
            let due = later.filter { $0.due <= now }
            later.removeAll { $0.due <= now }
            for entry in due { entry.send() }

            var polled = ([wake, udp, listener] + connections.keys).map {
                pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
            }
            let wait = later.map(\.due).min().map { CInt(max(now.duration(to: $0) / .milliseconds(1), 0)) + 1 } ?? -1
            guard unsafe poll(&polled, nfds_t(polled.count), wait) >= 0 || errno == EINTR else { break }
            if polled[0].revents != 0 { break }
            for entry in polled where entry.revents != 0 { read(entry.fd) }
        }
        ended.signal()
    }

    private func read(_ descriptor: CInt) {
        if descriptor == listener {
            let connection = accept(listener, nil, nil)
            if connection >= 0 { connections[connection] = [] }
            return
        }
        var buffer = [UInt8](repeating: 0, count: 4096)
        var peer = sockaddr_in()
        var length = socklen_t(MemoryLayout.size(ofValue: peer))
        let count = unsafe withUnsafeMutableBytes(of: &peer) { address in
            unsafe buffer.withUnsafeMutableBytes { bytes in
                unsafe recvfrom(
                    descriptor, bytes.baseAddress, bytes.count, 0,
                    address.baseAddress?.assumingMemoryBound(to: sockaddr.self), &length)
            }
        }
        if descriptor == udp {
            guard count > 0 else { return }
            let target = peer
            answer(Array(buffer[..<count]), isTCP: false) { [udp] reply in
                guard let reply else { return }
                unsafe withUnsafeBytes(of: target) { address in
                    _ = unsafe sendto(
                        udp, reply, reply.count, 0, address.baseAddress?.assumingMemoryBound(to: sockaddr.self),
                        socklen_t(address.count))
                }
            }
            return
        }
        guard count > 0 else { return hangUp(descriptor) }
        connections[descriptor, default: []] += buffer[..<count]
        while let data = connections[descriptor], data.count >= 2 {
            let size = Int(data[0]) << 8 | Int(data[1])
            guard data.count >= 2 + size else { return }
            connections[descriptor] = Array(data[(2 + size)...])
            answer(Array(data[2..<(2 + size)]), isTCP: true) { [weak self] reply in
                guard let reply else { return self?.hangUp(descriptor) ?? () }
                let framed = DNSMessage.big(UInt16(reply.count)) + reply
                _ = unsafe send(descriptor, framed, framed.count, CInt(MSG_NOSIGNAL))
            }
        }
    }

    private func hangUp(_ descriptor: CInt) {
        if connections.removeValue(forKey: descriptor) != nil { close(descriptor) }
    }

    /// Sends what the script says; nil hangs up.
    private func answer(_ bytes: [UInt8], isTCP: Bool, send: @escaping ([UInt8]?) -> Void) {
        guard var question = DNSMessage.Question(bytes) else { return }
        let text = "\(question.name) \(question.type == 1 ? "A" : question.type == 28 ? "AAAA" : "?")"
        question.count = questions.withLock { list in
            defer { list.append(text) }
            return list.count { $0 == text }
        }
        asked.signal()
        question.isTCP = isTCP
        carryOut(script(question), question, send)
    }

    private func carryOut(
        _ reply: ScriptedServer.Reply, _ question: DNSMessage.Question, _ send: @escaping ([UInt8]?) -> Void
    ) {
        switch reply {
        case .silence: break
        case .hangUp: send(nil)
        case .bytes(let bytes): send(bytes)
        case .code(let code): send(DNSMessage.reply(to: question, code: code))
        case .records(let records): send(DNSMessage.reply(to: question, records))
        case .overTCP(let records):
            send(DNSMessage.reply(to: question, isTruncated: !question.isTCP, question.isTCP ? records : []))
        case .late(let delay, let reply):
            later.append((ContinuousClock.now + delay, { [weak self] in self?.carryOut(reply, question, send) }))
        }
    }
}
