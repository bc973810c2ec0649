package import Timing

/// One daemon's part of the conversation: who owns its name, what was asked and when, what of it may be believed.
///
/// The owner gone, everything it said goes with it. A daemon that leaves a call unanswered for ten seconds is not
/// believed until it answers; meanwhile it is asked anew with back-off. Answers and signals count only when they come
/// from the present owner.
package struct ServiceMachine<Model: ServiceModel>: Sendable {
    /// How long a call may take before the daemon's facts are unknown. A healthy daemon answers in milliseconds.
    package static var answerLimit: Duration { .seconds(10) }

    /// Calls under way at one time. The system bus refuses a connection's further calls at 128 unanswered ones
    /// (`max_replies_per_connection` of dbus-daemon).
    package static var callLimit: Int { 16 }

    private struct Flight {
        let method: BusMethod
        /// When the answer is due; nil when that is past.
        var due: Instant?
    }

    /// The unique name of the daemon; nil when it is not there.
    package private(set) var owner: String?
    private var model = Model()
    private var flights: [UInt32: Flight] = [:]
    private var queue = CallQueue()
    /// Methods to call once more after the answer that is on its way.
    private var again: Set<BusMethod> = []
    /// An answer is late: the daemon may have changed its mind about anything since.
    private var isOverdue = false
    /// The daemon refused the question that everything hangs on.
    private var isRefused = false
    private var backOff = BackOff()
    private var retry: Instant?

    /// The daemon is not there.
    package init() {}

    /// What may be believed now; nil when the daemon is absent or owes an answer.
    package var trusted: Model? { owner == nil || isOverdue ? nil : model }

    /// When `timePassed` wants to be called; nil while there is nothing to wait for.
    package var deadline: Instant? {
        flights.values.compactMap(\.due).reduce(retry) { min($0 ?? $1, $1) }
    }

    /// True if the serial is that of a call whose answer is awaited.
    package func awaits(serial: UInt32) -> Bool { flights[serial] != nil }

    /// The name has an owner, another one, or none. Learning the present owner again changes nothing.
    package mutating func ownerIs(
        _ newOwner: String?, now: Instant, serials: inout SerialNumbers
    ) -> [BusCall] {
        guard newOwner != owner else { return [] }
        self = ServiceMachine()
        owner = newOwner
        return ask([Model.root], now: now, serials: &serials)
    }

    /// An answer has come; the body is nil for an error and for what cannot be read.
    package mutating func reply(
        to serial: UInt32, sender: String, _ body: [BusValue]?, now: Instant,
        serials: inout SerialNumbers
    ) -> [BusCall] {
        // The bus itself answers with an error for a connection that is gone.
        guard sender == owner || (body == nil && sender == BusName.driver),
            let flight = flights.removeValue(forKey: serial)
        else { return [] }
        guard var questions = model.reply(to: flight.method, body) else {
            forgetAll()
            isRefused = true
            retry = backOff.next(now: now)
            return []
        }
        if again.remove(flight.method) != nil { questions.append(flight.method) }
        if isOverdue, !flights.values.contains(where: { $0.due == nil }) {
            isOverdue = false
            retry = nil
        }
        let calls = ask(questions, now: now, serials: &serials)
        if flights.isEmpty { backOff.reset() }
        return calls
    }

    /// A signal has come, of any sender.
    package mutating func signal(
        _ signal: BusSignal, now: Instant, serials: inout SerialNumbers
    ) -> [BusCall] {
        guard signal.sender == owner else { return [] }
        // A daemon that speaks may answer now.
        if isRefused || isGivenUp { return restart(now: now, serials: &serials) }
        return ask(model.signal(signal), now: now, serials: &serials)
    }

    /// Something about the host changed: a daemon that was given up is asked again.
    package mutating func nudge(now: Instant, serials: inout SerialNumbers) -> [BusCall] {
        isGivenUp ? restart(now: now, serials: &serials) : []
    }

    /// Does what is due at `now`.
    package mutating func timePassed(now: Instant, serials: inout SerialNumbers) -> [BusCall] {
        for (serial, flight) in flights {
            guard let due = flight.due, due <= now else { continue }
            flights[serial]?.due = nil
            if !isOverdue {
                isOverdue = true
                retry = backOff.next(now: now)
            }
        }
        guard let time = retry, time <= now else { return [] }
        return restart(now: now, serials: &serials)
    }

    /// The daemon is there, is not understood, and no further try is planned.
    private var isGivenUp: Bool { owner != nil && retry == nil && (isRefused || isOverdue) }

    private mutating func restart(now: Instant, serials: inout SerialNumbers) -> [BusCall] {
        forgetAll()
        return ask([Model.root], now: now, serials: &serials)
    }

    private mutating func forgetAll() {
        model = Model()
        flights = [:]
        queue = CallQueue()
        again = []
        isOverdue = false
        isRefused = false
        retry = nil
    }

    /// Queues questions and gives the calls that may go out now.
    private mutating func ask(
        _ questions: [BusMethod], now: Instant, serials: inout SerialNumbers
    ) -> [BusCall] {
        guard let owner else { return [] }
        for question in questions {
            if flights.values.contains(where: { $0.method == question }) {
                again.insert(question)
            } else {
                queue.insert(question)
            }
        }
        var calls: [BusCall] = []
        while flights.count < Self.callLimit, let method = queue.next() {
            let serial = serials.next()
            flights[serial] = Flight(method: method, due: now + Self.answerLimit)
            calls.append(BusCall(serial: serial, destination: owner, method: method))
        }
        return calls
    }
}
