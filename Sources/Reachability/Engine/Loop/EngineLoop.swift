internal import DesktopServices
internal import Dispatch
internal import Glibc
internal import NameResolution
internal import Rtnetlink
internal import Synchronization

/// The engine's thread: sleeps until something happens, lets the machine decide, and does what it says.
///
/// Lives on one thread from `run` to its end.
final class EngineLoop {
    private let engine: Engine
    /// Nil while there are no descriptors for it.
    private var sleepSet: SleepSet?
    private var machine = EngineMachine()
    private var receivers: [EngineMachine.SubscriberID: any UpdateReceiver] = [:]
    /// When a receiver wants to be called again.
    private var timers: [EngineMachine.SubscriberID: ContinuousClock.Instant] = [:]
    private var reminders: [UInt64: (time: ContinuousClock.Instant, body: @Sendable () -> Void)] = [:]
    private var network: (any NetworkSource)?
    /// Nil until a name or a path is watched.
    private var names: (any NameService)?
    private var nameDescriptors: Set<Int32> = []
    /// Nil until something is watched on a network that has such services.
    private var desktop: DesktopBus?
    private var services = NetworkServices()
    private var clock: any EngineClock
    /// How long to wait before the network is tried again; grows while it fails.
    private var retryDelay = RetryDelay()
    private var retryAt: ContinuousClock.Instant?

    init(engine: Engine) {
        self.engine = engine
        clock = engine.clock
    }

    /// Works until nobody is subscribed any more.
    func run() {
        engine.noteThread()
        while let commands = engine.takeCommands(endingIf: machine.isIdle && reminders.isEmpty) {
            openSleepSetIfPossible()
            let now = clock.now
            // Changes first: what a new subscriber is told shall not be older than the messages in the queue.
            drainNetwork(now)
            perform(commands.flatMap { handle($0, now) }, now)
            perform(machine.timePassed(now: now), now)
            names?.timePassed(now: now)
            takeAnswers(now)
            askServices(now)
            ringTimers(now)
            if let retryAt, retryAt <= now { openNetwork() }
            if !machine.isIdle || !reminders.isEmpty { sleep() }
        }
        names?.close()
        desktop?.close()
    }

    // MARK: - Sleep

    private func sleep() {
        machine.prepare()
        let deadlines = [
            machine.deadline, names?.deadline(now: clock.now), desktop?.deadline, retryAt, timers.values.min(),
            reminders.values.lazy.map(\.time).min(),
        ].compactMap { $0 }
        let milliseconds = clock.milliseconds(until: deadlines.min())
        let slept: SleepSet.Awakening?
        do { slept = try sleepSet?.sleep(milliseconds: milliseconds) } catch {
            slept = nil
            // Somebody closed what is not his: all is opened anew. Whatever else forbids to sleep may forbid it again.
            if error.code == EBADF { lostDescriptors(error) }
        }
        guard let awakening = slept else {
            // Nobody can wake this thread, so it looks by itself, often enough for whoever starts or stops.
            return SleepSet.sleepBlindly(milliseconds: milliseconds < 0 ? 100 : min(milliseconds, 100))
        }
        let now = clock.now
        if awakening.isResume { resynchronise(.wake, now) }
        for ready in awakening.ready where nameDescriptors.contains(ready.descriptor) {
            names?.process(ready.descriptor, readable: ready.isReadable, writable: ready.isWritable, now: now)
        }
    }

    // MARK: - Commands

    private func handle(_ command: Engine.Command, _ now: ContinuousClock.Instant) -> [EngineMachine.Action] {
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
            if let waker = sleepSet?.waker { clock.attach(to: waker) }
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
    private func ringTimers(_ now: ContinuousClock.Instant) {
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
        names?.close()
        names = nil
        nameDescriptors = []
        do {
            let waker = try openSleepSet()
            let network = try engine.makeNetwork()
            self.network = network
            network.attach(to: waker)
            if let descriptor = network.descriptor {
                sleepSet?.watch(descriptor, readable: true, writable: false)
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
        names?.close()
        names = nil
        nameDescriptors = []
        network = nil
        retryAt = nil
    }

    private func openSleepSetIfPossible() { _ = try? openSleepSet() }

    private func openSleepSet() throws(SystemCallError) -> Waker {
        if let waker = sleepSet?.waker { return waker }
        let made = try SleepSet()
        let waker = made.waker
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
        names?.close()
        names = nil
        nameDescriptors = []
        desktop?.close()
        desktop = nil
        sleepSet = nil
        lostNetwork(error)
    }

    private func drainNetwork(_ now: ContinuousClock.Instant) {
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
    private func resynchronise(_ causes: ChangeCauses, _ now: ContinuousClock.Instant) {
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
            sleepSet?.watch(descriptor, readable: readable, writable: writable)
        }
        // Before anybody is evaluated with them: they are no change, but what there was.
        if let names { services.nameservers = names.nameservers }
        network?.setServices(services)
        return names
    }

    /// Takes up again what was watched on the network before.
    private func openServices(_ now: ContinuousClock.Instant) {
        network?.setServices(services)
        if !machine.watchedNames.isEmpty || machine.watchesPaths { openNames() }
        for name in machine.watchedNames { names?.watch(name, now: now) }
    }

    private func takeAnswers(_ now: ContinuousClock.Instant) {
        while let answers = names?.takeAnswers(), !answers.isEmpty {
            perform(answers.flatMap { machine.answered($0.name, $0.answer) }, now)
        }
    }

    /// Looks at what the desktop's daemons and the resolver's configuration say by now.
    private func askServices(_ now: ContinuousClock.Instant) {
        var services = services
        if network?.hasDesktopServices == true, desktop == nil {
            // After everybody was told what the kernel says: nothing waits for a daemon.
            desktop = DesktopBus { [weak self] descriptor, readable, writable in
                self?.sleepSet?.watch(descriptor, readable: readable, writable: writable)
            }
            desktop?.start(now: now)
        }
        // While there is no network the bus is listened to as well: unread, it would keep this thread awake.
        if let facts = desktop?.process(now: now) { services.apply(facts) }
        if let network, !network.hasDesktopServices, let desktop {
            desktop.close()
            self.desktop = nil
            services.apply(DesktopFacts())
        }
        if let names { services.nameservers = names.nameservers }
        learn(services, now)
    }

    private func nudgeDesktop(_ now: ContinuousClock.Instant) {
        guard let facts = desktop?.nudge(now: now) else { return }
        var services = services
        services.apply(facts)
        learn(services, now)
    }

    private func learn(_ services: NetworkServices, _ now: ContinuousClock.Instant) {
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

    private func perform(_ actions: [EngineMachine.Action], _ now: ContinuousClock.Instant) {
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
