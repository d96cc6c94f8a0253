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

/// Whether a thread of this process with the kernel's number `number` has not ended.
int crealtime_thread_runs(int number);

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

/// The number of the process's arguments, its name among them, as `main` received them.
int crealtime_argument_count(void);

/// An argument of the process, counted from 0; a null pointer if there is none.
const char *crealtime_argument(int index);

/// The path of the running program; empty if the system does not report it.
const char *crealtime_program(void);

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

/// Four samples.
typedef float crealtime_four __attribute__((ext_vector_type(4)));

/// The numbers of a quantum, of which a spectrum's part has as many real ones and, behind them, as
/// many imaginary ones.
#define CREALTIME_QUANTUM 64

/// A stereo strip of a mixer in one quantum; all memory begins at a multiple of 32 bytes.
typedef struct {
  const float *left;
  const float *right;
  float left_gain;
  float right_gain;
  /// For the left side, then the right: the sum of the squares of what was added in each of eight
  /// places, and the highest square in each.
  float *powers;
} crealtime_strip;

/// The loops that fit the processor; chosen before the program begins.
typedef struct {
  void (*add_strips)(const crealtime_strip *strips, long count, float *left, float *right);
  int (*is_finite)(const float *samples, long channel_count);
} crealtime_loops;

extern crealtime_loops crealtime_chosen_loops;

/// Adds strips, each times its gains, to a sum, one after another, and to what was measured of each.
static inline CREALTIME_SAFE void crealtime_add_strips(const crealtime_strip *strips, long count,
                                                       float *left, float *right) {
  crealtime_chosen_loops.add_strips(strips, count, left, right);
}

/// Whether all samples of channels of a quantum that follow one another are numbers, and not
/// infinite.
static inline CREALTIME_SAFE int crealtime_is_finite(const float *samples, long channel_count) {
  return crealtime_chosen_loops.is_finite(samples, channel_count);
}

/// What `crealtime_fade_spectra` works on; all memory begins at a multiple of 16 bytes.
typedef struct {
  /// What was heard in each quantum, newest first.
  const float *heard;
  /// The filter that falls.
  const float *old;
  /// What the filter that rises is mixed of, and the share of each.
  const float *corners[4];
  float shares[4];
  /// Where the filter that rises goes.
  float *mixed;
  /// What the products of both are added to.
  float *falling;
  float *rising;
} crealtime_fade;

/// Adds the products of some parts of what was heard with those of a filter to a sum.
///
/// In C, as is the next, since Swift's vectors are put together from single numbers again, in loops of
/// many terms with three times the instructions. Part by part, since the same place of all parts at
/// once lies in the same few lines of the cache.
static inline CREALTIME_SAFE void crealtime_multiply_spectra(const float *heard,
                                                             const float *filter, float *sum,
                                                             long parts) {
  const crealtime_four *sound = (const crealtime_four *)heard;
  const crealtime_four *response = (const crealtime_four *)filter;
  crealtime_four *target = (crealtime_four *)sum;
  const long half = CREALTIME_QUANTUM / 4;
  for (long part = 0; part < 2 * half * parts; part += 2 * half) {
    for (long place = 0; place < half; place++) {
      const long real = part + place, imaginary = real + half;
      const crealtime_four a = sound[real], b = sound[imaginary];
      const crealtime_four u = response[real], v = response[imaginary];
      target[place] += a * u - b * v;
      target[half + place] += a * v + b * u;
    }
  }
}

/// Mixes some parts of a filter of its first two or four corners, and adds the products of what was
/// heard with both filters to their sums; then goes on behind these parts of all filters.
static inline CREALTIME_SAFE void crealtime_fade_spectra(crealtime_fade *fade, long parts,
                                                         int count) {
  const crealtime_four *sound = (const crealtime_four *)fade->heard;
  const crealtime_four *old = (const crealtime_four *)fade->old;
  const crealtime_four *first = (const crealtime_four *)fade->corners[0];
  const crealtime_four *second = (const crealtime_four *)fade->corners[1];
  const crealtime_four *third = (const crealtime_four *)fade->corners[2];
  const crealtime_four *fourth = (const crealtime_four *)fade->corners[3];
  crealtime_four *mixed = (crealtime_four *)fade->mixed;
  crealtime_four *low = (crealtime_four *)fade->falling;
  crealtime_four *high = (crealtime_four *)fade->rising;
  const float k = fade->shares[0], l = fade->shares[1], m = fade->shares[2], n = fade->shares[3];
  const long half = CREALTIME_QUANTUM / 4, all = 2 * half * parts;
  for (long part = 0; part < all; part += 2 * half) {
    for (long place = 0; place < half; place++) {
      const long real = part + place, imaginary = real + half;
      crealtime_four x = first[real] * k + second[real] * l;
      crealtime_four y = first[imaginary] * k + second[imaginary] * l;
      if (count > 2) {
        x += third[real] * m;
        x += fourth[real] * n;
        y += third[imaginary] * m;
        y += fourth[imaginary] * n;
      }
      const crealtime_four a = sound[real], b = sound[imaginary];
      const crealtime_four u = old[real], v = old[imaginary];
      mixed[real] = x;
      mixed[imaginary] = y;
      low[place] += a * u - b * v;
      low[half + place] += a * v + b * u;
      high[place] += a * x - b * y;
      high[half + place] += a * y + b * x;
    }
  }
  fade->old += 4 * all;
  fade->mixed += 4 * all;
  for (int corner = 0; corner < 4; corner++) fade->corners[corner] += 4 * all;
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
