internal import Glibc

/// The code of the last call of this thread that failed. A call that succeeds leaves it as it is.
public func SCError() -> Int32 {
    guard let lastError else { return Int32(kSCStatusOK) }
    return Int32(truncatingIfNeeded: unsafe UInt(bitPattern: pthread_getspecific(lastError)))
}

/// What a code means, in English: Apple's text for the `kSCStatus` codes, C's for an errno. Good for ever, except for
/// codes that are neither, whose text is good until the thread's next call.
public func SCErrorString(_ status: Int32) -> UnsafePointer<CChar> {
    if let text = texts[Int(status)] {
        // Sound: a static string is in memory for ever and ends with a zero; the two integers have one layout.
        return unsafe UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self)
    }
    return unsafe UnsafePointer(strerror(status))
}

/// Each thread's last code, as a pointer's bits: nothing has to be freed.
private let lastError: pthread_key_t? = {
    var key = pthread_key_t()
    // Fails only when a process has used up its 1024 keys; then codes are not kept.
    return unsafe pthread_key_create(&key, nil) == 0 ? key : nil
}()

/// Sets the code of this thread, and is false.
func fail(_ status: Int) -> Bool {
    if let lastError { _ = unsafe pthread_setspecific(lastError, UnsafeRawPointer(bitPattern: status)) }
    return false
}

/// Sets the code of this thread, and is nil.
func fail<Result>(_ status: Int) -> Result? {
    let _: Bool = fail(status)
    return nil
}

/// Nothing failed.
public let kSCStatusOK = 0
/// Something failed that has no code of its own: here, the kernel could not be asked.
public let kSCStatusFailed = 1001
/// A null pointer, something that is no address or name, a schedule that the present one excludes.
public let kSCStatusInvalidArgument = 1002
/// The caller may not. Not given here.
public let kSCStatusAccessError = 1003
/// A key of the configuration store is missing. Not given here.
public let kSCStatusNoKey = 1004
/// A key of the configuration store is there already. Not given here.
public let kSCStatusKeyExists = 1005
/// Another holds the lock. Not given here.
public let kSCStatusLocked = 1006
/// The lock has to be held first. Not given here.
public let kSCStatusNeedLock = 1007
/// No session of the configuration store is open. Not given here.
public let kSCStatusNoStoreSession = 2001
/// The configuration store's daemon is gone. Not given here.
public let kSCStatusNoStoreServer = 2002
/// A notifier of the session is active already. Not given here.
public let kSCStatusNotifierActive = 2003
/// No session of the preferences is open. Not given here.
public let kSCStatusNoPrefsSession = 3001
/// The preferences are being changed. Not given here.
public let kSCStatusPrefsBusy = 3002
/// The preferences have no file. Not given here.
public let kSCStatusNoConfigFile = 3003
/// A link of the preferences leads nowhere. Not given here.
public let kSCStatusNoLink = 3004
/// The preferences were changed by another. Not given here.
public let kSCStatusStale = 3005
/// Links of the preferences go too deep. Not given here.
public let kSCStatusMaxLink = 3006
/// The flags could not be found out.
public let kSCStatusReachabilityUnknown = 4001
/// A network connection has no service. Not given here.
public let kSCStatusConnectionNoService = 5001
/// Nothing is known of a network connection now. Not given here.
public let kSCStatusConnectionIgnore = 5002

/// Apple's texts (configd, SystemConfiguration.fproj/SCD.c).
private let texts: [Int: StaticString] = [
    kSCStatusOK: "Success!",
    kSCStatusFailed: "Failed!",
    kSCStatusInvalidArgument: "Invalid argument",
    kSCStatusAccessError: "Permission denied",
    kSCStatusNoKey: "No such key",
    kSCStatusKeyExists: "Key already defined",
    kSCStatusLocked: "Lock already held",
    kSCStatusNeedLock: "Lock required for this operation",
    kSCStatusNoStoreSession: "Configuration daemon session not active",
    kSCStatusNoStoreServer: "Configuration daemon not (no longer) available",
    kSCStatusNotifierActive: "Notifier is currently active",
    kSCStatusNoPrefsSession: "Preference session not active",
    kSCStatusPrefsBusy: "Preferences update currently in progress",
    kSCStatusNoConfigFile: "Configuration file not found",
    kSCStatusNoLink: "No such link",
    kSCStatusStale: "Write attempted on stale version of object",
    kSCStatusMaxLink: "Maximum link count exceeded",
    kSCStatusReachabilityUnknown: "Network reachability cannot be determined",
    kSCStatusConnectionNoService: "Network service for connection not available",
    kSCStatusConnectionIgnore: "Network connection information not available at this time",
]
