import Glibc

/// Whether this process runs under a sanitizer, where everything takes several times as long.
enum Sanitizer {
    static let isOn = {
        // Sound: dlsym reads the names; null is the handle of the program with all it has loaded.
        let names = ["__tsan_init", "__asan_init"]
        return names.contains { unsafe dlsym(nil, $0) != nil }
    }()

    /// By how much a limit on time is to be stretched.
    static let slowdown = isOn ? 10 : 1
}
