internal import Glibc

/// Starts the engine's thread.
package enum EngineThread {
    /// Runs `body` on a new thread that takes no signals, so that a program's handlers run where it expects them. Returns
    /// zero, or the errno of why there is none.
    package static func start(_ body: @escaping @Sendable () -> Void) -> Int32 {
        var attributes = pthread_attr_t()
        unsafe pthread_attr_init(&attributes)
        defer { unsafe pthread_attr_destroy(&attributes) }
        unsafe pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        unsafe pthread_attr_setstacksize(&attributes, stackSize)

        var all = sigset_t()
        var old = sigset_t()
        unsafe sigfillset(&all)
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

    /// The loop is shallow, c-ares and D-Bus included; the default of 8 MiB would count against a limit on memory.
    private static let stackSize = 512 * 1024

    private final class Body: Sendable {
        let run: @Sendable () -> Void

        init(run: @escaping @Sendable () -> Void) { self.run = run }
    }
}
