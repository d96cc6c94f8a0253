// SPDX-License-Identifier: Apache-2.0
// Counts calls that a plug-in must not make while it runs: the references of every shared library
// to these functions are redirected to replacements here, which count and forward the calls. The
// program's references stay.
#define _GNU_SOURCE
#include <link.h>
#include <malloc.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <time.h>
#include <unistd.h>

#include "Calls.h"

_Thread_local CLilvCalls *clilv_watched;
static _Thread_local CLilvCalls calls;

#define COUNTED(kind, type, name, parameters, arguments) \
  static type counted_##name parameters {                \
    CLILV_COUNT(kind);                                   \
    return name arguments;                               \
  }

COUNTED(allocations, void *, malloc, (size_t size), (size))
COUNTED(allocations, void *, calloc, (size_t count, size_t size), (count, size))
COUNTED(allocations, void *, realloc, (void *memory, size_t size), (memory, size))
COUNTED(allocations, void *, reallocarray, (void *memory, size_t count, size_t size),
        (memory, count, size))
COUNTED(allocations, void *, memalign, (size_t alignment, size_t size), (alignment, size))
COUNTED(allocations, void *, aligned_alloc, (size_t alignment, size_t size), (alignment, size))
COUNTED(allocations, int, posix_memalign, (void **memory, size_t alignment, size_t size),
        (memory, alignment, size))
COUNTED(locks, int, pthread_mutex_lock, (pthread_mutex_t *lock), (lock))
COUNTED(locks, int, pthread_mutex_timedlock,
        (pthread_mutex_t *lock, const struct timespec *end), (lock, end))
COUNTED(locks, int, pthread_rwlock_rdlock, (pthread_rwlock_t *lock), (lock))
COUNTED(locks, int, pthread_rwlock_wrlock, (pthread_rwlock_t *lock), (lock))
COUNTED(locks, int, pthread_spin_lock, (pthread_spinlock_t *lock), (lock))
COUNTED(waits, int, pthread_cond_wait, (pthread_cond_t *condition, pthread_mutex_t *lock),
        (condition, lock))
COUNTED(waits, int, pthread_cond_timedwait,
        (pthread_cond_t *condition, pthread_mutex_t *lock, const struct timespec *end),
        (condition, lock, end))
COUNTED(waits, int, pthread_barrier_wait, (pthread_barrier_t *barrier), (barrier))
COUNTED(waits, int, pthread_join, (pthread_t thread, void **result), (thread, result))
COUNTED(waits, int, sem_wait, (sem_t *semaphore), (semaphore))
COUNTED(waits, int, sem_timedwait, (sem_t *semaphore, const struct timespec *end),
        (semaphore, end))
COUNTED(waits, int, nanosleep, (const struct timespec *time, struct timespec *left), (time, left))
COUNTED(waits, int, clock_nanosleep,
        (clockid_t clock, int flags, const struct timespec *time, struct timespec *left),
        (clock, flags, time, left))
COUNTED(waits, int, usleep, (useconds_t time), (time))
COUNTED(waits, unsigned, sleep, (unsigned seconds), (seconds))
COUNTED(waits, int, poll, (struct pollfd *files, nfds_t count, int time), (files, count, time))
COUNTED(waits, int, select,
        (int count, fd_set *read, fd_set *write, fd_set *other, struct timeval *time),
        (count, read, write, other, time))

static void counted_free(void *memory) {
  if (memory) CLILV_COUNT(releases);
  free(memory);
}

static const CLilvCounterpart functions[] = {
#define FUNCTION(name) {#name, (void *)counted_##name}
  FUNCTION(malloc), FUNCTION(calloc), FUNCTION(realloc), FUNCTION(reallocarray),
  FUNCTION(memalign), FUNCTION(aligned_alloc), FUNCTION(posix_memalign), FUNCTION(free),
  FUNCTION(pthread_mutex_lock), FUNCTION(pthread_mutex_timedlock),
  FUNCTION(pthread_rwlock_rdlock), FUNCTION(pthread_rwlock_wrlock), FUNCTION(pthread_spin_lock),
  FUNCTION(pthread_cond_wait), FUNCTION(pthread_cond_timedwait), FUNCTION(pthread_barrier_wait),
  FUNCTION(pthread_join), FUNCTION(sem_wait), FUNCTION(sem_timedwait), FUNCTION(nanosleep),
  FUNCTION(clock_nanosleep), FUNCTION(usleep), FUNCTION(sleep), FUNCTION(poll), FUNCTION(select),
};

// The types of function references in a library.
#if defined(__x86_64__)
enum { in_table = R_X86_64_GLOB_DAT, in_calls = R_X86_64_JUMP_SLOT, in_memory = R_X86_64_64 };
#elif defined(__aarch64__)
enum { in_table = R_AARCH64_GLOB_DAT, in_calls = R_AARCH64_JUMP_SLOT, in_memory = R_AARCH64_ABS64 };
#else
enum { in_table = -1, in_calls = -1, in_memory = -1 };
#endif

// Returns true if a library may write at an address after it has been loaded.
static bool is_written(const struct dl_phdr_info *library, uintptr_t address) {
  for (int index = 0; index < library->dlpi_phnum; index++) {
    const ElfW(Phdr) *part = &library->dlpi_phdr[index];
    uintptr_t start = library->dlpi_addr + part->p_vaddr;
    if (part->p_type == PT_LOAD && part->p_flags & PF_W && address >= start &&
        address + sizeof(void *) <= start + part->p_memsz)
      return true;
  }
  return false;
}

typedef struct {
  const CLilvCounterpart *functions;
  size_t count;
} Redirection;

static void lead(const struct dl_phdr_info *library, const ElfW(Rela) *reference,
                 const ElfW(Sym) *symbols, const char *names, const Redirection *redirection) {
  long type = ELF64_R_TYPE(reference->r_info);
  if ((type != in_table && type != in_calls && type != in_memory) || reference->r_addend) return;
  const char *name = names + symbols[ELF64_R_SYM(reference->r_info)].st_name;
  for (size_t index = 0; index < redirection->count; index++) {
    if (strcmp(name, redirection->functions[index].name)) continue;
    uintptr_t place = library->dlpi_addr + reference->r_offset;
    uintptr_t page = place & -(uintptr_t)getpagesize();
    if (!is_written(library, place)) return;
    // The loader has made this memory read-only after its work.
    if (mprotect((void *)page, place + sizeof(void *) - page, PROT_READ | PROT_WRITE)) return;
    __atomic_store_n((void **)place, redirection->functions[index].counterpart, __ATOMIC_RELEASE);
  }
}

static int lead_all(struct dl_phdr_info *library, size_t size, void *context) {
  // The first entry is the program.
  if (!library->dlpi_name[0]) return 0;
  const ElfW(Dyn) *entry = 0;
  for (int index = 0; index < library->dlpi_phnum; index++)
    if (library->dlpi_phdr[index].p_type == PT_DYNAMIC)
      entry = (const ElfW(Dyn) *)(library->dlpi_addr + library->dlpi_phdr[index].p_vaddr);
  if (!entry) return 0;
  const ElfW(Sym) *symbols = 0;
  const char *names = 0;
  const ElfW(Rela) *tables[2] = {0, 0};
  size_t sizes[2] = {0, 0};
  for (; entry->d_tag != DT_NULL; entry++) {
    // The C library has converted these to addresses, except for the kernel's vDSO.
    uintptr_t address = entry->d_un.d_ptr;
    if (address < library->dlpi_addr) address += library->dlpi_addr;
    switch (entry->d_tag) {
      case DT_SYMTAB: symbols = (const void *)address; break;
      case DT_STRTAB: names = (const void *)address; break;
      case DT_RELA: tables[0] = (const void *)address; break;
      case DT_RELASZ: sizes[0] = entry->d_un.d_val; break;
      case DT_JMPREL: tables[1] = (const void *)address; break;
      case DT_PLTRELSZ: sizes[1] = entry->d_un.d_val; break;
    }
  }
  if (!symbols || !names) return 0;
  for (int index = 0; index < 2; index++)
    for (size_t place = 0; tables[index] && place < sizes[index] / sizeof(ElfW(Rela)); place++)
      lead(library, &tables[index][place], symbols, names, context);
  return 0;
}

void clilv_redirect(const CLilvCounterpart *functions, size_t count) {
  Redirection redirection = {functions, count};
  if (in_calls >= 0) dl_iterate_phdr(lead_all, &redirection);
}

void clilv_watch(bool anew) {
  if (anew) clilv_redirect(functions, sizeof functions / sizeof *functions);
  memset(&calls, 0, sizeof calls);
  clilv_watched = &calls;
}

CLilvCalls clilv_calls(void) { return calls; }
