// SPDX-License-Identifier: Apache-2.0
// A machine's clock that runs SKEW_PPM millionths faster, from when the program was started on: for
// LD_PRELOAD. Lengths of time, as in poll, stay what they are.
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static long long origin;
static double skew;

static long long nanoseconds(const struct timespec *time) {
  return time->tv_sec * 1000000000LL + time->tv_nsec;
}

static struct timespec instant(long long nanoseconds) {
  return (struct timespec){nanoseconds / 1000000000LL, nanoseconds % 1000000000LL};
}

__attribute__((constructor)) static void begin(void) {
  struct timespec now;
  syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
  const char *millionths = getenv("SKEW_PPM");
  skew = millionths ? atof(millionths) * 1e-6 : 0;
  origin = nanoseconds(&now);
}

int clock_gettime(clockid_t clock, struct timespec *time) {
  long code = syscall(SYS_clock_gettime, clock, time);
  if (code != 0 || clock != CLOCK_MONOTONIC || origin == 0) return (int)code;
  long long passed = nanoseconds(time) - origin;
  *time = instant(origin + passed + (long long)((double)passed * skew));
  return 0;
}

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *time, struct timespec *rest) {
  struct timespec due = *time;
  if (clock == CLOCK_MONOTONIC && (flags & TIMER_ABSTIME)) {
    long long passed = nanoseconds(time) - origin;
    due = instant(origin + passed - (long long)((double)passed * skew / (1 + skew)));
  }
  return syscall(SYS_clock_nanosleep, clock, flags, &due, rest) == 0 ? 0 : errno;
}
