internal import Reachability
internal import Timing

/// How long `status` and `wait` wait: as long as they were told, and until the kernel has answered once.
///
/// The kernel's own answers are there in a moment, so that a wait of no time at all is one look. Names may take seconds:
/// they are not waited for once the time is over.
struct Patience {
    /// When the wait is over; nil for never.
    private(set) var deadline: Instant?
    /// The targets that are not names and that nothing was heard of yet.
    private var awaited: Set<Int>
    private var hasRunOut = false

    /// Far longer than a busy host takes to ask its kernel.
    private static let oneLook = Duration.seconds(2)

    init(_ options: Options) {
        deadline = options.timeout.map { .now + $0 }
        awaited = Set(options.targets.indices.filter { options.targets[$0].kind != .name })
    }

    mutating func heard(of position: Int) { awaited.remove(position) }

    /// True if the time is over and nothing more has to be waited for.
    var isOver: Bool { hasRunOut && awaited.isEmpty }

    /// The deadline was reached; true if that is the end.
    mutating func runOut() -> Bool {
        guard !hasRunOut, !awaited.isEmpty else { return true }
        hasRunOut = true
        deadline = .now + Self.oneLook
        return false
    }

    /// The same for who has the targets at these positions looked at once more: the process may have been stopped while its time
    /// ran out, and then what it knows is old.
    mutating func runOut(lookingAgainAt positions: [Int]) -> Bool {
        if !hasRunOut { awaited = Set(positions) }
        return runOut()
    }
}
