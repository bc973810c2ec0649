import CNamespace
import Dispatch
import Foundation
import Reachability
import Synchronization
import Testing

/// A network namespace of a test's own, and a thread that lives in it.
///
/// A namespace belongs to a thread, and what the thread starts inherits it: processes, and other threads such as an
/// engine's. So all that is to happen inside goes through `run`; the test itself stays outside, and a queue's workers
/// too. The namespace goes when the last descriptor, thread and process in it have gone.
final class NetworkNamespace: Sendable {
    /// The engine that watches in here; its thread begins with the first watch.
    let engine: Engine
    private let worker = Worker()

    /// Makes a namespace. A new one has nothing but a loopback interface, which is down unless said otherwise.
    init(loopback isLoopbackUp: Bool = true, engine: Engine = Engine()) throws {
        self.engine = engine
        let worker = worker
        Thread { worker.work() }.start()
        try run { if namespace_unshare() != 0 { throw NamespaceError(call: "unshare") } }
        if isLoopbackUp { try ip("link set lo up") }
    }

    deinit { worker.stop() }

    /// Runs something on the namespace's thread and waits for its end.
    func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) throws -> Value {
        let outcome = Outcome<Value>()
        worker.add {
            let result = Result { try body() }
            outcome.result.withLock { $0 = result }
            outcome.done.signal()
        }
        outcome.done.wait()
        guard let result = outcome.result.withLock({ $0 }) else { throw NamespaceError("the thread has ended") }
        return try result.get()
    }

    private final class Outcome<Value: Sendable>: Sendable {
        let result = Mutex<Result<Value, any Error>?>(nil)
        let done = DispatchSemaphore(value: 0)
    }

    /// What the thread does: one job after the other, until it is rung for none.
    private final class Worker: Sendable {
        private let jobs = Mutex<[@Sendable () -> Void]>([])
        private let bell = DispatchSemaphore(value: 0)

        func add(_ job: @escaping @Sendable () -> Void) {
            jobs.withLock { $0.append(job) }
            bell.signal()
        }

        func stop() { bell.signal() }

        func work() {
            while true {
                bell.wait()
                guard let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else { return }
                job()
            }
        }
    }
}

extension NetworkNamespace {
    /// Why no namespace can be had here; nil if one can.
    static let refusal: String? = {
        do {
            _ = try NetworkNamespace()
            return nil
        } catch { return "\(error)" }
    }()
}

extension Trait where Self == ConditionTrait {
    /// Runs the tests only where network namespaces can be made: as root, or by way of Scripts/in-namespace.
    static var inNamespace: Self {
        .enabled(
            if: NetworkNamespace.refusal == nil,
            "needs a network namespace, which is refused here: \(NetworkNamespace.refusal ?? "")")
    }
}
