/* Tells the thread sanitizer of Swift's Mutex.
 *
 * The fast path of Synchronization.Mutex is inlined and instrumented. The slow one, taken when two threads meet, is in
 * libswiftSynchronization, which is not, and there the kernel hands the lock over (FUTEX_LOCK_PI): the sanitizer misses
 * that one thread came after the other, and reports races that are none. Preloaded, this calls the library's own
 * functions and says so. The names are Synchronization._MutexHandle's _lockSlow, _unlockSlow and _tryLockSlow.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>

#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"
#define TRY_LOCK "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))

/* The sanitizer's own; absent in programs without it, such as the swift command. */
extern void __tsan_acquire(void *) __attribute__((weak));
extern void __tsan_release(void *) __attribute__((weak));

typedef SWIFT void (*Lock)(uint32_t, SELF void *);
typedef SWIFT void (*Unlock)(SELF void *);
typedef SWIFT bool (*TryLock)(SELF void *);

static Lock realLock;
static Unlock realUnlock;
static TryLock realTryLock;

__attribute__((constructor)) static void find(void) {
    realLock = (Lock)dlsym(RTLD_NEXT, LOCK);
    realUnlock = (Unlock)dlsym(RTLD_NEXT, UNLOCK);
    realTryLock = (TryLock)dlsym(RTLD_NEXT, TRY_LOCK);
}

SWIFT void lockSlow(uint32_t thread, SELF void *self) __asm__(LOCK);
SWIFT void unlockSlow(SELF void *self) __asm__(UNLOCK);
SWIFT bool tryLockSlow(SELF void *self) __asm__(TRY_LOCK);

SWIFT void lockSlow(uint32_t thread, SELF void *self) {
    realLock(thread, self);
    if (__tsan_acquire) __tsan_acquire(self);
}

SWIFT void unlockSlow(SELF void *self) {
    if (__tsan_release) __tsan_release(self);
    realUnlock(self);
}

SWIFT bool tryLockSlow(SELF void *self) {
    bool isLocked = realTryLock(self);
    if (isLocked && __tsan_acquire) __tsan_acquire(self);
    return isLocked;
}
