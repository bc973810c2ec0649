internal import CAres
internal import Glibc
internal import InternetProtocol

/// A channel of c-ares, which asks servers and nothing else: it reads no file, keeps no answer, adds no domain.
///
/// All C of name resolution is here. One thread. Its closures are called from inside c-ares, so they must not call the
/// channel. Nothing here blocks: the sockets are non-blocking.
///
/// Safe to use: the pointers it holds are its own, and end with `close()`.
@safe final class CaresChannel {
    /// c-ares' own; nil once closed.
    private var channel: ares_channel?
    private let watcher: Watcher
    /// Only for old versions, which cannot be told the link of a link-local server.
    private let sockets: ScopedSockets?

    /// What c-ares calls for its sockets. An object of its own, so that it exists before the channel does.
    private final class Watcher {
        let onDescriptor: (CInt, Bool, Bool) -> Void

        init(_ onDescriptor: @escaping (CInt, Bool, Bool) -> Void) {
            self.onDescriptor = onDescriptor
        }
    }

    /// What c-ares holds for a question: it is retained once for c-ares, and c-ares' one call of `answered`, which it
    /// makes for every question whatever happens, takes that retain back. Nothing else holds it.
    private final class Question {
        let completion: (FamilyAnswer) -> Void

        init(_ completion: @escaping (FamilyAnswer) -> Void) {
            self.completion = completion
        }
    }

    /// The library's own set-up, once for the process: it only counts, and not safely between threads, so nobody ends it.
    private static let libraryStatus = CaresStatus(rawValue: ares_library_init(CInt(ARES_LIB_INIT_ALL)))

    /// A channel to the servers of the configuration that can be addressed now.
    init(
        _ configuration: ResolverConfiguration, onDescriptor: @escaping (CInt, Bool, Bool) -> Void
    ) throws(NameChannelError) {
        guard Self.libraryStatus == .success else {
            throw .library(code: Self.libraryStatus.rawValue, text: Self.libraryStatus.text)
        }
        let servers = configuration.nameservers.filter(\.isAddressable)
        let isOld = CaresVersion.running < .scopedServers
        watcher = Watcher(onDescriptor)
        sockets = isOld ? ScopedSockets(servers) : nil
        var opened: ares_channel?
        let status = unsafe Self.open(&opened, configuration, watcher)
        guard status == .success, let opened = unsafe opened else {
            throw .channel(code: status.rawValue, text: status.text)
        }
        unsafe channel = opened
        unsafe sockets?.install(on: opened)
        let list = servers.map { $0.listEntry(withScope: !isOld) }.joined(separator: ",")
        let taken = CaresStatus(rawValue: unsafe ares_set_servers_ports_csv(opened, list))
        guard taken == .success else { throw .servers(list, code: taken.rawValue, text: taken.text) }
    }

    deinit {
        close()
    }

    /// Asks for the addresses of a name in one family. The completion is called once, perhaps before this returns (when
    /// nothing can be sent), unless the channel is closed, which drops it.
    func ask(_ name: String, _ family: IPAddress.Family, completion: @escaping (FamilyAnswer) -> Void) {
        guard let channel = unsafe channel else { return }
        var hints = ares_addrinfo_hints()
        hints.ai_family = CInt(family.rawValue)
        hints.ai_flags = CInt(ARES_AI_NOSORT)  // sorting opens a socket to each address
        let question = unsafe Unmanaged.passRetained(Question(completion))
        unsafe ares_getaddrinfo(channel, name, nil, &hints, Self.answered, question.toOpaque())
    }

    /// Reads and writes a socket that is ready, and sends again what has waited too long. Another descriptor is ignored.
    func process(descriptor: CInt, readable: Bool, writable: Bool) {
        guard let channel = unsafe channel else { return }
        unsafe ares_process_fd(channel, readable ? descriptor : Self.none, writable ? descriptor : Self.none)
    }

    /// Sends again what has waited too long.
    func processTimeouts() {
        process(descriptor: Self.none, readable: false, writable: false)
    }

    /// How long until `processTimeouts` is due; zero: now; nil: never.
    var timeout: Duration? {
        guard let channel = unsafe channel else { return nil }
        var buffer = timeval()
        let isSet = unsafe withUnsafeMutablePointer(to: &buffer) { unsafe ares_timeout(channel, nil, $0) != nil }
        guard isSet else { return nil }
        let timeout = Duration.seconds(buffer.tv_sec) + .microseconds(buffer.tv_usec)
        // c-ares cuts to whole milliseconds: without one more, the caller would be woken too early, and again and again.
        return timeout == .zero ? .zero : timeout + .milliseconds(1)
    }

    /// Closes the sockets, each told to the descriptor closure, and drops the questions. Their completions are not called.
    func close() {
        guard let channel = unsafe channel else { return }
        unsafe self.channel = nil
        unsafe ares_destroy(channel)
        sockets?.release()
    }

    /// ARES_SOCKET_BAD
    private static let none: CInt = -1
}

// MARK: - C

extension CaresChannel {
    /// ARES_OPT_QUERY_CACHE (ares.h from 1.31 on). Its value, `qcache_max_ttl`, stands behind the fields that the
    /// structure had before, in the zeros that `open` leaves there; zero turns the cache off.
    private static let queryCacheOption: CInt = 1 << 21
    /// Bytes for `struct ares_options` of any version; that of 1.34 has 160.
    private static let optionsSize = 512

    private static func open(
        _ channel: inout ares_channel?, _ configuration: ResolverConfiguration, _ watcher: Watcher
    ) -> CaresStatus {
        var mask =
            CInt(ARES_OPT_FLAGS) | CInt(ARES_OPT_TIMEOUTMS) | CInt(ARES_OPT_TRIES) | CInt(ARES_OPT_NDOTS)
            | CInt(ARES_OPT_LOOKUPS) | CInt(ARES_OPT_RESOLVCONF) | CInt(ARES_OPT_SOCK_STATE_CB)
        mask |= configuration.rotatesServers ? CInt(ARES_OPT_ROTATE) : CInt(ARES_OPT_NOROTATE)
        if CaresVersion.running >= .queryCache { mask |= queryCacheOption }

        // Sound: the memory is zeroed and large enough for the structure of any version, which holds only numbers and
        // pointers, and c-ares copies what it is given before it returns, the strings too.
        let size = unsafe max(optionsSize, MemoryLayout<ares_options>.size)
        let status = unsafe withUnsafeTemporaryAllocation(byteCount: size, alignment: 16) { memory -> CInt in
            _ = unsafe memory.initializeMemory(as: UInt8.self, repeating: 0)
            guard let base = memory.baseAddress else { return CaresStatus.outOfMemory.rawValue }
            let options = unsafe base.bindMemory(to: ares_options.self, capacity: 1)
            unsafe options.pointee.flags =
                CInt(ARES_FLAG_NOSEARCH) | CInt(ARES_FLAG_NOALIASES)
                | (configuration.usesTCP ? CInt(ARES_FLAG_USEVC) : 0)
            unsafe options.pointee.timeout = configuration.timeout.wholeMilliseconds
            unsafe options.pointee.tries = CInt(clamping: configuration.attempts)
            unsafe options.pointee.ndots = 1
            unsafe options.pointee.sock_state_cb = stateChanged
            unsafe options.pointee.sock_state_cb_data = Unmanaged.passUnretained(watcher).toOpaque()
            // "b": ask servers, read no hosts file. The configuration was read by us: c-ares would take it from its own
            // path and time, and 1.18.1 reads beyond a line that begins with a NUL byte.
            return unsafe "b".withCString { lookups in
                unsafe "/dev/null".withCString { path in
                    unsafe options.pointee.lookups = UnsafeMutablePointer(mutating: lookups)
                    unsafe options.pointee.resolvconf_path = UnsafeMutablePointer(mutating: path)
                    return unsafe ares_init_options(&channel, options, mask)
                }
            }
        }
        return CaresStatus(rawValue: status)
    }

    /// ares_sock_state_cb. Sound: the watcher lives as long as the channel, which is destroyed before it is released.
    private static let stateChanged: @convention(c) (UnsafeMutableRawPointer?, CInt, CInt, CInt) -> Void = {
        data, descriptor, readable, writable in
        guard let data = unsafe data else { return }
        let watcher = unsafe Unmanaged<Watcher>.fromOpaque(data).takeUnretainedValue()
        watcher.onDescriptor(descriptor, readable != 0, writable != 0)
    }

    /// ares_addrinfo_callback. Sound: the argument is the question's own retain, taken back here, once (see `Question`);
    /// the result is ours to free, and everything is copied out of it before.
    private static let answered:
        @convention(c) (UnsafeMutableRawPointer?, CInt, CInt, UnsafeMutablePointer<ares_addrinfo>?) -> Void = {
            argument, status, _, result in
            defer { unsafe ares_freeaddrinfo(result) }
            guard let argument = unsafe argument else { return }
            let question = unsafe Unmanaged<Question>.fromOpaque(argument).takeRetainedValue()
            let status = CaresStatus(rawValue: status)
            let answer = status == .success ? unsafe read(result) : FamilyAnswer(status)
            if answer != .cancelled { question.completion(answer) }
        }

    /// Copies the addresses out, and the shortest life of them and of the aliases that led to them.
    private static func read(_ result: UnsafeMutablePointer<ares_addrinfo>?) -> FamilyAnswer {
        var addresses: [IPAddress] = []
        // A time to live with its top bit set is a long one (RFC 8767, 4); versions before 1.34 give it as negative, which as
        // a number without sign it is not.
        var secondsToLive = UInt32.max
        var node = unsafe result?.pointee.nodes
        while let current = unsafe node {
            if let address = unsafe address(of: current.pointee) {
                addresses.append(address)
                secondsToLive = unsafe min(secondsToLive, UInt32(bitPattern: current.pointee.ai_ttl))
            }
            unsafe node = current.pointee.ai_next
        }
        var alias = unsafe result?.pointee.cnames
        while let current = unsafe alias {
            secondsToLive = unsafe min(secondsToLive, UInt32(bitPattern: current.pointee.ttl))
            unsafe alias = current.pointee.next
        }
        return FamilyAnswer(addresses: addresses, secondsToLive: secondsToLive)
    }

    /// Sound: c-ares says how long the socket address is, and no byte beyond is read.
    private static func address(of node: ares_addrinfo_node) -> IPAddress? {
        let bytes = unsafe UnsafeRawBufferPointer(start: node.ai_addr, count: Int(node.ai_addrlen))
        switch unsafe node.ai_family {
        case AF_INET: return unsafe IPAddress(bytes: bytes.dropFirst(4).prefix(4))  // sin_addr
        case AF_INET6: return unsafe IPAddress(bytes: bytes.dropFirst(8).prefix(16))  // sin6_addr
        default: return nil
        }
    }
}

extension Duration {
    /// Whole milliseconds, as C has them.
    fileprivate var wholeMilliseconds: CInt {
        let (seconds, attoseconds) = components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        return overflow ? .max : CInt(clamping: max(product + attoseconds / 1_000_000_000_000_000, 1))
    }
}
