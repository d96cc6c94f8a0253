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

// More files than a process may open by default; what finds no place is left for the next sweep.
enum { place_count = 1024 };
static char *places[place_count];

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
  if (place >= 0) free(__atomic_exchange_n(&places[place], NULL, __ATOMIC_ACQ_REL));
}

void cwholefiles_remove_noted(void) {
  for (int place = 0; place < place_count; place++) {
    // The text is not freed: the process ends, and memory may be what is damaged.
    char *path = __atomic_exchange_n(&places[place], NULL, __ATOMIC_ACQ_REL);
    if (path) unlink(path);
  }
}

long long cwholefiles_noted_bytes(void) {
  long long sum = 0;
  for (int place = 0; place < place_count; place++) {
    // Off the list meanwhile, so that no other thread frees it. If its file is complete by then, the
    // name goes back all the same: nothing else ever has it.
    char *path = __atomic_exchange_n(&places[place], NULL, __ATOMIC_ACQ_REL);
    if (!path) continue;
    struct stat status;
    if (!stat(path, &status)) sum += status.st_size;
    char *none = NULL;
    if (!__atomic_compare_exchange_n(&places[place], &none, path, 0, __ATOMIC_ACQ_REL,
                                     __ATOMIC_RELAXED))
      free(path);
  }
  return sum;
}
