internal import Glibc

/// An inotify(7) descriptor, closed with its last reference. Not thread-safe.
final class Inotify {
    /// Readable when an event waits.
    let descriptor: CInt

    /// A descriptor that watches nothing yet; throws the errno (EMFILE: the user has no more of them, ENOSYS).
    init() throws(Errno) {
        descriptor = inotify_init1(CInt(IN_NONBLOCK) | CInt(IN_CLOEXEC))
        guard descriptor >= 0 else { throw Errno(code: errno) }
    }

    deinit {
        close(descriptor)
    }

    /// Watches a file or directory; one that is watched already keeps its number and gets the new mask.
    func watch(_ path: String, _ mask: InotifyMask) throws(Errno) -> Int32 {
        let watch = unsafe inotify_add_watch(descriptor, path, mask.rawValue)
        guard watch >= 0 else { throw Errno(code: errno) }
        return watch
    }

    /// Ends a watch. An `ignored` event follows; one that is gone already is no error.
    func remove(_ watch: Int32) {
        inotify_rm_watch(descriptor, watch)
    }

    /// The events that wait, as many as a full queue holds; what is left keeps the descriptor readable.
    func events() -> [InotifyEvent] {
        var events: [InotifyEvent] = []
        var buffer = [UInt8](repeating: 0, count: 4096)  // at least one event with the longest name (NAME_MAX, 255)
        // 16,384 events by default (fs.inotify.max_queued_events), 16 to 272 bytes each: no endless turn for a busy writer.
        for _ in 0..<1024 {
            // Sound: the kernel writes no more than the buffer's own size, and no pointer is kept.
            let count = unsafe buffer.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return events }  // EAGAIN: none is left
            events += InotifyEvent.parse(buffer[..<count])
        }
        return events
    }

    /// An errno as an error.
    struct Errno: Error {
        let code: CInt

        /// True if the kernel has no watch or no memory left, rather than something against this one path.
        var isExhaustion: Bool { code == ENOSPC || code == ENOMEM }
    }
}
