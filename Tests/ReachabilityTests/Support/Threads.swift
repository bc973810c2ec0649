import Glibc
import Timing

/// Looks until a condition holds that nobody tells of; false if it does not within ten seconds. It need not hold for long.
func comesTrue(_ condition: () -> Bool) async -> Bool {
    let end = Instant.now + .seconds(10)
    while !condition() {
        guard Instant.now < end else { return false }
        await Task.yield()
        letOthersRun(for: 1)
    }
    return true
}

/// Hands the processor to other threads that many times, so that races get their chance; no wait for any result.
func letOthersRun(for turns: Int) {
    for _ in 0..<turns { sched_yield() }
}
