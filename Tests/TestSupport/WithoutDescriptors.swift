import Glibc

/// Runs `body` while the process may open nothing more; what others want to open meanwhile fails, so it has to be short.
package func withoutDescriptors<Result>(_ body: () -> Result) -> Result {
    var limit = rlimit()
    // Sound: each call reads or writes the one structure it is given.
    unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    var none = rlimit(rlim_cur: 0, rlim_max: limit.rlim_max)
    unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &none)
    defer { unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) }
    return body()
}
