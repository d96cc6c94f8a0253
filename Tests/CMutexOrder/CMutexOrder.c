// SPDX-License-Identifier: Apache-2.0
// `Synchronization.Mutex` is inlined where nobody else wants it, so that the thread sanitizer sees
// it; where two threads meet, it is code of the Swift library, which the sanitizer does not see,
// and everything under such a lock would be reported as a race. Defined in the executable, the two
// functions stand before the library's and tell what they order; nothing is kept from being
// reported.
#include "CMutexOrder.h"

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sanitizer/tsan_interface.h>
#include <stdint.h>

// _MutexHandle._lockSlow(UInt32) and _MutexHandle._unlockSlow().
#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *mutex

SWIFT void cmutexorder_lock(uint32_t thread, SELF) __asm__(LOCK);
SWIFT void cmutexorder_unlock(SELF) __asm__(UNLOCK);

SWIFT void cmutexorder_lock(uint32_t thread, SELF) {
  SWIFT void (*lock)(uint32_t, SELF) = dlsym(RTLD_NEXT, LOCK);
  lock(thread, mutex);
  __tsan_acquire(mutex);
}

SWIFT void cmutexorder_unlock(SELF) {
  SWIFT void (*unlock)(SELF) = dlsym(RTLD_NEXT, UNLOCK);
  __tsan_release(mutex);
  unlock(mutex);
}
#endif
#endif
