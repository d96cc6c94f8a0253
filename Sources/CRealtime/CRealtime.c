// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "CRealtime.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <time.h>

void crealtime_name_thread(const char *name) { prctl(PR_SET_NAME, name, 0, 0, 0); }

int crealtime_make_event(void) {
  int descriptor = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
  return descriptor < 0 ? -errno : descriptor;
}

int crealtime_poll(struct pollfd *descriptors, unsigned long count, int64_t nanoseconds) {
  struct timespec wait = {nanoseconds / 1000000000, nanoseconds % 1000000000};
  int ready = ppoll(descriptors, count, nanoseconds < 0 ? 0 : &wait, 0);
  return ready < 0 ? -errno : ready;
}

uint64_t crealtime_lockable_memory(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_MEMLOCK, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return UINT64_MAX;
  return limit.rlim_cur;
}

static struct flock whole_file(void) {
  struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
  return lock;
}

int crealtime_lock(int descriptor) {
  struct flock lock = whole_file();
  return fcntl(descriptor, F_OFD_SETLK, &lock) == 0 ? 0 : -errno;
}

int crealtime_is_locked(int descriptor) {
  struct flock lock = whole_file();
  lock.l_type = F_RDLCK;
  if (fcntl(descriptor, F_OFD_GETLK, &lock) != 0) return -errno;
  return lock.l_type != F_UNLCK;
}
