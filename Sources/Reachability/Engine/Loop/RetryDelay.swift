/// How long to wait before a thread or the network is tried for again: 0.1 s after the first failure, doubling to 2 s.
struct RetryDelay {
    private(set) var duration = RetryDelay.shortest

    private static let shortest = Duration.milliseconds(100)
    private static let longest = Duration.seconds(2)

    /// It failed again.
    mutating func grow() { duration = min(duration * 2, Self.longest) }

    /// It did not fail.
    mutating func reset() { duration = Self.shortest }
}
