internal import DesktopServices
internal import Dispatch
internal import Glibc
internal import NameResolution
internal import Rtnetlink
internal import Synchronization
internal import Timing

/// What the engine does when something has happened: lets the machine decide, and does what it says.
///
/// One thread at a time has the turn (see `EngineCrew`); "the engine's thread" is the one that has it.
final class EngineLoop {
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
    /// Nil until a name or a path is watched.
    private var names: (any NameService)?
    private var nameDescriptors: Set<Int32> = []
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
    func turn(_ awakening: Awakening) -> Rest? {
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
        if !commands.isEmpty { perform(commands.flatMap { handle($0, now) }, now) }
        if signs.contains(.time) {
            perform(machine.timePassed(now: now), now)
            names?.timePassed(now: now)
        }
        takeAnswers(now)
        // A look-up may have read the resolver's configuration anew.
        let hasOtherServers = names.map { $0.nameservers != services.nameservers } ?? false
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
    func callOther() { sleepSet?.poller.waker.wake() }

    /// Gets ready for the next turn while nobody waits.
    func prepare() { if !isEnded { machine.prepare() } }

    private func take(_ awakening: Awakening, _ now: Instant) -> Signs {
        switch awakening {
        case .call: return .all
        case .failure(let error, let poller):
            // Somebody closed what is not his (EBADF), and the number may be something else's (EINVAL): all is opened anew,
            // unless another thread has done so already. Whatever else forbids to sleep may forbid it again.
            if [EBADF, EINVAL].contains(error.code), poller === sleepSet?.poller { lostDescriptors(error) }
            return .all
        case .events(let events):
            // A call may mean anything, a moved clock too.
            var signs: Signs = []
            for ready in events {
                switch sleepSet?.sign(of: ready) {
                case .call: signs = .all
                case .time: signs.formUnion([.time, .services])
                case .resume: resynchronise(.wake, now)
                case .other where ready.descriptor != network?.descriptor:
                    // What the name service does not know is the bus's, which finds out by itself.
                    if nameDescriptors.contains(ready.descriptor) {
                        names?.process(
                            ready.descriptor, readable: ready.isReadable, writable: ready.isWritable, now: now)
                    }
                    signs.insert(.services)
                case .other, .nothing, nil: break
                }
            }
            return signs
        }
    }

    private func rest(after awakening: Awakening) -> Rest {
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
        if let names { add(names.deadline(now: clock.now)) }
        add(desktop.deadline)
        for time in timers.values { add(time) }
        for reminder in reminders.values { add(reminder.time) }
        return first
    }

    private func end() {
        isEnded = true
        closeNames()
        desktop.close()
        network = nil
        // Who stands by is told to leave.
        sleepSet?.poller.waker.wake()
        sleepSet = nil
    }

    // MARK: - Commands

    private func handle(_ command: Engine.Command, _ now: Instant) -> [EngineMachine.Action] {
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
    private func ringTimers(_ now: Instant) {
        for (id, time) in timers where time <= now { timers[id] = receivers[id]?.timePassed(now: now) }
        let due = reminders.filter { $0.value.time <= now }
        guard !due.isEmpty else { return }
        for id in due.keys { reminders[id] = nil }
        // Their bodies may come to user code.
        DispatchQueue.global().async { for reminder in due.values { reminder.body() } }
    }

    // MARK: - The network

    /// Opens the network, and again after it failed. On failure everybody is told that nothing is known.
    private func openNetwork() {
        closeNames()
        do {
            let waker = try openSleepSet()
            let network = try engine.makeNetwork()
            self.network = network
            network.attach(to: waker)
            if let descriptor = network.descriptor {
                sleepSet?.poller.watch(descriptor, readable: true, writable: false, once: true)
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
    private func forgetNetwork() {
        closeNames()
        network = nil
        retryAt = nil
    }

    private func openSleepSetIfPossible() { _ = try? openSleepSet() }

    private func openSleepSet() throws(SystemCallError) -> Waker {
        if let waker = sleepSet?.poller.waker { return waker }
        let made = try SleepSet()
        let waker = made.poller.waker
        sleepSet = consume made
        engine.setWaker(waker)
        clock.attach(to: waker)
        return waker
    }

    private func lostNetwork(_ error: SystemCallError) {
        network = nil
        engine.setNetwork(nil)
        retryAt = clock.now + retryDelay.duration
        retryDelay.grow()
        perform(machine.becameUnavailable(error.reason), clock.now)
    }

    private func lostDescriptors(_ error: SystemCallError) {
        closeNames()
        desktop.close()
        // Their numbers may be others' by now. Who sleeps on what was closed is not woken any more.
        sleepSet?.poller.abandon()
        sleepSet = nil
        engine.courier.hasNoStandIn()
        lostNetwork(error)
    }

    private func drainNetwork(_ now: Instant) {
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
    private func resynchronise(_ causes: ChangeCauses, _ now: Instant) {
        guard let network else { return }
        do {
            network.settle()
            try network.reread()
            perform(machine.changedAltogether(causes), now)
            if causes.contains(.wake) { names?.defaultPathChanged(now: now) }
        } catch {
            lostNetwork(error)
        }
    }

    // MARK: - Names and services

    /// The name service, made when it is first needed: it watches files, which addresses need not pay for.
    @discardableResult
    private func openNames() -> (any NameService)? {
        if let names { return names }
        names = network?.makeNameService { [weak self] descriptor, readable, writable in
            guard let self else { return }
            if readable || writable { nameDescriptors.insert(descriptor) } else { nameDescriptors.remove(descriptor) }
            sleepSet?.poller.watch(descriptor, readable: readable, writable: writable)
        }
        // Before anybody is evaluated with them: they are no change, but what there was.
        if let names { services.nameservers = names.nameservers }
        network?.setServices(services)
        return names
    }

    private func closeNames() {
        names?.close()
        names = nil
        nameDescriptors = []
    }

    /// Takes up again what was watched on the network before.
    private func openServices(_ now: Instant) {
        network?.setServices(services)
        if !machine.watchedNames.isEmpty || machine.watchesPaths { openNames() }
        for name in machine.watchedNames { names?.watch(name, now: now) }
    }

    private func takeAnswers(_ now: Instant) {
        while let answers = names?.takeAnswers(), !answers.isEmpty {
            perform(answers.flatMap { machine.answered($0.name, $0.answer) }, now)
        }
    }

    /// Looks at what the desktop's daemons and the resolver's configuration say by now.
    private func askServices(_ now: Instant) {
        var services = services
        let facts = desktop.process(isWanted: network?.hasDesktopServices, now: now) {
            [weak self] descriptor, readable, writable in
            self?.sleepSet?.poller.watch(descriptor, readable: readable, writable: writable)
        }
        if let facts { services.apply(facts) }
        if let names { services.nameservers = names.nameservers }
        learn(services, now)
    }

    private func nudgeDesktop(_ now: Instant) {
        guard let facts = desktop.nudge(now: now) else { return }
        var services = services
        services.apply(facts)
        learn(services, now)
    }

    private func learn(_ services: NetworkServices, _ now: Instant) {
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

    private func perform(_ actions: [EngineMachine.Action], _ now: Instant) {
        var actions = actions
        // An evaluation comes last of its round, and once for each target however many asked for it.
        while !actions.isEmpty {
            var due: [EngineMachine.TargetID] = []
            for action in actions {
                switch action {
                case .evaluate(let ids): due += ids
                case .listen(let destinations): network?.listen(for: destinations)
                case .tell(let subscribers, let update): tell(subscribers, update)
                case .watchName(let name): openNames()?.watch(name, now: now)
                case .watchResolver: openNames()
                case .forgetName(let name): names?.forget(name)
                case .defaultPathChanged: names?.defaultPathChanged(now: now)
                }
            }
            if due.count > 1 { due = Array(Set(due)) }
            actions = due.isEmpty ? [] : machine.evaluated(evaluate(due))
        }
    }

    private func tell(_ subscribers: [EngineMachine.SubscriberID], _ update: Update) {
        let now = clock.now
        for subscriber in subscribers {
            guard let deadline = receivers[subscriber]?.receive(update, now: now) else {
                if !timers.isEmpty { timers[subscriber] = nil }
                continue
            }
            timers[subscriber] = deadline
        }
    }

    private func evaluate(_ ids: [EngineMachine.TargetID]) -> [EngineMachine.Finding] {
        guard let network else { return [] }
        let oracle = LiveOracle(network)
        return ids.compactMap { id in
            guard let (subject, requiredInterface) = machine.subject(of: id) else { return nil }
            var evaluation = Evaluation(RecordingOracle(oracle))
            let report = evaluation.report(subject, requiredInterface: requiredInterface)
            // A little after the kernel's own time, which is told in hundredths of a second, rounded down.
            let expiry = evaluation.oracle.lifetime.map { clock.now + $0 + .milliseconds(20) }
            return EngineMachine.Finding(id: id, report: report, asked: evaluation.oracle.asked, expiry: expiry)
        }
    }
}

extension SystemCallError {
    /// What it means for a status that this call failed.
    var reason: ReachabilityReason {
        let notPermitted: Set<Int32> = [1, 13]  // EPERM, EACCES: a sandbox or security module refuses netlink
        return notPermitted.contains(code) ? .notPermitted : .kernelUnavailable
    }
}
