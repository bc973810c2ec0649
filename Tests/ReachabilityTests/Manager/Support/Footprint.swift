import CGlibc
import Foundation
import Glibc

/// What the process holds at one moment.
struct Footprint: CustomStringConvertible {
    let descriptors: Int
    let threads: Int
    /// Bytes in use; nil where a sanitizer has the heap.
    let heap: Int?

    init() {
        descriptors = Self.count("/proc/self/fd")
        threads = Self.count("/proc/self/task")
        heap = Self.isSanitized ? nil : Int(mallinfo2().uordblks)
    }

    private static func count(_ directory: String) -> Int {
        (try? FileManager.default.contentsOfDirectory(atPath: directory).count) ?? -1
    }

    /// Has all threads allocate from the one arena that `mallinfo2` tells of. To be called before there are others.
    static func watchWholeHeap() { mallopt(M_ARENA_MAX, 1) }

    /// True under the address or the thread sanitizer, whose allocators are their own.
    static let isSanitized = ["__asan_init", "__tsan_init"].contains { (name: String) in
        // Sound: the symbol is looked for, not called.
        unsafe dlsym(UnsafeMutableRawPointer(bitPattern: 0), name) != nil
    }

    var description: String {
        "\(descriptors) descriptors, \(threads) threads, \(heap.map { "\($0)" } ?? "unknown") bytes of heap"
    }
}
