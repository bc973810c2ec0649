/// What inotify(7) tells or is asked to tell. The kernel's numbers (linux/inotify.h), so unknown ones survive.
struct InotifyMask: OptionSet, Hashable, Sendable {
    let rawValue: UInt32

    static let closeWrite = InotifyMask(rawValue: 0x8)
    static let movedFrom = InotifyMask(rawValue: 0x40)
    static let movedTo = InotifyMask(rawValue: 0x80)
    static let create = InotifyMask(rawValue: 0x100)
    static let delete = InotifyMask(rawValue: 0x200)
    static let deleteSelf = InotifyMask(rawValue: 0x400)
    static let moveSelf = InotifyMask(rawValue: 0x800)
    static let unmount = InotifyMask(rawValue: 0x2000)
    static let queueOverflow = InotifyMask(rawValue: 0x4000)
    /// The watch is gone: its file was deleted, or it was removed.
    static let ignored = InotifyMask(rawValue: 0x8000)
    /// Watch only a directory.
    static let onlyDirectory = InotifyMask(rawValue: 0x0100_0000)
}

/// One event of inotify(7).
struct InotifyEvent: Hashable, Sendable {
    /// Which watch it belongs to; −1 for an overflow.
    let watch: Int32
    let mask: InotifyMask
    /// The directory's entry; empty for an event of the watched file itself.
    let name: [UInt8]

    /// Its fixed part: wd, mask, cookie, len.
    private static let headerSize = 16

    /// The events in what one read(2) brought. What is cut off at the end is left out; the kernel cuts none.
    static func parse(_ bytes: some RandomAccessCollection<UInt8>) -> [InotifyEvent] {
        var events: [InotifyEvent] = []
        var rest = bytes[...]
        while rest.count >= headerSize {
            let length = Int(number(rest, at: 12))
            guard rest.count - headerSize >= length else { break }
            // The name is padded with zeros.
            let name = rest.dropFirst(headerSize).prefix(length).prefix { $0 != 0 }
            events.append(
                InotifyEvent(
                    watch: Int32(bitPattern: number(rest, at: 0)), mask: InotifyMask(rawValue: number(rest, at: 4)),
                    name: Array(name)))
            rest = rest.dropFirst(headerSize + length)
        }
        return events
    }

    /// Four bytes in the host's order.
    private static func number(_ bytes: some RandomAccessCollection<UInt8>, at offset: Int) -> UInt32 {
        let field = bytes.dropFirst(offset).prefix(4)
        #if _endian(big)
            return field.reduce(0) { $0 << 8 | UInt32($1) }
        #else
            return field.reversed().reduce(0) { $0 << 8 | UInt32($1) }
        #endif
    }
}
