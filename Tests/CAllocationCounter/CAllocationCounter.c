// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "CAllocationCounter.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <malloc.h>
#include <pthread.h>
#include <stddef.h>

static __thread bool counting;
static __thread CAllocationCounts counts;
static __thread long held;

// The real-time sanitizer, if it is linked.
extern void __rtsan_realtime_enter(void) __attribute__((weak));
extern void __rtsan_realtime_exit(void) __attribute__((weak));
extern void __rtsan_notify_intercepted_call(const char *) __attribute__((weak));

bool callocationcounter_is_sanitized(void) { return __rtsan_realtime_enter != 0; }

void callocationcounter_keep_memory(void) {
  mallopt(M_MMAP_MAX, 0);
  mallopt(M_TRIM_THRESHOLD, INT_MAX);
}

void callocationcounter_begin(void) {
  counts = (CAllocationCounts){0, 0, 0, 0};
  held = 0;
  if (__rtsan_realtime_enter) __rtsan_realtime_enter();
  counting = true;
}

CAllocationCounts callocationcounter_end(void) {
  counting = false;
  if (__rtsan_realtime_exit) __rtsan_realtime_exit();
  return counts;
}

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif

#ifdef SANITIZED
bool callocationcounter_works(void) { return false; }
#else
bool callocationcounter_works(void) { return true; }

// In the executable, these definitions precede the C library's for every shared library.
#define INTERPOSED __attribute__((used, retain, visibility("default")))

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);

// If the sanitizer is linked, it judges the call: it allocates memory for stack traces, and knows
// its calls.
static bool counts_here(const char *call) {
  if (counting && __rtsan_notify_intercepted_call) __rtsan_notify_intercepted_call(call);
  return counting && !__rtsan_notify_intercepted_call;
}

static void *taken(void *memory) {
  if (!counts_here("malloc")) return memory;
  counts.allocations++;
  held += (long)malloc_usable_size(memory);
  if (held > counts.peak) counts.peak = held;
  return memory;
}

static void given(void *memory) {
  if (counting) held -= (long)malloc_usable_size(memory);
}

INTERPOSED void *malloc(size_t size) {
  return taken(__libc_malloc(size));
}

INTERPOSED void *calloc(size_t count, size_t size) {
  return taken(__libc_calloc(count, size));
}

INTERPOSED void *realloc(void *memory, size_t size) {
  given(memory);
  return taken(__libc_realloc(memory, size));
}

INTERPOSED void *memalign(size_t alignment, size_t size) {
  return taken(__libc_memalign(alignment, size));
}

INTERPOSED void *aligned_alloc(size_t alignment, size_t size) {
  return taken(__libc_memalign(alignment, size));
}

INTERPOSED int posix_memalign(void **memory, size_t alignment, size_t size) {
  *memory = taken(__libc_memalign(alignment, size));
  return *memory ? 0 : ENOMEM;
}

INTERPOSED void free(void *memory) {
  if (counts_here("free")) counts.frees++;
  given(memory);
  __libc_free(memory);
}

// The next definition is the C library's. It is looked up once; a second lookup does no harm.
#define LOCK(name, type)                                                                          \
  INTERPOSED int name(type *lock) {                                                               \
    static int (*_Atomic next)(type *);                                                           \
    int (*function)(type *) = next;                                                               \
    if (!function) next = function = (int (*)(type *))dlsym(RTLD_NEXT, #name);                    \
    if (counts_here(#name)) counts.locks++;                                                       \
    return function(lock);                                                                        \
  }

LOCK(pthread_mutex_lock, pthread_mutex_t)
LOCK(pthread_rwlock_rdlock, pthread_rwlock_t)
LOCK(pthread_rwlock_wrlock, pthread_rwlock_t)
#endif
