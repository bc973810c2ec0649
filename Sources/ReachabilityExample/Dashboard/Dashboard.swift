internal import Reachability
internal import Rtnetlink
internal import Timing

/// Watches targets and shows them on the full screen.
struct Dashboard {
    private let screen: FullScreen
    private let watcher: Watcher
    private let targets: [ReachabilityTarget]
    private var model: DashboardModel

    /// Why a showing ended.
    enum End {
        case quit
        case timedOut
        /// The user wants to see what comes next.
        case skipped
    }

    init(_ options: Options) throws(UsageError) {
        // First, so that no signal ends the program with the screen taken.
        watcher = Watcher()
        screen = try FullScreen()
        targets = options.targets
        model = DashboardModel(targets: zip(options.words, options.targets).map { ($0, $1.kind) })
        startMonitoring()
    }

    /// What is done to the network meanwhile, a line each; empty if nothing is.
    var caption: [String] {
        get { model.caption }
        set {
            model.caption = newValue
            draw()
        }
    }

    /// Shows what is and what changes, until a key, a signal or the deadline ends it.
    mutating func show(until deadline: Instant?) -> End {
        while true {
            readInterfaces()
            draw()
            // The clock and the timelines go on by themselves.
            let tick = Instant.now + .seconds(1)
            let next = deadline.map { min($0, tick) } ?? tick
            switch watcher.next(before: next, or: screen.descriptors) {
            case .reports(let reports):
                let fault = Engine.shared.fault
                for (position, report) in reports { model.heard(report, of: position, at: .now, .now, fault: fault) }
            case .interrupted: return .quit
            case .timedOut, .readable: break
            }
            // Looked at whatever came, so that a storm of changes keeps no key waiting.
            guard let keys = screen.keys(), !Terminal.isReaderGone else { return .quit }
            // What begins with an escape is another key's name.
            for key in keys.prefix(while: { $0 != 0x1b }) {
                switch key {
                case UInt8(ascii: "q"), UInt8(ascii: "Q"), 4: return .quit  // 4: control and D
                case UInt8(ascii: "m"), UInt8(ascii: "M"): toggleMonitoring()
                case UInt8(ascii: " ") where !caption.isEmpty: return .skipped
                default: break
                }
            }
            if let deadline, deadline <= .now { return .timedOut }
        }
    }

    private mutating func startMonitoring() {
        model.begin()
        watcher.follow(targets + [.path])
    }

    private mutating func toggleMonitoring() {
        guard model.isMonitoring else { return startMonitoring() }
        watcher.unfollow()
        model.end(at: .now)
    }

    /// Links are shown whether they are monitored or not: what they are now costs nobody anything.
    private mutating func readInterfaces() {
        guard let network = try? Engine.shared.liveNetwork(completely: true) else { return model.interfaces = [] }
        let view = network.snapshot.view
        model.interfaces = view.links.all.map { InterfaceRow($0, in: view) }
    }

    private func draw() {
        let (columns, rows) = screen.size
        // Whole seconds: what is drawn stands for one.
        let time = String(WallTime.now.timeOfDay.prefix(8))
        screen.show(DashboardPage(model: model, now: .now, timeOfDay: time).lines(columns: columns, rows: rows))
    }
}
