internal import Glibc

/// Starts the engine's thread.
package enum EngineThread {
    /// Runs `body` on a new thread that takes no signals but those of its own faults, so that a program's handlers run where
    /// it expects them. Returns zero, or the errno of why there is none.
    ///
    /// User code runs there too, so it has the stack that a queue's own threads have.
    package static func start(_ body: @escaping @Sendable () -> Void) -> Int32 {
        var attributes = pthread_attr_t()
        unsafe pthread_attr_init(&attributes)
        defer { unsafe pthread_attr_destroy(&attributes) }
        unsafe pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))

        var all = sigset_t()
        var old = sigset_t()
        unsafe sigfillset(&all)
        // Blocked, a fault would end the program past its handler, and past Swift's backtrace.
        for fault in [SIGILL, SIGTRAP, SIGBUS, SIGFPE, SIGSEGV, SIGSYS] { unsafe sigdelset(&all, fault) }
        // A new thread inherits the mask; ours is put back at once.
        unsafe pthread_sigmask(SIG_SETMASK, &all, &old)
        defer { unsafe pthread_sigmask(SIG_SETMASK, &old, nil) }

        // Sound: the box is retained here and released by the thread, or below if there is none.
        let box = unsafe Unmanaged.passRetained(Body(run: body))
        var thread = pthread_t()
        let code = unsafe pthread_create(
            &thread, &attributes,
            { context in
                guard let context = unsafe context else { return nil }
                unsafe Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
                return nil
            }, box.toOpaque())
        if code != 0 { unsafe box.release() }
        return code
    }

    private final class Body: Sendable {
        let run: @Sendable () -> Void

        init(run: @escaping @Sendable () -> Void) { self.run = run }
    }
}
