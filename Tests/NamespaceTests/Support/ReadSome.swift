import Glibc
import Timing

/// What a descriptor has to read, waited for until the deadline; nil at the end of the time or of what is written.
func readSome(from descriptor: Int32, before deadline: Instant) -> ArraySlice<UInt8>? {
    let left = max(deadline - .now, .zero)
    var event = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    // Sound: poll reads and writes one pollfd; read writes at most the buffer's own count of bytes.
    guard unsafe poll(&event, 1, Int32(left / .milliseconds(1)) + 1) > 0 else { return nil }
    var buffer = [UInt8](repeating: 0, count: 65536)
    let count = unsafe buffer.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
    return count > 0 ? buffer[..<count] : nil
}
