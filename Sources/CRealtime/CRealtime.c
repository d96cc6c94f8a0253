// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "CRealtime.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

void crealtime_name_thread(const char *name) { prctl(PR_SET_NAME, name, 0, 0, 0); }

int crealtime_thread_number(void) { return (int)syscall(SYS_gettid); }

int crealtime_thread_runs(int number) {
  return syscall(SYS_tgkill, getpid(), number, 0) == 0 || errno != ESRCH;
}

__attribute__((noinline)) void crealtime_use_stack(void) {
  volatile char memory[64 << 10];
  for (size_t place = 0; place < sizeof memory; place += 1024) memory[place] = 0;
}

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

int crealtime_make_memory(const char *name, long size) {
  int descriptor = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (descriptor < 0) return -errno;
  // Whoever could cut it short would end every process that has it mapped.
  int seals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;
  if (ftruncate(descriptor, size) == 0 && fcntl(descriptor, F_ADD_SEALS, seals) == 0)
    return descriptor;
  int code = -errno;
  close(descriptor);
  return code;
}

static int argument_count;
static char **arguments;
static char program[PATH_MAX];

// The C library passes what it passes to `main`: Swift's own list is read from /proc, which a bare
// chroot does not have. The path that was executed is made absolute before anything changes folder.
__attribute__((constructor)) static void take_arguments(int count, char **values) {
  argument_count = values ? count : 0;
  arguments = values;
  ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
  if (length > 0) {
    program[length] = 0;
    return;
  }
  const char *executed = (const char *)getauxval(AT_EXECFN);
  if (!executed || !realpath(executed, program)) program[0] = 0;
}

int crealtime_argument_count(void) { return argument_count; }

const char *crealtime_argument(int index) {
  return index >= 0 && index < argument_count ? arguments[index] : 0;
}

const char *crealtime_program(void) { return program; }

int crealtime_start_self(const char *name, int memory, int socket) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  for (int stream = 0; stream < 3; stream++)
    posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_RDWR, 0);
  posix_spawn_file_actions_adddup2(&actions, memory, 3);
  posix_spawn_file_actions_adddup2(&actions, socket, 4);
  posix_spawn_file_actions_addclosefrom_np(&actions, 5);
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setflags(
      &attributes, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  char *words[] = {(char *)name, 0};
  pid_t identifier;
  int code = posix_spawn(&identifier, "/proc/self/exe", &actions, &attributes, words, environ);
  if (code == ENOENT && program[0])
    code = posix_spawn(&identifier, program, &actions, &attributes, words, environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return code == 0 ? identifier : -code;
}
