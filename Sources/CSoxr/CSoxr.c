// SPDX-License-Identifier: Apache-2.0
#include "CSoxr.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static CSoxrTable table;
static bool complete;

static void load(void) {
  void *library = dlopen("libsoxr.so.0", RTLD_NOW | RTLD_LOCAL);
  if (!library) return;
  complete = true;
#define CSOXR_FIND(name)                                                   \
  table.name = (__typeof__(table.name))dlsym(library, "soxr_" #name);      \
  complete = complete && table.name;
  CSOXR_FUNCTIONS(CSOXR_FIND)
#undef CSOXR_FIND
}

const CSoxrTable *csoxr_table(void) {
  pthread_once(&once, load);
  return complete ? &table : 0;
}
