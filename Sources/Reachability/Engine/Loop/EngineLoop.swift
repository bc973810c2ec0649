internal import DesktopServices
internal import Dispatch
internal import Glibc
internal import NameResolution
internal import Rtnetlink
internal import Timing

/// What the engine does when something has happened: lets the machine decide, and does what it says.
///
/// One thread at a time has the turn (see `EngineCrew`); "the engine's thread" is the one that has it. A value, since what a
/// class keeps is watched over for overlapping accesses each time it is touched.
struct EngineLoop: ~Copyable {
    private let engine: Engine
    /// Nil while there are no descriptors for it.
    private var sleepSet: SleepSet?
    private var isEnded = false
    private var machine = EngineMachine()
    private var receivers: [EngineMachine.SubscriberID: any UpdateReceiver] = [:]
    /// When a receiver wants to be called again.
    private var timers: [EngineMachine.SubscriberID: Instant] = [:]
    private var reminders: [UInt64: (time: Instant, body: @Sendable () -> Void)] = [:]
    private var network: (any NetworkSource)?
    private var names = NamesWatch()
    private var desktop = DesktopWatch()
    private var services = NetworkServices()
    private var clock: any EngineClock
    /// How long to wait before the network is tried again; grows while it fails.
    private var retryDelay = RetryDelay()
    private var retryAt: Instant?

    init(engine: Engine) {
        self.engine = engine
        clock = engine.clock
    }

    // MARK: - A turn

    /// Does all that there is to do. Returns nil once nobody is subscribed any more.
    mutating func turn(_ awakening: Awakening) -> Rest? {
        guard !isEnded else { return nil }
        let now = clock.now
        let signs = take(awakening, now)
        var commands: [Engine.Command] = []
        if signs.contains(.call) {
            guard let taken = engine.takeCommands(endingIf: machine.isIdle && reminders.isEmpty) else {
                end()
                return nil
            }
            commands = taken
            openSleepSetIfPossible()
        }
        // Changes first: what a new subscriber is told shall not be older than the messages in the queue.
        drainNetwork(now)
        if !commands.isEmpty {
            var actions: [EngineMachine.Action] = []
            for command in commands {
                // Another network tells what it has at once: what was said of the last one is to come before that.
                if case .replaceNetwork = command {
                    perform(actions, now)
                    actions = []
                }
                actions += handle(command, now)
            }
            perform(actions, now)
        }
        if signs.contains(.time) {
            perform(machine.timePassed(now: now), now)
            names.service?.timePassed(now: now)
        }
        takeAnswers(now)
        // A look-up may have read the resolver's configuration anew.
        let hasOtherServers = names.service.map { $0.nameservers != services.nameservers } ?? false
        if signs.contains(.services) || hasOtherServers { askServices(now) }
        // After what is new: a state that has held still until now is told only if it still is the state.
        if signs.contains(.time) {
            ringTimers(now)
            if let retryAt, retryAt <= now {
                openNetwork()
                askServices(now)
            }
        }
        return rest(after: awakening)
    }

    /// Has another thread take a turn.
    mutating func callOther() { sleepSet?.poller.waker.wake() }

    /// Gets ready for the next turn while nobody waits.
    mutating func prepare() { if !isEnded { machine.prepare() } }

    private mutating func take(_ awakening: Awakening, _ now: Instant) -> Signs {
        switch awakening {
        case .call: return .all
        case .failure(let error, let poller):
            // Somebody closed what is not his (EBADF), and the number may be something else's (EINVAL): all is opened anew,
            // unless another thread has done so already. Whatever else forbids to sleep may forbid it again.
            if [EBADF, EINVAL].contains(error.code), poller === sleepSet?.poller { lostDescriptors(error) }
            return .all
        case .ready(nil): return []
        case .ready(let ready?):
            // The network is looked at in each turn.
            if ready.descriptor == network?.descriptor { return [] }
            switch sleepSet?.sign(of: ready) {
            // A call may mean anything, a moved clock too.
            case .call: return .all
            case .time: return [.time, .services]
            case .resume: resynchronise(.wake, now)
            case .other:
                // What the name service does not know is the bus's, which finds out by itself.
                names.process(ready, now: now)
                return .services
            case .nothing, nil: break
            }
            return []
        }
    }

    private mutating func rest(after awakening: Awakening) -> Rest {
        guard !machine.isIdle || !reminders.isEmpty else { return .none }
        let milliseconds = clock.milliseconds(until: deadline)
        let blind = Rest.blind(milliseconds < 0 ? 100 : min(milliseconds, 100))  // often enough for who starts or stops
        guard let poller = sleepSet?.poller else { return blind }
        if case .failure = awakening { return blind }
        guard milliseconds != 0 else { return .none }
        sleepSet?.setDeadline(milliseconds: milliseconds)
        return .sleep(poller)
    }

    /// When there is something to do although nothing has come.
    private var deadline: Instant? {
        var first = retryAt
        func add(_ other: Instant?) { if let other { first = first.map { min($0, other) } ?? other } }
        add(machine.deadline)
        if let names = names.service { add(names.deadline(now: clock.now)) }
        add(desktop.deadline)
        // Mostly there are none, and this is on the way of each change.
        if !timers.isEmpty { for time in timers.values { add(time) } }
        if !reminders.isEmpty { for reminder in reminders.values { add(reminder.time) } }
        return first
    }

    private mutating func end() {
        isEnded = true
        names.close()
        desktop.close()
        network = nil
        // Who stands by is told to leave.
        sleepSet?.poller.waker.wake()
        sleepSet = nil
    }

    // MARK: - Commands

    private mutating func handle(_ command: Engine.Command, _ now: Instant) -> [EngineMachine.Action] {
        switch command {
        case .subscribe(let id, let target, let receiver):
            receivers[id] = receiver
            // Nothing is opened for reminders alone.
            if network == nil && retryAt == nil { openNetwork() }
            return machine.subscribe(id, to: target)
        case .unsubscribe(let id):
            receivers[id] = nil
            timers[id] = nil
            return machine.unsubscribe(id)
        case .replaceNetwork:
            clock = engine.clock
            if let waker = sleepSet?.poller.waker { clock.attach(to: waker) }
            if machine.isIdle { forgetNetwork() } else { openNetwork() }
            return []
        case .remind(let id, let time, let body):
            reminders[id] = (time, body)
            return []
        case .forgetReminder(let id):
            reminders[id] = nil
            return []
        }
    }

    /// Calls the receivers and reminders whose time has come.
    private mutating func ringTimers(_ now: Instant) {
        for (id, time) in timers where time <= now { timers[id] = receivers[id]?.timePassed(now: now) }
        let due = reminders.filter { $0.value.time <= now }
        guard !due.isEmpty else { return }
        for id in due.keys { reminders[id] = nil }
        // Their bodies may come to user code.
        DispatchQueue.global().async { for reminder in due.values { reminder.body() } }
    }

    // MARK: - The network

    /// Opens the network, and again after it failed. On failure everybody is told that nothing is known.
    private mutating func openNetwork() {
        names.close()
        do {
            let waker = try openSleepSet()
            let network = try engine.makeNetwork()
            self.network = network
            network.attach(to: waker)
            if let descriptor = network.descriptor {
                try sleepSet?.poller.watch(descriptor, readable: true, writable: false, once: true)
            }
            engine.setNetwork(network)
            retryAt = nil
            retryDelay.reset()
            let now = clock.now
            openServices(now)
            perform(machine.becameAvailable(), now)
        } catch {
            lostNetwork(error)
        }
    }

    /// Nobody watches, and another network is to be opened for the next who does.
    private mutating func forgetNetwork() {
        names.close()
        network = nil
        // Live reads neither go on with one that was opened while it was replaced.
        engine.setNetwork(nil)
        retryAt = nil
    }

    private mutating func openSleepSetIfPossible() { _ = try? openSleepSet() }

    private mutating func openSleepSet() throws(SystemCallError) -> Waker {
        if let waker = sleepSet?.poller.waker { return waker }
        let made = try SleepSet()
        let waker = made.poller.waker
        sleepSet = consume made
        engine.setWaker(waker)
        clock.attach(to: waker)
        return waker
    }

    private mutating func lostNetwork(_ error: SystemCallError) {
        network = nil
        engine.setNetwork(nil, fault: error)
        retryAt = clock.now + retryDelay.duration
        retryDelay.grow()
        perform(machine.becameUnavailable(error.reason), clock.now)
    }

    private mutating func lostDescriptors(_ error: SystemCallError) {
        names.close()
        desktop.close()
        // Their numbers may be others' by now. Who sleeps on what was closed is not woken any more.
        sleepSet?.abandon()
        sleepSet = nil
        engine.setWaker(nil)
        engine.courier.hasNoStandIn()
        lostNetwork(error)
    }

    private mutating func drainNetwork(_ now: Instant) {
        guard let network else { return }
        let batch = network.drain()
        if let failure = batch.failure { return lostNetwork(failure) }
        guard !batch.isEmpty else { return }
        if batch.isOverrun {
            // The socket is empty now: what is lost from here on would be told by another overrun.
            return resynchronise([.overrun], now)
        }
        if batch.needsSettling { network.settle() }
        perform(machine.changed(batch), now)
        // A modem that was plugged in may be the first sign of its daemon.
        if batch.causes.contains(.link) { nudgeDesktop(now) }
    }

    /// Reads everything anew and evaluates everybody.
    private mutating func resynchronise(_ causes: ChangeCauses, _ now: Instant) {
        guard let network else { return }
        do {
            network.settle()
            try network.reread()
            perform(machine.changedAltogether(causes), now)
            if causes.contains(.wake) { names.service?.defaultPathChanged(now: now) }
        } catch {
            lostNetwork(error)
        }
    }

    // MARK: - Names and services

    private mutating func openNames() {
        guard let made = names.open(on: network, watchedBy: sleepSet?.poller) else { return }
        // Before anybody is evaluated with them: they are no change, but what there was.
        services.nameservers = made.nameservers
        network?.setServices(services)
    }

    /// Takes up again what was watched on the network before.
    private mutating func openServices(_ now: Instant) {
        network?.setServices(services)
        if !machine.watchedNames.isEmpty || machine.watchesPaths { openNames() }
        for name in machine.watchedNames { names.service?.watch(name, now: now) }
    }

    private mutating func takeAnswers(_ now: Instant) {
        while let answers = names.service?.takeAnswers(), !answers.isEmpty {
            var actions: [EngineMachine.Action] = []
            for answer in answers { actions += machine.answered(answer.name, answer.answer) }
            perform(actions, now)
        }
    }

    /// Looks at what the desktop's daemons and the resolver's configuration say by now.
    private mutating func askServices(_ now: Instant) {
        var services = services
        let poller = sleepSet?.poller
        let facts = desktop.process(isWanted: network?.hasDesktopServices, now: now) { descriptor, readable, writable in
            // Without room for another it is not heard: an answer is given up in its time, all else comes with the next opening.
            try? poller?.watch(descriptor, readable: readable, writable: writable)
        }
        if let facts { services.apply(facts) }
        if let names = names.service { services.nameservers = names.nameservers }
        learn(services, now)
    }

    private mutating func nudgeDesktop(_ now: Instant) {
        guard let facts = desktop.nudge(now: now) else { return }
        var services = services
        services.apply(facts)
        learn(services, now)
    }

    private mutating func learn(_ services: NetworkServices, _ now: Instant) {
        guard services != self.services else { return }
        var causes: ChangeCauses = []
        if services.nameservers != self.services.nameservers { causes.insert(.names) }
        // What else there is, if anything else differs.
        var others = self.services
        others.nameservers = services.nameservers
        if others != services { causes.insert(.services) }
        self.services = services
        guard let network else { return }
        network.setServices(services)
        perform(machine.changedAltogether(causes), now)
    }

    // MARK: - What the machine says

    private mutating func perform(_ actions: [EngineMachine.Action], _ now: Instant) {
        var actions = actions
        // An evaluation comes last of its round, and once for each target however many asked for it.
        while !actions.isEmpty {
            var due: [EngineMachine.TargetID] = []
            for action in actions {
                switch action {
                case .evaluate(let ids): if due.isEmpty { due = ids } else { due += ids }
                case .listen(let destinations): network?.listen(for: destinations)
                case .tell(let subscribers, let update): tell(subscribers, update)
                case .watchName(let name):
                    openNames()
                    names.service?.watch(name, now: now)
                case .watchResolver: openNames()
                case .forgetName(let name): names.service?.forget(name)
                case .defaultPathChanged: names.service?.defaultPathChanged(now: now)
                }
            }
            if due.count > 1 { due = Array(Set(due)) }
            actions = due.isEmpty ? [] : machine.evaluated(evaluate(due))
        }
    }

    private mutating func tell(_ subscribers: [EngineMachine.SubscriberID], _ update: Update) {
        let now = clock.now
        for subscriber in subscribers {
            guard let deadline = receivers[subscriber]?.receive(update, now: now) else {
                if !timers.isEmpty { timers[subscriber] = nil }
                continue
            }
            timers[subscriber] = deadline
        }
    }

    private mutating func evaluate(_ ids: [EngineMachine.TargetID]) -> [EngineMachine.Finding] {
        guard let network else { return [] }
        let oracle = LiveOracle(network)
        var findings: [EngineMachine.Finding] = []
        findings.reserveCapacity(ids.count)
        for id in ids {
            guard let (subject, requiredInterface) = machine.subject(of: id) else { continue }
            var evaluation = Evaluation(RecordingOracle(oracle))
            let report = evaluation.report(subject, requiredInterface: requiredInterface)
            // A little after the kernel's own time, which is told in hundredths of a second, rounded down.
            let expiry = evaluation.oracle.lifetime.map { clock.now + $0 + .milliseconds(20) }
            findings.append(
                EngineMachine.Finding(id: id, report: consume report, asked: evaluation.oracle.asked, expiry: expiry))
        }
        return findings
    }
}

extension SystemCallError {
    /// What it means for a status that this call failed.
    var reason: ReachabilityReason {
        let notPermitted: Set<Int32> = [1, 13]  // EPERM, EACCES: a sandbox or security module refuses netlink
        return notPermitted.contains(code) ? .notPermitted : .kernelUnavailable
    }
}
