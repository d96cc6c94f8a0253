// SPDX-License-Identifier: Apache-2.0
#include "CEBUR128.h"

#include <CDynamicLibrary.h>
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static CEBUR128Table table;
static CDynamicLibrary library;

static void load(void) {
  cdynamiclibrary_open(&library, "libebur128.so.1");
#define CEBUR128_FIND(type, name, arguments) \
  table.name = (__typeof__(table.name))cdynamiclibrary_find(&library, "ebur128_" #name);
  CEBUR128_FUNCTIONS(CEBUR128_FIND)
#undef CEBUR128_FIND
}

const CEBUR128Table *cebur128_table(void) {
  pthread_once(&once, load);
  return library.complete ? &table : 0;
}
