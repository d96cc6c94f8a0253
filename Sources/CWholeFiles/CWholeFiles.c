// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "CWholeFiles.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int cwholefiles_rename_to_free(const char *from, const char *to) {
  return renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0 ? 0 : errno;
}

int cwholefiles_exchange(const char *one, const char *other) {
  return renameat2(AT_FDCWD, one, AT_FDCWD, other, RENAME_EXCHANGE) == 0 ? 0 : errno;
}

// More files than a process may open by default; a file that finds no place is left for the next sweep.
enum { place_count = 1024 };
static char *places[place_count];
// Keeps a place taken while `cwholefiles_noted_bytes` uses its path.
static char in_use;

int cwholefiles_note(const char *path) {
  char *copy = strdup(path);
  if (!copy) return -1;
  for (int place = 0; place < place_count; place++) {
    char *none = NULL;
    if (__atomic_compare_exchange_n(&places[place], &none, copy, 0, __ATOMIC_ACQ_REL,
                                    __ATOMIC_RELAXED))
      return place;
  }
  free(copy);
  return -1;
}

void cwholefiles_forget(int place) {
  if (place < 0) return;
  char *path = __atomic_exchange_n(&places[place], NULL, __ATOMIC_ACQ_REL);
  // A path in use is freed by `cwholefiles_noted_bytes`, which finds the place changed.
  if (path != &in_use) free(path);
}

void cwholefiles_remove_noted(void) {
  for (int place = 0; place < place_count; place++) {
    // The text is not freed: the process ends, and memory may be what is damaged.
    char *path = __atomic_load_n(&places[place], __ATOMIC_ACQUIRE);
    if (!path || path == &in_use) continue;
    if (__atomic_compare_exchange_n(&places[place], &path, NULL, 0, __ATOMIC_ACQ_REL,
                                    __ATOMIC_RELAXED))
      unlink(path);
  }
}

long long cwholefiles_noted_bytes(void) {
  long long sum = 0;
  for (int place = 0; place < place_count; place++) {
    char *path = __atomic_load_n(&places[place], __ATOMIC_ACQUIRE);
    if (!path || path == &in_use) continue;
    // Marked, so that no other thread frees the path, and no other file gets the place.
    if (!__atomic_compare_exchange_n(&places[place], &path, &in_use, 0, __ATOMIC_ACQ_REL,
                                     __ATOMIC_RELAXED))
      continue;
    struct stat status;
    if (!stat(path, &status)) sum += status.st_size;
    char *mark = &in_use;
    // Forgotten meanwhile.
    if (!__atomic_compare_exchange_n(&places[place], &mark, path, 0, __ATOMIC_ACQ_REL,
                                     __ATOMIC_RELAXED))
      free(path);
  }
  return sum;
}
