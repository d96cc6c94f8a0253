// SPDX-License-Identifier: Apache-2.0
// What Swift's Glibc module leaves out, for the threads with deadlines. No logic lives here.
#ifndef CREALTIME_H
#define CREALTIME_H

#include <poll.h>
#include <stdint.h>

#define CREALTIME_SAFE \
  __attribute__((swift_attr("@_noLocks"), swift_attr("@_noAllocation")))

/// Names the calling thread; the kernel keeps 15 bytes.
void crealtime_name_thread(const char *name);

/// The kernel's number of the calling thread.
int crealtime_thread_number(void);

/// Uses the next 64 KiB of the calling thread's stack, so that no page of them is made later.
void crealtime_use_stack(void);

/// Makes a non-blocking event descriptor, or returns the negative errno.
int crealtime_make_event(void);

/// ppoll(2) without a signal mask; `nanoseconds` below zero waits for ever.
int crealtime_poll(struct pollfd *descriptors, unsigned long count, int64_t nanoseconds);

/// How many bytes of memory the process may lock; `UINT64_MAX` without a limit.
uint64_t crealtime_lockable_memory(void);

/// Locks a whole file for writing, for as long as its open file description lives; or returns the
/// negative errno: -EAGAIN where another holds it.
int crealtime_lock(int descriptor);

/// Whether another open file description holds the lock; or the negative errno.
int crealtime_is_locked(int descriptor);

/// Makes memory without a name that processes can share, and returns its descriptor or the
/// negative errno.
int crealtime_make_memory(const char *name, long size);

/// Starts this process's program anew in a session of its own, with `/dev/null` as its standard
/// streams, `memory` as descriptor 3, `socket` as 4 and no other, and no signal blocked or caught;
/// returns its identifier or the negative errno. Both descriptors are above 4.
int crealtime_start_self(const char *name, int memory, int socket);

/// Eight samples.
typedef float crealtime_lane __attribute__((ext_vector_type(8)));

/// The higher of two in each place, by the machine's own instruction: Swift's `replacing(with:where:)`
/// and `max` of each place become several times as many.
static inline CREALTIME_SAFE crealtime_lane crealtime_higher(crealtime_lane left,
                                                             crealtime_lane right) {
  return left > right ? left : right;
}

/// The highest of all places; half and half, which is shorter than one after another.
static inline CREALTIME_SAFE float crealtime_highest(crealtime_lane lane) {
  __typeof__(lane.lo) four = lane.lo > lane.hi ? lane.lo : lane.hi;
  __typeof__(four.lo) two = four.lo > four.hi ? four.lo : four.hi;
  return two.x > two.y ? two.x : two.y;
}

/// The sum of all places, half and half.
static inline CREALTIME_SAFE float crealtime_sum(crealtime_lane lane) {
  __typeof__(lane.lo) four = lane.lo + lane.hi;
  __typeof__(four.lo) two = four.lo + four.hi;
  return two.x + two.y;
}

/// Treats denormal numbers as zero on the calling thread; returns what restores it.
static inline CREALTIME_SAFE uint64_t crealtime_begin_flush(void) {
#if defined(__x86_64__)
  uint32_t control = __builtin_ia32_stmxcsr();
  if ((control & 0x8040) != 0x8040) __builtin_ia32_ldmxcsr(control | 0x8040);
  return control;
#elif defined(__aarch64__)
  uint64_t control;
  __asm__ volatile("mrs %0, fpcr" : "=r"(control));
  __asm__ volatile("msr fpcr, %0" : : "r"(control | (1u << 24)));
  return control;
#else
  return 0;
#endif
}

/// Restores what was before `crealtime_begin_flush`.
static inline CREALTIME_SAFE void crealtime_end_flush(uint64_t control) {
#if defined(__x86_64__)
  if ((control & 0x8040) != 0x8040) __builtin_ia32_ldmxcsr((uint32_t)control);
#elif defined(__aarch64__)
  __asm__ volatile("msr fpcr, %0" : : "r"(control));
#endif
}

#endif
