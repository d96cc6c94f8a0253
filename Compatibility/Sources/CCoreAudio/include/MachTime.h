// SPDX-License-Identifier: Apache-2.0
// Host time: nanoseconds of CLOCK_MONOTONIC, so that a tick is a nanosecond.
#pragma once
#include <stdint.h>
#include <time.h>

typedef int kern_return_t;
#define KERN_SUCCESS 0
#define KERN_INVALID_ARGUMENT 4

#ifndef NSEC_PER_SEC
#define NSEC_PER_SEC 1000000000ull
#endif

struct mach_timebase_info {
  uint32_t numer;
  uint32_t denom;
};
typedef struct mach_timebase_info *mach_timebase_info_t;
typedef struct mach_timebase_info mach_timebase_info_data_t;

// Returns the nanoseconds since the machine started, without the time in which it was suspended.
static inline uint64_t mach_absolute_time(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

// Returns the duration of a tick in nanoseconds as a fraction, 1/1.
static inline kern_return_t mach_timebase_info(struct mach_timebase_info *_Nullable info) {
  if (!info) return KERN_INVALID_ARGUMENT;
  info->numer = 1;
  info->denom = 1;
  return KERN_SUCCESS;
}
