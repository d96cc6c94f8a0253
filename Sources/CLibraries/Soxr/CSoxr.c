// SPDX-License-Identifier: Apache-2.0
#include "CSoxr.h"

#include <CDynamicLibrary.h>
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static CSoxrTable table;
static CDynamicLibrary library;

static void load(void) {
  cdynamiclibrary_open(&library, "libsoxr.so.0");
#define CSOXR_FIND(type, name, arguments) \
  table.name = (__typeof__(table.name))cdynamiclibrary_find(&library, "soxr_" #name);
  CSOXR_FUNCTIONS(CSOXR_FIND)
#undef CSOXR_FIND
}

const CSoxrTable *csoxr_table(void) {
  pthread_once(&once, load);
  return library.complete ? &table : 0;
}
